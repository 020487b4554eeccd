/**
 * Two whole terminals, desks included, before one printer and one service that keep records of what really happened;
 * how long each call takes and what goes wrong follows from a seed. For judging from outside (INVARIANTS.md, "Invariants").
 */
import { Readable } from 'node:stream';
import { systemChance } from '../../src/core/chance.ts';
import { hours, milliseconds } from '../../src/core/duration.ts';
import { Secret } from '../../src/core/secret.ts';
import type { Document } from '../../src/domain/document.ts';
import type { Ledger } from '../../src/domain/ports/ledger.ts';
import type { JobPrinter, SpooledDocument } from '../../src/domain/ports/printing.ts';
import type { Documents } from '../../src/domain/ports/service.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { LastRelease, Ticket } from '../../src/domain/release.ts';
import { outcomeOf } from '../../src/domain/release.ts';
import type { TerminalView } from '../../src/domain/terminal/terminal-view.ts';
import type { UserToken } from '../../src/domain/user.ts';
import { createPrinterTurns } from '../../src/release/turns.ts';
import { createEmbeddedClaims } from '../../src/release/claiming.ts';
import { createReleaseDesk } from '../../src/release/desk.ts';
import { OnTheWay } from '../../src/release/on-the-way.ts';
import { createTerminal } from '../../src/terminal/runner.ts';
import { recordLog } from '../support/recorded-log.ts';
import { sampleDocument } from '../support/sample-ticket.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { alice } from '../support/terminal/terminal-stage.ts';
import { cardsOnly, loginWorld } from '../support/terminal/login-world.ts';

export type Owner = 'alice' | 'bob';
export const ownerOf = (uuid: string): string => uuid.split('-')[0] ?? '';

