/**
 * A real cupsd is killed at random moments of a job and started again, over and over: how often a document comes out
 * twice all the same, and how much of its second copy (INVARIANTS.md D15). What Platen rules over can be violated: no
 * second copy comes out whole, what came out twice is never told as printed once, nor what came out as nothing.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { table } from '../../src/commands/terminal-text/table.ts';
import { systemChance } from '../../src/core/chance.ts';
import { systemClock } from '../../src/core/clock.ts';
import { milliseconds, seconds } from '../../src/core/duration.ts';
import type { JobPrinter, SpooledDocument } from '../../src/domain/ports/printing.ts';
import { asProblem } from '../../src/domain/problem/problem.ts';
import { verdictOn } from '../../src/domain/printer/job-verdict.ts';
import { createIppPrinter } from '../../src/printing/ipp/ipp-printer.ts';
import { systemTrust } from '../../src/printing/ipp/system-trust.ts';
import { openSpool } from '../../src/printing/spool/spool.ts';
import { startCupsd } from '../peers/cupsd.ts';
import { startSlowSink } from '../peers/slow-sink.ts';
import { recordLog } from '../support/recorded-log.ts';
import { sampleTicket } from '../support/sample-ticket.ts';
import { percentile } from '../bench/figures.ts';
import { diceOf } from '../support/dice.ts';
import type { Program, Result } from '../support/campaign-program.ts';
import { eventually } from '../support/patience.ts';

/**
 * `long`: more than the kernels take for a printer that stands still, so that the pace of the printer is felt. `short`:
 * all of it is under way to the printer in some milliseconds, and the spooler waits for the printer's end.
 */
const documents = {
  long: { octets: 16 * 1024 * 1024, pause: milliseconds(2) },
  short: { octets: 256 * 1024, pause: milliseconds(200) },
} as const;
/** An undisturbed job takes about so long, either way. */
const jobSpan = 900;

interface Kill {
  readonly after: number;
  readonly outputs: readonly number[];
  readonly verdict: string;
  /** Documents left in the spool of CUPS, in clear. */
  readonly kept: number;
}

export interface SpoolerKills {
  readonly document?: keyof typeof documents;
  readonly takes: 'one by one' | 'all at once';
  /** Of cupsd.conf(5), in seconds. */
  readonly dirtyCleanInterval: number;
  /** Its spool is emptied before it starts again. */
  readonly isEmptied?: boolean;
}

export const killSpooler = (how: SpoolerKills): Program => ({
  name: nameOf(how),
  what: `SIGKILL of cupsd in mid job, its printer takes connections ${how.takes}, DirtyCleanInterval ${how.dirtyCleanInterval}`,
  runs: 50,
  run: (order) => killOften(how, order),
});

const nameOf = ({ document = 'long', takes, dirtyCleanInterval, isEmptied }: SpoolerKills): string =>
  [
    `cupsd-${document}`,
    takes === 'one by one' ? 'queueing' : 'greedy',
    ...(dirtyCleanInterval > 0 ? ['lazy'] : []),
    ...(isEmptied ? ['emptied'] : []),
  ].join('-');

export async function killOften(
  { document: size = 'long', takes, dirtyCleanInterval, isEmptied }: SpoolerKills,
  { seed, runs }: { readonly seed: number; readonly runs: number },
): Promise<Result> {
  const { octets, pause } = documents[size];
  const dice = diceOf(seed);
  await using sink = await startSlowSink({ takes, pause });
  await using peer = await startCupsd({ device: sink.device, dirtyCleanInterval });
  if (dirtyCleanInterval > 0) await systemClock.sleep(seconds(dirtyCleanInterval + 2));
  await using printer = createIppPrinter({
    uri: peer.uri,
    outputType: 'auto',
    stall: seconds(30),
    clock: systemClock,
    log: recordLog().log,
    trust: systemTrust(),
  });
  using document = await aDocument(octets);
  const kills: Kill[] = [];
  for (let run = 0; run < runs; run += 1) {
    const after = dice.number(jobSpan);
    sink.forget();
    const before = (await peer.keptFiles()).length;
    const released = release(printer, document);
    await systemClock.sleep(milliseconds(after));
    await peer.restart('SIGKILL', isEmptied ? peer.emptySpool : undefined);
    const verdict = await released;
    await eventually(async () => {
      const { state } = await printer.describe(patience());
      if (state !== 'idle' || !sink.isIdle()) throw new Error('CUPS is still printing');
    });
    const kept = (await peer.keptFiles()).length - before;
    kills.push({ after, outputs: sink.outputs.filter((length) => length > 0), verdict, kept });
  }
  return reported(kills, octets);
}

