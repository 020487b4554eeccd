/**
 * What a member tells the engine of its claims, and what it makes of the answers: no end is told that a power cut may
 * still take back (B.1), and none that lets a document out a second time (I1).
 */
import { expect, it } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { seconds } from '../../src/core/duration.ts';
import type { Claim, Claims, ClaimWish, KnownRelease } from '../../src/domain/ports/claims.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import * as sql from '../../src/fleet/claim-statements.ts';
import { FleetClaims } from '../../src/fleet/claims.ts';
import type { Engine, EngineFacts } from '../../src/fleet/engine/engine.ts';
import type { Row } from '../../src/fleet/engine/line.ts';
import { createFleetSealing } from '../../src/fleet/fleet-sealing.ts';
import { fleetKey } from '../support/fleet/fleet-engine.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

const documentUuid = systemChance.uuid();
const nobody = () => Promise.reject(new Error('nobody is asked'));

const facts: EngineFacts = {
  place: 'db:5432',
  roundTrip: seconds(0),
  clockAhead: seconds(0),
  fleet: { id: systemChance.uuid(), level: 1, minimum: 1 },
  settings: {
    versionNumber: 150_018,
    version: '15.18',
    isReplica: false,
    readOnly: 'off',
    fsync: 'on',
    now: 0,
    fullPageWrites: 'on',
    synchronousCommit: 'on',
    synchronousStandbys: '',
    statementTimeout: '2500ms',
  },
};

const nothingOut = {
  state: 'NOOUTPUT',
  number: 1,
  owesHistory: false,
  deletionOwed: false,
  leftHistory: false,
} as const;

interface Laid {
  /** What our books know of the release; that it ended with nothing unless said. */
  readonly known?: KnownRelease | undefined;
  readonly answers?: Readonly<Record<string, readonly Row[]>>;
  readonly isAway?: boolean;
}

/** It has one open claim of ours, whose release has ended in our books. */
function stage({ answers = {}, isAway = false, ...laid }: Laid = {}) {
  const known = 'known' in laid ? laid.known : nothingOut;
  const asked: string[] = [];
  const ends: (readonly unknown[])[] = [];
  const disk = Promise.withResolvers<void>();
  const open = { document: documentUuid, releaseId: 'r1', version: 1, isTakenOver: false };
  const nothing = { [Symbol.dispose]() {} };
  const engine: Engine = {
    async ask({ name }, values) {
      if (isAway) throw new Problem('fleet-engine-away', 'away', { delivery: 'not-sent' });
      asked.push(name);
      if (name === sql.endClaim.name) ends.push(values);
      return answers[name] ?? (name === sql.openClaims.name ? [open] : []);
    },
    state: () =>
      isAway
        ? { is: 'away', since: 0, problem: new Problem('fleet-engine-away', 'away') }
        : { is: 'up', since: 0, facts },
    refusal: () => undefined,
    onState: () => nothing,
    onNotice: () => nothing,
    beaten() {},
    enterAgain() {},
    follow() {},
    service: { name: 'engine', run: nobody },
    async [Symbol.asyncDispose]() {},
  };
  const alone: Claims = {
    take: async ({ documentUuid: uuid, releaseId }) => ({
      documentUuid: uuid,
      releaseId,
      number: 0,
      version: 0,
    }),
    sending: nobody,
    isOurs: nobody,
    elsewhere: nobody,
    ended() {},
    found() {},
  };
  const clock = createSteeredClock();
  const claims = new FleetClaims({
    engine,
    alone,
    member: systemChance.uuid(),
    onLeft() {},
    books: { highest: () => 1, all: () => [], every: () => [], of: () => known, durable: () => disk.promise },
    recollection: { saw() {}, highest: () => 1, isAwaiting: () => false, tell: async () => {} },
    solitude: { isAlone: () => false, end() {}, moved() {}, wentAlone() {}, settle: async () => {} },
    sealing: createFleetSealing({ key: fleetKey, chance: systemChance }),
    clock,
    log: recordLog().log,
  });
  return { claims, asked, ends, disk, clock };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

it('I1: a claim that nobody has told the engine of is told when its end is on the disk', async () => {
  const { claims, asked, disk } = stage();
  const stop = new AbortController();
  const running = claims.service.run(stop.signal);
  await settled();
  expect(asked).toEqual([sql.openClaims.name]);
  disk.resolve();
  await settled();
  expect(asked.slice(0, 2)).toEqual([sql.openClaims.name, sql.endClaim.name]);
  stop.abort();
  await running;
});

/** As the engine hears of the end: what the document is from then on, and where it has forgotten what was before. */
async function reportedEnds(known: KnownRelease | undefined): Promise<readonly unknown[]> {
  const { claims, ends, disk } = stage({ known });
  disk.resolve();
  const stop = new AbortController();
  const running = claims.service.run(stop.signal);
  await settled();
  stop.abort();
  await running;
  const [, , , , state, , , before] = ends[0] ?? [];
  return [state, before];
}

it('I1: an open claim of a release that these books have lost is told as unknown, and is not given free', async () => {
  expect(await reportedEnds(undefined)).toEqual(['unknown', 'unknown']);
});

it('I11: a repetition that came to nothing leaves standing what may have come out before it', async () => {
  expect(await reportedEnds({ ...nothingOut, before: 'PARTIAL' })).toEqual(['free', 'unknown']);
  expect(await reportedEnds(nothingOut)).toEqual(['free', 'free']);
});

const claim: Claim = { documentUuid, releaseId: 'r1', number: 7, version: 1 };
const { signal } = new AbortController();

it('F6: nothing may go out by a claim that another member has raised', async () => {
  const raised = stage({ answers: { [sql.announceSending.name]: [] } });
  await expect(raised.claims.sending(claim, undefined, { signal })).rejects.toMatchObject({
    code: 'claim-lost',
    delivery: 'not-sent',
  });
  const held = stage({ answers: { [sql.announceSending.name]: [{ version: 1 }] } });
  await expect(held.claims.sending(claim, undefined, { signal })).resolves.toBeUndefined();
});

it('F12: while the engine is away, who has others in the fleet is given no document', async () => {
  const { claims, clock } = stage({ isAway: true });
  const wish = {
    ...claim,
    terminal: 'lobby',
    place: 'Entrance',
    finish: 'delete',
    will,
  } as const satisfies ClaimWish;
  const taken = claims.take(wish, { signal }).catch((error: unknown) => error);
  await clock.advance(seconds(11));
  expect(await taken).toMatchObject({ code: 'fleet-engine-away' });
});

const will: ClaimWish['will'] = {
  documentUuid,
  serialNumber: 'SN-0001',
  jobName: 'Plan.pdf [00000001]',
  inOneStep: false,
  printerUri: 'ipp://printer/ipp/print',
  documentPages: 2,
  history: {
    jobType: 'PRINT',
    userName: 'alice',
    providerId: 1,
    title: 'Plan.pdf',
    serialNumber: 'SN-0001',
    dateTime: '2026-11-21T12:00:00+00:00',
  },
};