export function sharePrinter(options: { seed: number; documents: Record<Owner, number> }) {
  const clock = createSteeredClock();
  const log = recordLog();
  const draw = drawFrom(options.seed);
  const ready = new Map<string, Document>();
  for (const [owner, count] of Object.entries(options.documents)) {
    for (let n = 1; n <= count; n += 1) ready.set(`${owner}-${n}`, sampleDocument({ uuid: `${owner}-${n}` }));
  }

  /** What came out, in order; `whole`: the printer said so. */
  const outputs: { readonly uuid: string; readonly sessionId: string; whole: boolean }[] = [];
  const removed: string[] = [];
  /** What nobody may do, a sentence each. */
  const complaints: string[] = [];
  const frames: { readonly terminal: string; readonly view: TerminalView }[] = [];
  const spooled = { stored: 0, forgotten: 0 };

  /** A call takes its time, and now and then it fails. */
  async function call(signal: AbortSignal, failure?: { oneIn: number; problem: () => Problem }) {
    await clock.sleep(milliseconds(draw(400)), { signal });
    if (failure && draw(failure.oneIn) === 0) throw failure.problem();
  }
  const mine = (token: UserToken, uuid: string) => {
    const user = token.value.reveal();
    if (user !== ownerOf(uuid)) complaints.push(`the token of ${user} was used for ${uuid}`);
  };

  const documents: Documents = {
    ready: async (token, { signal }) => {
      await call(signal);
      const owned = [...ready.values()].filter(({ uuid }) => ownerOf(uuid) === token.value.reveal());
      return { documents: owned, mayBeMore: false, underOtherName: 0 };
    },
    requireReady: async (uuid, token, { signal }) => {
      mine(token, uuid);
      await call(signal);
      if (!ready.has(uuid)) throw new Problem('document-not-waiting', 'no longer READY');
    },
    download: async (uuid, token, { signal }) => {
      mine(token, uuid);
      await call(signal, { oneIn: 15, problem: () => new Problem('document-gone', 'gone') });
      return { length: 3, bytes: Readable.from(['pdf']) };
    },
    remove: async (uuid, token, { signal }) => {
      mine(token, uuid);
      await call(signal);
      ready.delete(uuid);
      removed.push(uuid);
    },
    consume: notAsked,
    deliver: notAsked,
    statusOf: notAsked,
  };

  function spool(): SpooledDocument {
    spooled.stored += 1;
    let isForgotten = false;
    return {
      length: 3,
      digest: () => 'd',
      whole: async () => undefined,
      format: 'application/pdf',
      holds: () => false,
      read: () => Readable.from(['pdf']),
      [Symbol.dispose]() {
        if (!isForgotten) spooled.forgotten += 1;
        isForgotten = true;
      },
    };
  }

  let atPrinter: string | undefined;
  const tickets = new Map<string, Ticket>();
  const printer: JobPrinter = {
    kind: 'jobs',
    uri: 'ipp://printer/ipp/print',
    confirms: 'device',
    describe: notAsked,
    async prepare(ticket, _document, { signal }) {
      if (atPrinter !== undefined) complaints.push('a release came to the printer before another had ended');
      const jobName = ticket.releaseId;
      tickets.set(jobName, ticket);
      await call(signal, { oneIn: 25, problem: () => new Problem('printer-not-ready', 'out of paper') });
      return { jobName, format: 'application/pdf' };
    },
    async createJob({ jobName }, { signal }) {
      if (atPrinter !== undefined) complaints.push('two jobs at once');
      atPrinter = jobName;
      await call(signal);
      return { jobId: tickets.size, jobUri: `ipp://printer/jobs/${tickets.size}`, jobName };
    },
    sweep: notAsked,
    print: notAsked,
    find: notAsked,
    marked: (job) => job,
    async send({ jobName }, _plan, _document, { signal }) {
      await call(signal);
      const ticket = tickets.get(jobName);
      if (!ticket) throw new Error('a job that was never prepared');
      outputs.push({ uuid: ticket.document.uuid, sessionId: ticket.sessionId, whole: false });
    },
    async follow(_job, { signal }) {
      const output = outputs.at(-1);
      await call(signal, { oneIn: 12, problem: () => new Problem('outcome-unknown', 'it forgot the job') });
      if (output) output.whole = true;
      return { state: 'completed', reasons: [], impressionsCompleted: 1, sheetsCompleted: 1 };
    },
    cancel: async () => undefined,
  };

  const last = new Map<string, LastRelease>();
  const uuids = new Map<string, string>();
  const ledger: Partial<Ledger> = {
    plan: ({ ticket }) => void uuids.set(ticket.releaseId, ticket.document.uuid),
    fetched: () => {},
    intend: () => {},
    jobCreated: () => {},
    sent: () => {},
    end(releaseId, { state, deletionOwed }) {
      if (atPrinter === releaseId) atPrinter = undefined;
      if (outcomeOf[state] !== 'failed') {
        last.set(uuids.get(releaseId) ?? '', { releaseId, state, deletionOwed });
      }
    },
    deleted: (releaseId) => {
      const found = last.get(uuids.get(releaseId) ?? '');
      if (found) last.set(uuids.get(releaseId) ?? '', { ...found, deletionOwed: false });
    },
    lastRelease: (uuid) => last.get(uuid),
    // A disk that is busy, too.
    durable: () => clock.sleep(milliseconds(draw(40)), { signal: new AbortController().signal }),
  };

  const turns = createPrinterTurns();
  const onTheWay = new OnTheWay();
  const claims = createEmbeddedClaims({ ledger: ledger as Ledger });
  const stations = ['lobby', 'stairs'].map((id) => {
    const desk = createReleaseDesk({
      terminal: id,
      world: {
        printer: () => printer,
        spool: {
          store: async () => spool(),
          receive: async (source, given) => (await source.begin(given), spool()),
          hasRoom: () => true,
        },
        converter: { convert: notAsked, examine: notAsked },
        cutThrough: 'off',
        documents,
        balance: {
          check: async (_wanted, { signal }) => (await call(signal), 'not-charged'),
          quote: async () => undefined,
          own: async () => undefined,
        },
        ledger: ledger as Ledger,
        claims,
        place: () => id,
        clock,
        portKey: () => ({ serialNumber: 'SN-0001' }),
        delivery: 'local',
        finish: 'delete',
        requireConfirmation: false,
        unknownHold: hours(24),
        serviceTime: { at: () => undefined },
        onStage: () => {},
      },
      onTheWay,
      turns,
      setAside: new Map(),
      chance: systemChance,
      log: log.log,
      onEvent: () => {},
    });
    const terminal = createTerminal({
      ...loginWorld(),
      id,
      logins: {
        login: async (credentials, { signal }) => {
          await call(signal);
          const userName = credentials.kind === 'card' && credentials.card.equals(alice) ? 'alice' : 'bob';
          return {
            user: { id: userName.length, providerId: 3, userName, fullName: userName },
            token: { value: new Secret(userName), expiresAt: hours(10) },
          };
        },
      },
      documents,
      desk,
      clock,
      finish: 'delete',
      balance: { quote: async () => undefined, own: async () => undefined },
      ledger: ledger as Ledger,
      releases: { find: () => undefined },
      settings: () => ({
        autoRelease: id === 'stairs',
        logoutTimeout: milliseconds(5000),
        login: cardsOnly,
        canBeAsked: options.seed % 2 === 0,
        preview: false,
        askAbovePages: 50,
        account: 'off',
      }),
      chance: systemChance,
      log: log.log,
      onStage: () => {},
      onSignal: () => {},
      settle: async () => {},
    });
    terminal.view.onChange(() => frames.push({ terminal: id, view: terminal.view.current() }));
    return { desk, terminal };
  });

  return { clock, stations, outputs, removed, complaints, frames, spooled, ready };
}

const notAsked = () => Promise.reject(new Error('not asked here'));

/** Whole numbers below the limit, the same ones for the same seed (Park and Miller). */
function drawFrom(seed: number): (below: number) => number {
  let state = (seed % 2_147_483_646) + 1;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}
