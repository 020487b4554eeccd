/**
 * What the machine of an ordinary release costs by itself: everything around it answers at once and keeps nothing. Beside
 * it a plain loop that takes the same steps, one after the other.
 */
import { Readable } from 'node:stream';
import { hours } from '../../src/core/duration.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { Claim } from '../../src/domain/ports/claims.ts';
import type { JobPlan, JobPrinter, PrinterJob, SpooledDocument } from '../../src/domain/ports/printing.ts';
import type { JobReport } from '../../src/domain/release.ts';
import { commit } from '../../src/release/committing.ts';
import type { ReleasePlace, ReleaseDeps } from '../../src/release/context.ts';
import { contextOf, knownIn } from '../../src/release/context.ts';
import { getReady } from '../../src/release/getting-ready.ts';
import type { Step } from '../../src/release/step.ts';
import { finish, recordEnd } from '../../src/release/ending.ts';
import { follow, sendOut } from '../../src/release/sending.ts';
import { Telling } from '../../src/release/telling.ts';
import { Release } from '../../src/release/release.ts';
import { recordLog } from '../support/recorded-log.ts';
import { sampleTicket } from '../support/sample-ticket.ts';
import type { Measurement } from './figures.ts';
import { inMicroseconds, percentile, ratio } from './figures.ts';

const warmUp = 2000;
const rounds = 31;
/** So few that their garbage fits the young generation: no collection falls between two looks. */
const ofOneLook = 10;
const ofOneRound = 200;

const ticket = sampleTicket();
const job: PrinterJob = { jobId: 17, jobUri: 'ipp://printer/jobs/17', jobName: 'Report.pdf [7f3a9c21]' };
const plan: JobPlan = { jobName: job.jobName, format: 'application/pdf' };
const report: JobReport = { state: 'completed', reasons: [], impressionsCompleted: 1 };
const claim: Claim = {
  documentUuid: ticket.document.uuid,
  releaseId: ticket.releaseId,
  number: 0,
  version: 0,
};
const bytes = Readable.from([]);
const document: SpooledDocument = {
  length: 3,
  digest: () => 'd',
  whole: async () => {},
  format: 'application/pdf',
  holds: () => false,
  read: () => bytes,
  [Symbol.dispose]: () => {},
};

const printer: Partial<JobPrinter> = {
  kind: 'jobs',
  uri: 'ipp://printer/ipp/print',
  confirms: 'device',
  prepare: async () => plan,
  createJob: async () => job,
  send: async () => {},
  marked: (known) => known,
  follow: async () => report,
};

const nothing = () => {};
const world = {
  printer: () => printer,
  spool: { receive: async () => document },
  documents: { requireReady: async () => {}, remove: async () => {} },
  balance: { check: async () => 'not-charged' },
  ledger: {
    plan: nothing,
    fetched: nothing,
    intend: nothing,
    jobCreated: nothing,
    sent: nothing,
    end: nothing,
    deleted: nothing,
    durable: async () => {},
  },
  claims: { take: async () => claim, sending: async () => {}, ended: nothing },
  place: () => 'Entrance',
  clock: systemClock,
  serviceTime: { at: () => undefined },
  portKey: () => ({ serialNumber: 'SN-0001' }),
  delivery: 'local',
  finish: 'delete',
  requireConfirmation: false,
  unknownHold: hours(24),
  cutThrough: 'auto',
  onStage: nothing,
} as object as ReleaseDeps;

const place: ReleasePlace = {
  terminal: 'lobby',
  world,
  log: recordLog().log,
  turn: { come: async () => {}, [Symbol.dispose]: nothing },
  refusal: () => undefined,
  isAlone: () => true,
  lastOutputAt: () => 0,
};

const inOrder: readonly Step[] = [getReady, commit, sendOut, follow, recordEnd, finish];

export async function measureReleaseMachine(): Promise<Measurement> {
  const machine = await costOf(byTheMachine);
  const plain = await costOf(byAPlainLoop);
  const inKilobytes = (octets: number): string => `${Math.round(octets / 1024)} KB`;
  const row = (name: string, { time, garbage }: Cost) => [
    name,
    inMicroseconds(time),
    ratio(time, plain.time),
    inKilobytes(garbage),
  ];
  return {
    title: 'The machine of a release by itself',
    how: `Processor time and garbage of one ordinary release, p50 of ${rounds} rounds. Everything around it answers at once.`,
    rows: [
      ['', 'processor time', 'to the loop', 'garbage'],
      row('a plain loop of the same steps', plain),
      row('the machine', machine),
    ],
    goals: [
      { what: 'garbage of a release', figure: machine.garbage / 1024, limit: 100, unit: 'KB' },
      { what: 'processor time, to the plain loop', figure: machine.time / plain.time, limit: 2.5, unit: '×' },
    ],
  };
}

interface Cost {
  /** Milliseconds of the processor. */
  readonly time: number;
  /** Octets. */
  readonly garbage: number;
}

async function costOf(release: () => Promise<void>): Promise<Cost> {
  for (let count = 0; count < warmUp; count += 1) await release();
  const times: number[] = [];
  const garbage: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage();
    for (let count = 0; count < ofOneRound; count += 1) await release();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000 / ofOneRound);
    garbage.push(await garbageOf(release));
  }
  return { time: percentile(times, 0.5), garbage: percentile(garbage, 0.5) };
}

/** A look between which and the next one the heap was collected is taken anew. */
async function garbageOf(release: () => Promise<void>): Promise<number> {
  for (;;) {
    const before = process.memoryUsage().heapUsed;
    for (let count = 0; count < ofOneLook; count += 1) await release();
    const grown = process.memoryUsage().heapUsed - before;
    if (grown > 0) return grown / ofOneLook;
  }
}

function byTheMachine(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const release = new Release({ kind: 'new', ticket }, place, ({ type }) => {
    if (type === 'done') resolve();
  });
  release.start();
  return promise;
}

/** The same steps, one after the other, and nothing that decides, tells or could stop. */
async function byAPlainLoop(): Promise<void> {
  const { signal } = new AbortController();
  const telling = new Telling(systemClock, ticket.document, nothing);
  let known = knownIn(contextOf({ ...place, wish: { kind: 'new', ticket }, telling }, nothing));
  for (const step of inOrder) {
    const learned = await step(known, signal);
    known = { ...known, ...learned };
  }
  known.document?.[Symbol.dispose]();
}
