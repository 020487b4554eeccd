/** A release desk whose printer, spool, cloud and ledger do what a test laid out and write down what was asked. */
import { Readable } from 'node:stream';
import { systemChance } from '../../src/core/chance.ts';
import { hours, seconds } from '../../src/core/duration.ts';
import type { Clearance } from '../../src/domain/balance.ts';
import type { CallOptions } from '../../src/domain/ports/call.ts';
import type { Claims } from '../../src/domain/ports/claims.ts';
import type { Ledger } from '../../src/domain/ports/ledger.ts';
import type {
  BytePrinter,
  Conversion,
  FollowOptions,
  JobPlan,
  JobPrinter,
  PrinterJob,
  SpooledDocument,
} from '../../src/domain/ports/printing.ts';
import type { DocumentStatus } from '../../src/domain/document.ts';
import type { ProblemOptions } from '../../src/domain/problem/problem.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import type { ProblemCode } from '../../src/domain/problem/problem-kinds.ts';
import type { JobReport, LastRelease, Ticket } from '../../src/domain/release.ts';
import type { DocumentProgress } from '../../src/domain/terminal/terminal-view.ts';
import type { WayAside } from '../../src/release/standing.ts';
import type { ReleaseDeps } from '../../src/release/context.ts';
import type { ReleaseEnded, ReleaseEvent } from '../../src/release/events.ts';
import type { PrinterTurns } from '../../src/release/turns.ts';
import { createPrinterTurns } from '../../src/release/turns.ts';
import { createEmbeddedClaims } from '../../src/release/claiming.ts';
import { createReleaseDesk } from '../../src/release/desk.ts';
import { OnTheWay } from '../../src/release/on-the-way.ts';
import { recordLog } from '../support/recorded-log.ts';
import { sampleTicket } from '../support/sample-ticket.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

export const job: PrinterJob = {
  jobId: 17,
  jobUri: 'ipp://printer/jobs/17',
  jobName: 'Report.pdf [00000001]',
};
const usualPlan: JobPlan = { jobName: 'Report.pdf [00000001]', format: 'application/pdf' };
export const completed: JobReport = {
  state: 'completed',
  reasons: [],
  impressionsCompleted: 1,
  sheetsCompleted: 1,
};

/** It proves that nothing came out. */
export const blank: JobReport = {
  state: 'canceled',
  reasons: [],
  impressionsCompleted: 0,
  sheetsCompleted: 0,
  isProvenCounter: true,
};

export type Step =
  | 'balance'
  | 'deliver'
  | 'status'
  | 'download'
  | 'prepare'
  | 'convert'
  | 'createJob'
  | 'sweep'
  | 'find'
  | 'send'
  | 'print'
  | 'follow'
  | 'cancel'
  | 'delete'
  | 'consume';
export type LedgerStep =
  | 'plan'
  | 'intendByService'
  | 'refusedByService'
  | 'fetched'
  | 'intend'
  | 'jobCreated'
  | 'sent'
  | 'end'
  | 'confirmedByPerson'
  | 'deleted'
  | 'inherit'
  | 'sync';
/** `gone`: the document is in no list of the service. Unless said, every step works and the service printed. */
type Answer = Error | JobReport | Promise<JobReport> | DocumentStatus | 'gone' | 'never' | undefined;
export type Answers = Partial<Record<Step, Answer | Answer[]>>;

/** After these the document is out, or is gone. */
const outward: ReadonlySet<Step> = new Set(['send', 'print', 'deliver', 'delete', 'consume']);

export const fault = (code: ProblemCode, options?: ProblemOptions) => new Problem(code, code, options);
/** Nobody knows whether the request did something. */
export const lost = { delivery: 'perhaps' } as const;

export const ticketFor = (uuid: string, number = 1): Ticket =>
  sampleTicket({ uuid }, { releaseId: String(number).padStart(8, '0').padEnd(32, '0') });

/** How often it was done. */
export const timesOf = (deeds: readonly string[], deed: string): number =>
  deeds.filter((one) => one === deed).length;

export const uuidsOf = (documents: readonly { readonly documentUuid: string }[]): readonly string[] =>
  documents.map(({ documentUuid }) => documentUuid);

export const bytePrinterUri = 'socket://printer:9100';

export type DocumentSetAside = readonly [uuid: string, how: WayAside];

