/** What is planted: one line each, room by room. */
import type { Fault } from './fault.ts';

export const faults: readonly Fault[] = [
  {
    promise: 'I1, D1: the intent is durable before the first octet goes out',
    file: 'release/committing.ts',
    is: '  if (!isJobNext(known)) await ledger.durable();\n',
    becomes: '',
    foundBy: {
      file: 'release/bytes.test.ts',
      test: 'a release at a byte printer > goes from the intent straight to the bytes, and is handed over when they were taken',
    },
  },
  {
    promise: 'B.1: the id of a job is durable before its document is sent',
    file: 'release/committing.ts',
    is: 'ledger.jobCreated(known.releaseId, jobOf(known));\n  await ledger.durable();',
    becomes: 'ledger.jobCreated(known.releaseId, jobOf(known));',
    foundBy: {
      file: 'release/release.test.ts',
      test: 'a release without faults > walks the nine steps, each recorded before the next one acts',
    },
  },
  {
    promise: 'B.1: an end is durable before the document leaves the cloud',
    file: 'release/ending.ts',
    is: '  });\n  await world.ledger.durable();\n',
    becomes: '  });\n',
    foundBy: {
      file: 'release/delivery.test.ts',
      test: 'delivery: cloud-then-local > prints here, under the same release, what was refused by a 4xx',
    },
  },
  {
    promise: 'D6: a document leaves the cloud only when it was confirmed',
    file: 'release/machine.ts',
    is: "event.output.outcome === 'completed' &&",
    becomes: "event.output.outcome !== 'failed' &&",
    foundBy: {
      file: 'release/bytes.test.ts',
      test: 'a release at a byte printer > that broke off asks nobody and sends nothing again',
    },
  },
  {
    promise: 'I9: a balance answer is not believed for longer than a minute',
    file: 'release/getting-ready.ts',
    is: 'const balanceHolds = seconds(50);',
    becomes: 'const balanceHolds = seconds(5000);',
    foundBy: {
      file: 'release/batch.test.ts',
      test: 'the balance of a document that waits for its turn > that no longer suffices stops it before its intent (I9)',
    },
  },
  {
    promise: 'I1, I11: after a restart nothing is free that a raw printer may have',
    file: 'release/recovery.ts',
    is: "{ applies: (known) => takesBytes(known) && isLeftAt('INTENT')(known), learns: staysUnknown },",
    becomes: "{ applies: (known) => takesBytes(known) && isLeftAt('INTENT')(known), learns: nothingOut },",
    foundBy: {
      file: 'release/bytes.test.ts',
      test: 'a restart asks no byte printer about anything > INTENT: bytes may have gone out',
    },
  },
  {
    promise: 'I1: a delivery whose answer was lost is not asked for again',
    file: 'release/machine.ts',
    is: "isProblem(error) && error.delivery !== 'perhaps'",
    becomes: 'isProblem(error)',
    foundBy: {
      file: 'release/delivery.test.ts',
      test: 'delivery: cloud > an answer that was lost is never asked for again: nobody knows (I1)',
    },
  },
  {
    promise: 'I1: a document that is in hand is released by nobody else',
    file: 'release/standing.ts',
    is: "    if (onTheWay.isInHand(uuid)) return 'in-progress';\n",
    becomes: '',
    foundBy: {
      file: 'release/release.test.ts',
      test: 'a batch > holds each document in hand, so that nobody can release it a second time meanwhile (I1)',
    },
  },
  {
    promise: 'T29: nobody else’s document is cancelled when a person leaves',
    file: 'release/desk.ts',
    is: 'if (sessionOf(wish) === sessionId) release?.ownerLeft();',
    becomes: 'if (sessionOf(wish) !== undefined) release?.ownerLeft();',
    foundBy: {
      file: 'release/progress.test.ts',
      test: 'when its owner leaves, a document > is not touched by the end of another session',
    },
  },
  {
    promise: 'I1: of what may have printed nobody is told to try again',
    file: 'terminal/session-progress.ts',
    is: "stage === 'unknown' && code && !asksToLook.includes(code) ? 'outcome-unknown' : code",
    becomes: 'code',
    foundBy: {
      file: 'terminal/session-progress.test.ts',
      test: 'of a document that ended unknown for printer-aborted-job the person is told outcome-unknown: nothing asks for a second print (I1)',
    },
  },
  {
    promise: 'I2: that a record is sent is durable before it is',
    file: 'store/outbox/courier.ts',
    is: '      outbox.sending(row.id, alikeBefore);\n      await outbox.durable();\n',
    becomes: '      outbox.sending(row.id, alikeBefore);\n',
    foundBy: {
      file: 'store/courier.test.ts',
      test: 'I2: that a record is sent is durable before it is, so that after a power cut it is looked for',
    },
  },
  {
    promise: 'I2: a record that the service refuses is kept as a dead letter',
    file: 'store/outbox/courier.ts',
    is: 'outbox.bury(id, `${refusal.code}: ${refusal.message}`);',
    becomes: 'outbox.accepted(id);',
    foundBy: {
      file: 'store/courier.test.ts',
      test: 'B.4 9: a record the service rejects becomes a dead letter, told once, and blocks nobody',
    },
  },
  {
    promise: 'I6: a token’s successor never overwrites it',
    file: 'store/sealed/token-slots.ts',
    is: 'slotNames[generation % 2 === 0 ? 0 : 1]',
    becomes: 'slotNames[0]',
    foundBy: {
      file: 'store/device-store.test.ts',
      test: 'B.2 step 5: the two token slots > damage to the older costs what it must and no more',
    },
  },
  {
    promise: 'I6: that a refresh token is spent is noted before it is',
    file: 'store/sealed/device-store.ts',
    is: "      files.write('refreshing', { generation, wall: clock.now(), monotonic: clock.monotonic() });\n",
    becomes: '',
    foundBy: {
      file: 'store/device-store.test.ts',
      test: 'the device store in sealed files > I6: a refresh that was begun is known until its answer is stored',
    },
  },
  {
    promise: 'D12: after an I/O error nothing is written any more',
    file: 'store/database.ts',
    is: '    guarded<T>(work: () => T): T {\n      if (failure) throw failure;\n',
    becomes: '    guarded<T>(work: () => T): T {\n',
    foundBy: {
      file: 'store/database.test.ts',
      test: 'D12: after a failure nothing is read or written any more',
    },
  },
  {
    promise: 'B.1: books that are behind their anchored head are not believed',
    file: 'store/ledger/audit.ts',
    is: 'if (head.seq < anchored.seq) return',
    becomes: 'if (head.seq === 0 && anchored.seq > 0) return',
    foundBy: {
      file: 'store/quarantine.test.ts',
      test: 'B.1: a database from before the anchored head, as a restore puts it back, is seen',
    },
  },
  {
    promise: 'I11: nothing follows an end in the ledger',
    file: 'store/ledger/attempt-steps.ts',
    is: '    requireNext(current, to);\n    this.attempts.update',
    becomes: '    this.attempts.update',
    foundBy: { file: 'store/ledger.test.ts', test: 'the ledger in SQLite > I11: nothing follows CONFIRMED' },
  },
  {
    promise: 'I11: an attempt without output does not take back an earlier print',
    file: 'store/ledger/past.ts',
    is: "ORDER BY state = 'NOOUTPUT', id DESC",
    becomes: 'ORDER BY id DESC',
    foundBy: {
      file: 'store/ledger.test.ts',
      test: 'the ledger in SQLite > I1, I11: a later attempt without output leaves CONFIRMED standing',
    },
  },
  {
    promise: 'D8: no print is begun whose record would have no room',
    file: 'store/ledger/ledger.ts',
    is: "if (outbox.fullness(Number(this.#sql.countOpen.get()?.['rows'])) >= 1) {",
    becomes: 'if (outbox.fullness() >= 1) {',
    foundBy: {
      file: 'store/ledger.test.ts',
      test: 'D8: with a full outbox nothing is planned, and what is under way still gets its row',
    },
  },
  {
    promise: 'I2: the record of an unknown outcome is held for evidence',
    file: 'store/ledger/attempt-steps.ts',
    is: "outcomeOf[state] === 'unknown' ? holdFor : seconds(0)",
    becomes: 'seconds(0)',
    foundBy: {
      file: 'store/courier.test.ts',
      test: 'a held record waits for its hour, and does not keep later ones',
    },
  },
  {
    promise: 'B.3: the courier waits as long as the service asks',
    file: 'store/outbox/rests.ts',
    is: 'retryAfter(problem) ?? this.#chance',
    becomes: 'this.#chance',
    foundBy: {
      file: 'store/courier.test.ts',
      test: 'B.4 9: while the service does not take records > a Retry-After of 90000 ms is obeyed within 1 s and 1 h',
    },
  },
  {
    promise: 'I2: a record like another one is not taken for it',
    file: 'store/outbox/arrivals.ts',
    is: 'return found > Math.max(alikeBefore, acceptedAlike.get(lookOf(record)) ?? 0);',
    becomes: 'return found > 0;',
    foundBy: {
      file: 'store/courier-return.test.ts',
      test: 'of two records that look alike in the service > the first one is no witness for the other, which is posted again (I2)',
    },
  },
  {
    promise: 'B.1: who waits for the disk waits for the log, too',
    file: 'store/ledger/group-commit.ts',
    is: '      await syncLog();\n',
    becomes: '',
    foundBy: {
      file: 'store/group-commit.test.ts',
      test: 'resolves when the log and then the anchor are on disk',
    },
  },
  {
    promise: 'T31: a row that was changed is seen',
    file: 'store/ledger/audit.ts',
    is: 'if (crcOfColumns(row) !== checksum) return',
    becomes: 'if (checksum === null) return',
    foundBy: {
      file: 'store/quarantine.test.ts',
      test: 'T31: an unknown outcome made harmless is seen at the next start',
    },
  },
  {
    promise: 'F12: without the engine only who is alone prints',
    file: 'fleet/claims.ts',
    is: "solitude.isAlone() && engine.state().is === 'away';\n    if (isAlone)",
    becomes: "engine.state().is === 'away';\n    if (isAlone)",
    foundBy: {
      file: 'fleet/told-claims.test.ts',
      test: 'F12: while the engine is away, who has others in the fleet is given no document',
    },
  },
  {
    promise: 'F6: who has lost the claim sends nothing',
    file: 'fleet/claims.ts',
    is: "      if (row === undefined) throw lost('another member has raised the claim');\n",
    becomes: '',
    foundBy: {
      file: 'fleet/told-claims.test.ts',
      test: 'F6: nothing may go out by a claim that another member has raised',
    },
  },
  {
    promise: 'I11: a repetition that came to nothing frees no document',
    file: 'fleet/claims.ts',
    is: "state === 'NOOUTPUT' ? before : state]",
    becomes: 'state]',
    foundBy: {
      file: 'fleet/told-claims.test.ts',
      test: 'I11: a repetition that came to nothing leaves standing what may have come out before it',
    },
  },
  {
    promise: 'I1: a claim in doubt is not given free',
    file: 'fleet/claims.ts',
    is: "known === undefined ? 'UNKNOWN' : endOf(known)",
    becomes: "known === undefined ? 'NOOUTPUT' : endOf(known)",
    foundBy: {
      file: 'fleet/told-claims.test.ts',
      test: 'I1: an open claim of a release that these books have lost is told as unknown, and is not given free',
    },
  },
  {
    promise: 'B.1: the engine hears of no end that is not durable',
    file: 'fleet/claims.ts',
    is: '    await books.durable();\n',
    becomes: '',
    foundBy: {
      file: 'fleet/told-claims.test.ts',
      test: 'I1: a claim that nobody has told the engine of is told when its end is on the disk',
    },
  },
  {
    promise: 'F6: what nothing proves is not acted on',
    file: 'fleet/fleet-sealing.ts',
    is: '      if (!isMac(proof.subarray(0, macBytes), claimParts(row, said))) return undefined;\n',
    becomes: '',
    foundBy: {
      file: 'fleet/fleet-sealing.test.ts',
      test: 'what a former key has proven is proven, and the first key alone proves',
    },
  },
  {
    promise: 'F11: a hold runs out from before the engine was asked',
    file: 'fleet/holds.ts',
    is: '    this.#heardAt = askedAt;',
    becomes: '    this.#heardAt = clock.monotonic();',
    foundBy: {
      file: 'fleet/holds.test.ts',
      test: 'F11: the four seconds of a hold count from before the engine was asked',
    },
  },
  {
    promise: 'F6: a will opens for its own document alone',
    file: 'fleet/fleet-sealing.ts',
    is: '`will of ${releaseId} for ${document}`',
    becomes: '`will of ${releaseId} for a document`',
    foundBy: {
      file: 'fleet/fleet-sealing.test.ts',
      test: 'what a gone member left does not open in the row of another document, and opens in its own (I1)',
    },
  },
  {
    promise: 'I1: what came to nothing hides no earlier print from the fleet',
    file: 'fleet/claims-told.ts',
    is: "      .filter(({ state }) => state !== 'NOOUTPUT')\n",
    becomes: '',
    foundBy: {
      file: 'fleet/telling.test.ts',
      test: 'I1: what came to nothing is not told in the place of a release that printed',
    },
  },
  {
    promise: 'B.4, 7: a raw printer that takes octets is at work, however slowly',
    file: 'printing/raw/socket-transfer.ts',
    is: 'await this.#transfer.connection.write(octets);\n    this.#movedAt = this.#time();',
    becomes: 'await this.#transfer.connection.write(octets);',
    foundBy: {
      file: 'printing/raw/slow-printer.test.ts',
      test: 'is not called stalled while it takes octets, though the whole takes much longer than stallSeconds',
    },
  },
  {
    promise: 'I1: what a raw printer was given an octet of is in doubt',
    file: 'printing/raw/socket-transfer.ts',
    is: 'connection.given() > givenBefore ? unknownEnd(cause) : nothingSent(cause)',
    becomes: 'nothingSent(cause)',
    foundBy: {
      file: 'printing/raw/slow-printer.test.ts',
      test: 'I1: one that breaks the connection once an octet was given to it leaves in doubt what came out',
    },
  },
  {
    promise: 'I12: the end of somebody else’s raw job confirms nothing',
    file: 'printing/raw/pjl-job.ts',
    is: 'message.name !== this.#name || this.#report',
    becomes: 'this.#report',
    foundBy: { file: 'printing/raw/pjl-job.test.ts', test: 'the end of a job of another name is not ours' },
  },
  {
    promise: 'I12: an end before the end confirms nothing',
    file: 'printing/raw/pjl-job.ts',
    is: '    if (!this.#isGiven) return false;\n',
    becomes: '',
    foundBy: {
      file: 'printing/raw/pjl-job.test.ts',
      test: 'an end that is told before all of the job was given does not confirm it',
    },
  },
  {
    promise: 'B.4, 7: a foreign job under our id is not ours',
    file: 'printing/ipp/job/job-looks.ts',
    is: "      if (record.marked.ownership(sight.shown) !== 'ours') return { kind: 'not-ours' };\n",
    becomes: '      record.marked.ownership(sight.shown);\n',
    foundBy: {
      file: 'printing/ipp/job-watch.test.ts',
      test: 'a job that is followed > has an unknown outcome when it is another one by now',
    },
  },
  {
    promise: 'T16: no program that lasts hides in the encrypted part of a font',
    file: 'printing/postscript/judgement.ts',
    is: '    if (!program.isKnown(this.#defined)) this.#doubts.isStrange = true;\n',
    becomes: '',
    foundBy: {
      file: 'printing/postscript.test.ts',
      test: 'what may do more is not told > a program in the encrypted part of a font',
    },
  },
  {
    promise: 'T09: a guesser has no more guesses by what is not seen in a name',
    file: 'domain/lock-out.ts',
    is: '\\p{Default_Ignorable_Code_Point}',
    becomes: '',
    foundBy: {
      file: 'domain/lock-out.test.ts',
      test: 'the lock-out (T09) > takes "al\ufe0fice" for alice',
    },
  },
  {
    promise: 'D9: every address of a printer’s name is vetted',
    file: 'printing/address-guard.ts',
    is: 'for (const { address } of addresses) {',
    becomes: 'for (const { address } of addresses.slice(0, 1)) {',
    foundBy: {
      file: 'printing/address-guard.test.ts',
      test: 'a name > leads nowhere when one of its addresses is 127.0.0.1',
    },
  },
  {
    promise: 'T13: another printer at the address gets no job',
    file: 'printing/ipp/wire/printer-identity.ts',
    is: '  if (suspects.length === 0) return;',
    becomes: '  if (suspects.length < 2) return;',
    foundBy: {
      file: 'printing/ipp/acquaintance.test.ts',
      test: 'the identity of a printer (T13) > another uuid alone',
    },
  },
  {
    promise: 'T12: a password is not sent in the clear',
    file: 'printing/ipp/wire/http-login.ts',
    is: "if (challenge.scheme === 'basic' && !this.#isPrivate) {",
    becomes: "if (challenge.scheme === 'basic' && !this.#isPrivate && !this.#credentials) {",
    foundBy: {
      file: 'printing/ipp/http-login.test.ts',
      test: 'a password is never sent in the clear to another machine (T12)',
    },
  },
  {
    promise: 'I1: a document that was refused as busy may have printed',
    file: 'printing/ipp/job/document-sender.ts',
    is: '    if (awaits === false && !hasEndedSo) throw doubtful(refusal);\n',
    becomes: '',
    foundBy: {
      file: 'printing/ipp/refused-document.test.ts',
      test: 'a document that is refused > as busy is not sent again to a job that has one: it may be printed (apple/cups#4073)',
    },
  },
  {
    promise: 'D7: what was changed in the spool is not printed',
    file: 'printing/spool/sealed-file.ts',
    is: '      decipher.final();\n',
    becomes: '',
    foundBy: {
      file: 'printing/spool/spool.test.ts',
      test: 'a document on the disk > never comes out whole when its file was damaged',
    },
  },
  {
    promise: 'B.4, 7: only our own job is ever cancelled',
    file: 'printing/ipp/job/job-sweep.ts',
    is: '|| !isNamedAs(shownName, jobName)) return []',
    becomes: ') return []',
    foundBy: {
      file: 'printing/ipp/job-creation.test.ts',
      test: 'a Create-Job whose answer is lost (B.1) > is not repeated, and the empty job it left is swept',
    },
  },
  {
    promise: 'I1: a request that was begun is not made again',
    file: 'printing/ipp/wire/http-post.ts',
    is: 'request.reusedSocket && !hasBegun && !signal.aborted',
    becomes: 'request.reusedSocket && !signal.aborted',
    foundBy: {
      file: 'printing/ipp/http-post.test.ts',
      test: 'connections > that stay open serve a job as well, and leave it in doubt when they break over it (I1)',
    },
  },
  {
    promise: 'I11: a page that was counted came out',
    file: 'printing/ipp/job/job-looks.ts',
    is: "const counted = state === 'completed' ? undefined : record.counted;",
    becomes: 'const counted = undefined as typeof record.counted;',
    foundBy: {
      file: 'printing/ipp/job-watch.test.ts',
      test: 'a job that is cancelled > keeps the pages that were counted, where the printer forgets them as it cancels it (I1, I11)',
    },
  },
  {
    promise: 'T16: no printer command passes the spool',
    file: 'printing/spool/spool-intake.ts',
    is: '    this.#guard.see(chunk);\n',
    becomes: '',
    foundBy: {
      file: 'printing/spool/spool-flow.test.ts',
      test: 'a document that is still coming in > and turns out to hold a printer command is broken off before the reader has the last of it',
    },
  },
  {
    promise: 'D6: a download leaves the document in the cloud',
    file: 'cloud/resources/document-content.ts',
    is: '{ uuid, retain: true, rest }',
    becomes: '{ uuid, retain: false, rest }',
    foundBy: {
      file: 'cloud/documents.test.ts',
      test: 'a download > leaves the document in the cloud, and gives its bytes (D6)',
    },
  },
  {
    promise: 'I3: another user’s documents are not listed',
    file: 'cloud/resources/document-list.ts',
    is: "    else if (!belongsTo(info, owner)) leave('other-user');\n",
    becomes: '',
    foundBy: { file: 'cloud/document-list.test.ts', test: 'an entry > is left out as other-user' },
  },
  {
    promise: 'B.3: Retry-After is obeyed',
    file: 'cloud/http/repeat.ts',
    is: 'if (retryAfter !== undefined) return retryAfter < deadlines.interactive ? retryAfter : undefined;',
    becomes: '',
    foundBy: {
      file: 'cloud/login.test.ts',
      test: 'a login by card > Retry-After is obeyed while it fits in the patience of a person, and ends the call where it does not',
    },
  },
  {
    promise: 'I9: an answer that is not clear prints nothing',
    file: 'cloud/resources/balance.ts',
    is: "  if (quote === undefined) {\n    throw new Problem('balance-unknown', 'the answer to the balance check is incomplete');\n  }\n  return quote;",
    becomes: '  return quote as Quote;',
    foundBy: {
      file: 'cloud/balance.test.ts',
      test: 'the balance check > answered by a yes without numbers is no clear answer (row 35; B.4, 4; I9)',
    },
  },
  {
    promise: 'I9: a one-time password is shown to the service once',
    file: 'cloud/resources/login.ts',
    is: "const isSpentByLogin = ({ kind }: Credentials): boolean => kind === 'password';",
    becomes: "const isSpentByLogin = ({ kind }: Credentials): boolean => kind === 'email';",
    foundBy: {
      file: 'cloud/login.test.ts',
      test: 'a login by other means > is asked for once where a one-time password may be spent, however the answer was lost (I9)',
    },
  },
  {
    promise: 'B.3: a 401 to a person ends the session',
    file: 'cloud/http/classify.ts',
    is: "  user: 'user-token-refused',",
    becomes: "  user: 'cloud-denied',",
    foundBy: {
      file: 'cloud/classify.test.ts',
      test: 'a status > 401 to a call by the user is user-token-refused (B.3)',
    },
  },
  {
    promise: 'I1: a delivery that was answered 5xx may have been made',
    file: 'cloud/resources/document-delivery.ts',
    is: 'const isDefinite = status !== undefined && status >= 400 && status < 500;',
    becomes: 'const isDefinite = status !== undefined && status >= 400;',
    foundBy: {
      file: 'cloud/document-delivery.test.ts',
      test: 'a delivery > answered by 500 may have been made, and is not asked for again (I1)',
    },
  },
  {
    promise: 'T25: a user’s token goes to the server that it is of',
    file: 'cloud/fail-over.ts',
    is: 'return this.#homes.get(value) ?? this.#all[0];',
    becomes: 'return this.#all[0];',
    foundBy: {
      file: 'cloud/fail-over.test.ts',
      test: 'with two servers > a user stays with the server that knows the token',
    },
  },
  {
    promise: 'I3: a passer-by and a desk are told what is said of nobody',
    file: 'kiosk/server/frames.ts',
    is: '  const { notice: _notice, ...rest } = view;\n  const notice = publicNotice(view);',
    becomes: '  const { notice, ...rest } = view;',
    foundBy: {
      file: 'kiosk/frames.test.ts',
      test: 'a notice of one person is not in the frame of a passer-by',
    },
  },
  {
    promise: 'T03: a cookie without a pass speaks for nobody',
    file: 'kiosk/server/passes.ts',
    is: 'valuesIn(cookies).some((pass) => isSame(markOf(pass), mark))',
    becomes: 'valuesIn(cookies).length > 0',
    foundBy: {
      file: 'kiosk/launch.test.ts',
      test: 'the cookie > is needed for every command, whatever it says',
    },
  },
  {
    promise: 'D2: a picture is of the generation that is shown',
    file: 'kiosk/server/terminal-routes.ts',
    is: 'const isNow = query.generation === String(terminal.view.current().generation);',
    becomes: 'const isNow = query.generation !== undefined;',
    foundBy: {
      file: 'kiosk/pictures.test.ts',
      test: 'is not there for another generation, under another name, or any more (D2, I3)',
    },
  },
  {
    promise: 'I3: no list is shown to the next person',
    file: 'kiosk/server/frames.ts',
    is: 'export const privateFields = (view: TerminalView): PrivateFields =>\n  through<PrivateFields>(view, forThePerson);',
    becomes:
      "let last: TerminalView['documents'];\nexport const privateFields = (view: TerminalView): PrivateFields => {\n  last = view.documents ?? last;\n  return through<PrivateFields>({ ...view, ...(last && { documents: last }) }, forThePerson);\n};",
    foundBy: { file: 'kiosk/frames.test.ts', test: 'a frame has nothing of what was shown before it (I3)' },
  },
  {
    promise: 'I3: a desk is told nothing private, whatever cookie it has',
    file: 'kiosk/server/kiosk-server.ts',
    is: "if (isView(query)) return 'desk';\n  ",
    becomes: "if (isView(query) && !isLaunched) return 'desk';\n  ",
    foundBy: {
      file: 'kiosk/desk-view.test.ts',
      test: 'the view from a desk > is that also with the cookie of the launched page, asked for as ?view',
    },
  },
  {
    promise: 'D2: a page that was left behind is not obeyed',
    file: 'kiosk/server/terminal-routes.ts',
    is: 'if (!seat || !isShown(seat, request) || !obey(',
    becomes: 'if (!seat || !obey(',
    foundBy: {
      file: 'kiosk/moved.test.ts',
      test: 'a command that comes in while another page takes over does not count (D2)',
    },
  },
  {
    promise: 'D2: a choice of an older view does nothing',
    file: 'terminal/list.ts',
    is: 'picked.generation === context.generation\n    ?',
    becomes: 'picked.generation <= context.generation\n    ?',
    foundBy: {
      file: 'terminal/deletion.test.ts',
      test: 'a document that is deleted at the terminal > has to be in the list that is shown (D2, I3)',
    },
  },
  {
    promise: 'I1: a word that was said to another view repeats nothing',
    file: 'terminal/list.ts',
    is: '  if (said.generation !== generation) return undefined;\n',
    becomes: '',
    foundBy: {
      file: 'terminal/again.test.ts',
      test: 'a document that may have been printed > is not for the next person: print-again (I3)',
    },
  },
  {
    promise: 'I3: another person’s badge ends the session',
    file: 'terminal/session.ts',
    is: "    WALKED_AWAY: timesOut,\n    card: [{ ...leaves, guard: 'isSameCard' }, nextPerson],",
    becomes: "    WALKED_AWAY: timesOut,\n    card: [{ ...leaves, guard: 'isSameCard' }],",
    foundBy: {
      file: 'terminal/terminal.test.ts',
      test: 'a badge > of another person ends the session and opens theirs, without stopping a release (I3)',
    },
  },
  {
    promise: 'I3: what was said to a person ends with the session',
    file: 'terminal/setup.ts',
    is: "notice: reason === 'logout' || reason === 'timeout' ? undefined : context.notice",
    becomes: 'notice: context.notice',
    foundBy: {
      file: 'terminal/leftovers.test.ts',
      test: 'a sentence > that says who is signed in does not outlive the session',
    },
  },
  {
    promise: 'I3: nobody sees how far another person’s document is',
    file: 'terminal/desk-listener.ts',
    is: '    if (sessionId !== open) return;\n',
    becomes: '',
    foundBy: {
      file: 'terminal/desk-listener.test.ts',
      test: 'a stage of a document of the person before is told to nobody, and one of the person in front is',
    },
  },
  {
    promise: 'T09: who is locked out is not asked about at the service',
    file: 'terminal/admission.ts',
    is: '    if (trial.lockedBy) {',
    becomes: "    if (trial.lockedBy === 'terminal') {",
    foundBy: {
      file: 'terminal/login.test.ts',
      test: 'who is locked out (T09) > is told the same after the same time as by the service, and the service is not asked',
    },
  },
  {
    promise: 'I5: no PIN is in the log',
    file: 'terminal/admission.ts',
    is: "logFailure(log, 'login failed', problem, { way, ...locked });",
    becomes:
      "logFailure(log, 'login failed', problem, { way, ...locked, pin: credentials.kind === 'card' ? credentials.password?.reveal() : undefined });",
    foundBy: {
      file: 'terminal/login.test.ts',
      test: 'a badge with a PIN > leaves neither its number nor its PIN in the log when it is refused (I5)',
    },
  },
  {
    promise: 'I8: no session is longer than ten minutes',
    file: 'terminal/machine.ts',
    is: "    TOO_LONG: { target: '.leaving', actions: endBy('timeout') },",
    becomes: '',
    foundBy: {
      file: 'terminal/session-countdown.test.ts',
      test: 'in choosing the countdown to the end > does not keep anybody longer than ten minutes from the opening',
    },
  },
  {
    promise: 'D3: what was typed is wiped',
    file: 'terminal/admission.ts',
    is: '      wipe(credentials);\n',
    becomes: '',
    foundBy: {
      file: 'terminal/login.test.ts',
      test: 'typed words instead of a badge > leave nothing of their secret behind',
    },
  },
  {
    promise: 'I1: nothing is confirmed or deleted that is being printed',
    file: 'terminal/documents.ts',
    is: "    if (last === undefined || standing(document.uuid) !== 'may-have-printed') return;\n",
    becomes: '    if (last === undefined) return;\n',
    foundBy: {
      file: 'terminal/again.test.ts',
      test: 'a document that may have been printed > that another terminal is printing once more by now is left alone',
    },
  },
  {
    promise: 'I2: a document that is being released is not deleted',
    file: 'terminal/documents.ts',
    is: "    if (standing(uuid) !== 'releasable') throw",
    becomes: "    if (standing(uuid) === 'set-aside') throw",
    foundBy: {
      file: 'terminal/deletion.test.ts',
      test: 'a document that is deleted at the terminal > stays where another terminal has it by now, and where it may have been printed',
    },
  },
];
