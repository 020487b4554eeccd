/**
 * Prints one page at one printer and tells the result. It uses the same steps as a release, but belongs to no person:
 * no ledger, no history, no service. It never sends the page a second time, even after a failure.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Clock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import type { Env } from '../../domain/env.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type {
  BytePrinter,
  Converter,
  JobPlan,
  JobPrinter,
  Printer,
  PrinterJob,
  SpooledDocument,
} from '../../domain/ports/printing.ts';
import type { Problem } from '../../domain/problem/problem.ts';
import { asProblem } from '../../domain/problem/problem.ts';
import type { Sent } from '../../domain/printer/job-verdict.ts';
import { verdictOn } from '../../domain/printer/job-verdict.ts';
import type { EndState, JobReport } from '../../domain/release.ts';
import { formats } from '../../printing/document-format.ts';
import { testTicket } from './ticket.ts';

export interface TestPageEnd {
  readonly state: EndState;
  readonly jobId?: number | undefined;
  readonly report?: JobReport | undefined;
  readonly problem?: Problem | undefined;
}

interface Tools extends Pick<Env, 'clock' | 'chance'> {
  readonly converter: Pick<Converter, 'convert'>;
}

/** Never rejects. If the signal aborts, the page is cancelled as far as possible. */
export async function printTestPage(
  { printer, pdf, terminal }: { printer: Printer; pdf: Buffer; terminal: string },
  { converter, clock, chance }: Tools,
  call: CallOptions,
): Promise<TestPageEnd> {
  using asMade = inMemory(pdf);
  const ticket = testTicket(terminal, chance.bytes(16).toString('hex'));
  try {
    const plan = await printer.prepare(ticket, asMade, call);
    using document = plan.conversion ? await converter.convert(asMade, plan.conversion, call) : asMade;
    return printer.kind === 'bytes'
      ? await handOver(printer, plan, document, call)
      : await printAsJob({ printer, clock }, plan, document, call);
  } catch (error) {
    return { state: 'NOOUTPUT', problem: problemOf(error) };
  }
}

/** From here on nothing is thrown, because the printer may have a part of the page. */
async function handOver(
  printer: BytePrinter,
  plan: JobPlan,
  document: SpooledDocument,
  call: CallOptions,
): Promise<TestPageEnd> {
  try {
    const report = await printer.send(plan, document, call);
    return { state: report ? judge('all', report) : 'HANDED-OVER', report };
  } catch (error) {
    const problem = problemOf(error);
    return { state: judge(sentBefore(problem), undefined), problem };
  }
}

async function printAsJob(
  { printer, clock }: { printer: JobPrinter; clock: Clock },
  plan: JobPlan,
  document: SpooledDocument,
  call: CallOptions,
): Promise<TestPageEnd> {
  /** Works even if the person has stopped the command. */
  const afterwards = () => ({ signal: clock.deadline(cleanUpLimit) });
  let job: PrinterJob;
  try {
    job = plan.inOneStep ? await printer.print(plan, document, call) : await printer.createJob(plan, call);
  } catch (error) {
    const problem = problemOf(error);
    if (problem.delivery !== 'perhaps') return { state: 'NOOUTPUT', problem };
    if (plan.inOneStep) return { state: 'UNKNOWN', problem };
    const isSwept = await printer.sweep(plan, afterwards()).then(
      () => true,
      () => false,
    );
    return { state: isSwept ? 'NOOUTPUT' : 'UNKNOWN', problem };
  }
  const { jobId } = job;
  let sent: Sent = plan.inOneStep ? 'all' : 'none';
  try {
    if (sent === 'none') await printer.send(job, plan, document, call);
    sent = 'all';
    const report = await printer.follow(job, call);
    return { state: judge(sent, report), jobId, report };
  } catch (error) {
    const problem = problemOf(error);
    if (sent !== 'all') sent = sentBefore(problem);
    const report = await printer.cancel(job, afterwards()).catch(() => undefined);
    return { state: judge(sent, report), jobId, report, problem };
  }
}

const judge = (sent: Sent, report: JobReport | undefined): EndState =>
  verdictOn({ sent, report, expected: onePage });

const onePage = { pages: 1, copies: 1, sides: undefined } as const;

const cleanUpLimit = seconds(15);

const sentBefore = ({ delivery }: Problem): Sent =>
  (({ 'not-sent': 'none', answered: 'refused', perhaps: 'some' }) as const)[delivery];

const problemOf = (error: unknown) => asProblem(error, 'printer-unreachable', 'the test page was stopped');

const inMemory = (pdf: Buffer): SpooledDocument => ({
  length: pdf.length,
  digest: () => createHash('sha256').update(pdf).digest('hex'),
  format: formats.pdf,
  holds: () => false,
  whole: async () => {},
  read: () => Readable.from([pdf], { objectMode: false }),
  [Symbol.dispose]() {},
});