interface Settings
  extends Partial<Pick<ReleaseDeps, 'delivery' | 'finish' | 'requireConfirmation' | 'cutThrough'>> {
  /** The step in which the last byte of a document comes that may flow; before any of them unless said. */
  readonly wholeIn?: 'prepare' | 'send';
  /** Rejects when the document stops coming in; it is whole unless said. */
  readonly whole?: Promise<void>;
  /** `jobs` unless said. */
  readonly printer?: 'jobs' | 'bytes';
  /** It makes a job of the document itself, and of nothing before it. */
  readonly inOneStep?: true;
  /** What the printer wants the document to go through. */
  readonly conversion?: Conversion;
  /** Where further terminals wait for the same printer. */
  readonly turns?: PrinterTurns;
  readonly terminal?: string;
  /** Documents that were in hand at crashes. */
  readonly setAside?: Iterable<DocumentSetAside>;
  /** While the ledger writes. */
  readonly whenWriting?: (step: LedgerStep) => void;
  /** Rejects where the document is no longer READY, or the list cannot be had. */
  readonly look?: (uuid: string, options: CallOptions) => Promise<void>;
  /** In memory, for a further document; there always is unless said. */
  readonly hasRoom?: () => boolean;
  /** What the service says of a document that may be printed. */
  readonly clearance?: Clearance;
  /** Of a gateway that stands alone unless said. */
  readonly claims?: Claims;
  /** Where the terminal has further desks. */
  readonly onTheWay?: OnTheWay;
}