/** As a release goes: to its end, or cancelled where that is in doubt. */
async function release(printer: JobPrinter, document: SpooledDocument): Promise<string> {
  let job;
  try {
    const plan = await printer.prepare(sampleTicket(), document, patience());
    job = await printer.createJob(plan, patience());
    await printer.send(job, plan, document, patience());
    return verdictOn({ sent: 'all', report: await printer.follow(job, patience()), expected: undefined });
  } catch (error) {
    const problem = asProblem(error, 'outcome-unknown', 'no word of the job');
    if (job === undefined) return problem.delivery === 'perhaps' ? 'UNKNOWN' : 'NOOUTPUT';
    if (problem.delivery === 'not-sent') return 'NOOUTPUT';
    if (problem.code === 'outcome-unknown') return 'UNKNOWN';
    return verdictOn({ sent: 'some', report: await printer.cancel(job, patience()), expected: undefined });
  }
}

function reported(kills: readonly Kill[], documentLength: number): Result {
  const isPart = (length: number) => length > 0 && length < documentLength;
  const kilobytes = (octets: number) => `${Math.round(octets / 1024)} kB of ${documentLength / 1024}`;
  const judged = violationsOf(documentLength);
  const again = kills.map(secondCopy).filter((length) => length > 0);
  const count = (is: (kill: Kill) => boolean) => String(kills.filter(is).length);
  const figures: readonly (readonly [string, string])[] = [
    ['kills', String(kills.length)],
    ['nothing came out', count(({ outputs }) => outputs.length === 0)],
    ['once, or part of it', count(({ outputs }) => outputs.length === 1)],
    ['a second copy, in part', count((kill) => isPart(secondCopy(kill)))],
    ['a second copy, whole', count((kill) => secondCopy(kill) >= documentLength)],
    ['of a second copy, median', kilobytes(again.length > 0 ? percentile(again, 0.5) : 0)],
    ['at most', kilobytes(Math.max(0, ...again))],
    ['told as printed', count(({ verdict }) => verdict === 'CONFIRMED')],
    ['told as unknown', count(({ verdict }) => verdict === 'UNKNOWN' || verdict === 'PARTIAL')],
    ['told as not printed', count(({ verdict }) => verdict === 'NOOUTPUT')],
    ['a document left in the spool', count(({ kept }) => kept > 0)],
  ];
  return { table: table(figures), violations: kills.flatMap(judged) };
}

const secondCopy = ({ outputs }: Pick<Kill, 'outputs'>): number => outputs[1] ?? 0;

/** Of a short document a second copy is whole before anybody can say a word. */
const violationsOf =
  (documentLength: number) =>
  ({ after, outputs, verdict }: Kill): string[] => {
    const what = `killed after ${Math.round(after)} ms, ${outputs.join(' + ')} octets came out, told as ${verdict}`;
    const isTwice = secondCopy({ outputs }) >= documentLength && documentLength === documents.long.octets;
    const isOnce = outputs.length === 1 && outputs[0] === documentLength;
    if (isTwice || (verdict === 'CONFIRMED' && !isOnce)) return [what];
    return verdict === 'NOOUTPUT' && outputs.length > 0 ? [what] : [];
  };

const patience = (): { signal: AbortSignal } => ({ signal: new AbortController().signal });

async function aDocument(documentLength: number): Promise<SpooledDocument> {
  const directory = mkdtempSync(join(tmpdir(), 'platen-spooler-kills-'));
  const bytes = Buffer.alloc(documentLength, 'A page of this document.\n');
  bytes.write('%PDF-1.7\n<</Type/Page>>\n');
  bytes.write('\n%%EOF\n', bytes.length - 7);
  const spool = await openSpool({ directory, chance: systemChance });
  const download = { length: bytes.length, bytes: Readable.from([bytes], { objectMode: false }) };
  try {
    return await spool.store(download, patience());
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
