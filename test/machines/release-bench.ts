/** A release desk whose printer, spool, cloud and ledger do what a test laid out and write down what was asked. */
import { Readable } from 'node:stream';
import { hours, seconds } from '../../src/core/duration.ts';
import type { Ledger } from '../../src/domain/ports/ledger.ts';
import type { JobPlan, Printer, PrinterJob, SpooledDocument } from '../../src/domain/ports/printing.ts';
import type { Problem } from '../../src/domain/problem.ts';
import type { JobReport, LastRelease, Ticket } from '../../src/domain/release.ts';
import type { ReleaseEnded } from '../../src/machines/release-desk.ts';
import { createReleaseDesk } from '../../src/machines/release-desk.ts';
import { recordLog } from '../support/recorded-log.ts';
import { sampleTicket } from '../support/sample-ticket.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

export const job: PrinterJob = {
  jobId: 17,
  jobUri: 'ipp://printer/jobs/17',
  jobName: 'Report.pdf [00000001]',
};
const plan: JobPlan = { jobName: 'Report.pdf [00000001]', format: 'application/pdf' };
export const completed: JobReport = {
  state: 'completed',
  reasons: [],
  impressionsCompleted: 1,
  sheetsCompleted: 1,
};

export type Step =
  | 'balance'
  | 'download'
  | 'prepare'
  | 'createJob'
  | 'sweep'
  | 'send'
  | 'follow'
  | 'cancel'
  | 'delete';
export type LedgerStep = 'plan' | 'fetched' | 'intend' | 'jobCreated' | 'sent' | 'end' | 'deleted';
type Answer = Problem | JobReport | 'never' | undefined;

export const ticketFor = (uuid: string, number = 1): Ticket =>
  sampleTicket({ uuid }, { releaseId: String(number).padStart(8, '0').padEnd(32, '0') });

export function releaseBench(answers: Partial<Record<Step, Answer | Answer[]>> = {}) {
  const clock = createSteeredClock();
  const log = recordLog();
  /** Calls to the world and writes to the ledger, in the order they were made. */
  const deeds: string[] = [];
  const refusals = new Map<LedgerStep, Problem[]>();
  let disposed = 0;

  async function deed(step: Step, signal: AbortSignal): Promise<Answer> {
    deeds.push(step);
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
  const write = (step: LedgerStep, words = '') => {
    const refusal = refusals.get(step)?.shift();
    if (refusal) throw refusal;
    deeds.push(`ledger:${step}${words && ` ${words}`}`);
  };

  const document: SpooledDocument = {
    length: 3,
    digest: 'd',
    format: 'application/pdf',
    read: () => Readable.from(['pdf']),
    [Symbol.dispose]: () => void (disposed += 1),
  };
  const printer: Printer = {
    uri: 'ipp://printer/ipp/print',
    describe: () => Promise.reject(new Error('not asked in a release')),
    prepare: async (_ticket, _document, { signal }) => (await deed('prepare', signal), plan),
    createJob: async (_plan, { signal }) => (await deed('createJob', signal), job),
    sweep: async (_name, { signal }) => void (await deed('sweep', signal)),
    send: async (_job, _plan, _document, { signal }) => void (await deed('send', signal)),
    follow: async (_job, { signal }) => ((await deed('follow', signal)) ?? completed) as JobReport,
    cancel: async (_job, { signal }) => (await deed('cancel', signal)) as JobReport | undefined,
  };
  const last = new Map<string, LastRelease>();
  const ledger: Ledger = {
    plan: () => write('plan'),
    fetched: () => write('fetched'),
    intend: () => write('intend'),
    jobCreated: () => write('jobCreated'),
    sent: () => write('sent'),
    end: (_id, { state, deletionOwed }) => write('end', deletionOwed ? `${state} deletion owed` : state),
    deleted: () => write('deleted'),
    lastRelease: (uuid) => last.get(uuid),
    open: () => [],
  };
  const desk = createReleaseDesk({
    terminal: 'lobby',
    world: {
      printer,
      spool: { store: async () => document },
      documents: {
        ready: async () => [],
        download: async (_uuid, _token, { signal }) => {
          await deed('download', signal);
          return { length: 3, bytes: Readable.from(['pdf']) };
        },
        remove: async (_uuid, _token, { signal }) => void (await deed('delete', signal)),
      },
      balance: { check: async (_ticket, { signal }) => void (await deed('balance', signal)) },
      ledger,
      clock,
      serialNumber: 'SN-0001',
      finish: 'delete',
      unknownHold: hours(24),
      onStage: () => {},
    },
    inHand: new Set(),
    log: log.log,
    onOutcome: () => {},
  });
  const ended: ReleaseEnded[] = [];
  return {
    ...{ clock, log, deeds, desk, ended, refusals, last },
    disposals: () => disposed,
    async release(...tickets: Ticket[]) {
      desk.release(tickets, (end) => ended.push(end));
      await clock.advance(seconds(0));
    },
    outcomes: () => ended.map(({ outcome }) => outcome),
  };
}