export function releaseBench(
  answers: Answers = {},
  {
    printer: kind,
    conversion,
    inOneStep,
    turns = createPrinterTurns(),
    terminal = 'lobby',
    onTheWay = new OnTheWay(),
    clearance = 'not-charged',
    setAside = [],
    wholeIn,
    whole,
    whenWriting = () => {},
    look = async () => {},
    hasRoom = () => true,
    ...settings
  }: Settings = {},
) {
  const plan: JobPlan = { ...usualPlan, ...(conversion && { conversion }), ...(inOneStep && { inOneStep }) };
  const clock = createSteeredClock();
  const log = recordLog();
  /** Calls to the world and writes to the ledger, in the order they were made. */
  const deeds: string[] = [];
  const refusals = new Map<LedgerStep, Problem[]>();
  const deliveries: { readonly port: string; readonly retain: boolean }[] = [];
  let disposed = 0;
  let reported: Omit<FollowOptions, 'signal'> = {};

  async function deed(step: Step, signal: AbortSignal): Promise<Answer> {
    deeds.push(ahead && outward.has(step) ? `${step} before the ledger is durable` : step);
    if (step === wholeIn) isComing = false;
    const laidOut = answers[step];
    const answer = Array.isArray(laidOut) ? laidOut.shift() : laidOut;
    if (answer instanceof Error) throw answer;
    if (answer === 'never') {
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    }
    return answer;
  }
  /** Something is recorded that the world must not be ahead of. */
  let ahead = false;
  const writeAhead = (step: LedgerStep, words = '') => {
    write(step, words);
    ahead = true;
  };
  const write = (step: LedgerStep, words = '') => {
    const refusal = refusals.get(step)?.shift();
    if (refusal) throw refusal;
    whenWriting(step);
    deeds.push(`ledger:${step}${words && ` ${words}`}`);
  };

  /** It has no digest as long as it may still stop coming in. */
  let isComing = whole !== undefined;
  const document: SpooledDocument = {
    length: 3,
    digest: () => (isComing ? undefined : 'd'),
    whole: async () => whole,
    format: 'application/pdf',
    holds: () => false,
    read: () => Readable.from(['pdf']),
    [Symbol.dispose]: () => void (disposed += 1),
  };
  const common: Pick<JobPrinter, 'describe' | 'prepare'> = {
    describe: () => Promise.reject(new Error('not asked in a release')),
    prepare: async (_ticket, _document, { signal }) => (await deed('prepare', signal), plan),
  };
  const bytePrinter: BytePrinter = {
    ...common,
    kind: 'bytes',
    uri: bytePrinterUri,
    send: async (_plan, _document, { signal }) => (await deed('send', signal)) as JobReport | undefined,
  };
  const jobPrinter: JobPrinter = {
    ...common,
    kind: 'jobs',
    uri: 'ipp://printer/ipp/print',
    confirms: 'device',
    createJob: async (_plan, { signal }) => (await deed('createJob', signal), job),
    sweep: async (_name, { signal }) => void (await deed('sweep', signal)),
    send: async (_job, _plan, _document, { signal }) => void (await deed('send', signal)),
    print: async (_plan, _document, { signal }) => (await deed('print', signal), job),
    find: async (_left, { signal }) => (await deed('find', signal)) as PrinterJob | undefined,
    marked: (known) => known,
    follow: async (_job, { signal, ...tells }) => {
      reported = tells;
      return ((await deed('follow', signal)) ?? completed) as JobReport;
    },
    cancel: async (_job, { signal }) => (await deed('cancel', signal)) as JobReport | undefined,
  };
  const last = new Map<string, LastRelease>();
  const ends: Parameters<Ledger['end']>[1][] = [];
  const ledger: Ledger = {
    plan: ({ again }) => write('plan', again === undefined ? '' : `again ${again}`),
    intendByService: (_id, serialNumber) => writeAhead('intendByService', serialNumber),
    refusedByService: () => write('refusedByService'),
    fetched: () => write('fetched'),
    intend: (_id, _uri, way) => (way?.isJobNext ? write : writeAhead)('intend'),
    jobCreated: () => writeAhead('jobCreated'),
    sent: (_id, facts) => write('sent', facts && `${facts.digest} ${facts.length}`),
    end: (_id, end) => {
      const words = [end.state, end.deletionOwed && 'deletion owed', end.history && 'no row'];
      writeAhead('end', words.filter(Boolean).join(' '));
      ends.push(end);
    },
    confirmedByPerson: () => writeAhead('confirmedByPerson'),
    settled: () => {
      throw new Error('nobody settles a release here');
    },
    deleted: () => write('deleted'),
    inherit: () => write('inherit'),
    async durable() {
      // What nobody is ahead of is worth a word.
      if (!ahead) write('sync');
      ahead = false;
    },
    lastRelease: (uuid) => last.get(uuid),
    open: () => [],
  };
  const claims = settings.claims ?? createEmbeddedClaims({ ledger });
  const desk = createReleaseDesk({
    terminal,
    world: {
      printer: () => (kind === 'bytes' ? bytePrinter : jobPrinter),
      spool: {
        store: async () => document,
        receive: async (source, call) => {
          await source.begin(call);
          isComing = wholeIn !== undefined || whole !== undefined;
          return document;
        },
        hasRoom: () => hasRoom(),
      },
      converter: {
        convert: async (_document, _conversion, { signal }) => (await deed('convert', signal), document),
        examine: () => Promise.reject(new Error('not asked in a release')),
      },
      documents: {
        ready: async () => ({ documents: [], mayBeMore: false, underOtherName: 0 }),
        requireReady: async (uuid, _token, options) => look(uuid, options),
        download: async (_uuid, _token, { signal }) => {
          await deed('download', signal);
          return { length: 3, bytes: Readable.from(['pdf']) };
        },
        remove: async (_uuid, _token, { signal }) => void (await deed('delete', signal)),
        consume: async (_uuid, _token, { signal }) => void (await deed('consume', signal)),
        deliver: async (_uuid, to, _token, { signal }) => {
          deliveries.push(to);
          await deed('deliver', signal);
        },
        statusOf: async (_uuid, _token, { signal }) => {
          const status = (await deed('status', signal)) ?? 'printed';
          return status === 'gone' ? undefined : (status as DocumentStatus);
        },
      },
      balance: {
        check: async (_ticket, { signal }) => (await deed('balance', signal), clearance),
        quote: () => Promise.reject(new Error('the terminal asks for quotes')),
        own: () => Promise.reject(new Error('not asked in a release')),
      },
      ledger,
      claims,
      place: () => 'Entrance',
      clock,
      portKey: () => ({ serialNumber: 'SN-0001' }),
      delivery: 'local',
      finish: 'delete',
      requireConfirmation: false,
      cutThrough: 'auto',
      ...settings,
      unknownHold: hours(24),
      serviceTime: { at: () => undefined },
      onStage: () => {},
    },
    onTheWay,
    setAside: new Map(setAside),
    turns,
    chance: systemChance,
    log: log.log,
    onEvent: () => {},
  });
  const ended: ReleaseEnded[] = [];
  const places: number[] = [];
  /** When something was heard of the batch, monotonic milliseconds. */
  const progress: number[] = [];
  const stages: Stage[] = [];
  const heard: ReleaseEvent[] = [];
  return {
    clock,
    log,
    deeds,
    deliveries,
    desk,
    ended,
    ends,
    heard,
    places,
    progress,
    stages,
    refusals,
    last,
    disposals: () => disposed,
    /** What the printer is seen to do with the job that is followed. */
    seen: () => reported,
    async release(...tickets: Ticket[]) {
      desk.release(tickets, (event) => {
        heard.push(event);
        if (event.type === 'ended') ended.push(event);
        else if (event.type === 'turn') places.push(event.before);
        else if (event.type === 'progress') progress.push(clock.monotonic());
        else stages.push(...stageOf(event));
      });
      await clock.advance(seconds(0));
    },
    outcomes: () => ended.map(({ outcome }) => outcome),
  };
}

/** How far a document is, as its person is shown it. */
type Stage = Omit<DocumentProgress, 'name'>;

function stageOf(event: ReleaseEvent): readonly Stage[] {
  const { documentUuid } = event;
  if (event.type === 'page') {
    const { page, pages } = event;
    return [{ documentUuid, stage: 'printing', page, ...(pages === undefined ? {} : { pages }) }];
  }
  if (event.type !== 'stage') return [];
  return [{ documentUuid, stage: event.stage, ...(event.wait && { wait: event.wait }) }];
}
