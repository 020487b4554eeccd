/**
 * Answers of printers, changed at random, read as the agent reads them (INVARIANTS.md T14, G7): a reading ends in what
 * it promises, in a `DecodeError` or in a `Problem`, within a second. The same seed gives the same answers.
 */
import { isProblem } from '../../src/domain/problem/problem.ts';
import { decodeAnswer } from '../../src/ipp/decode.ts';
import { encodeMessage } from '../../src/ipp/encode.ts';
import type { Attribute, Message } from '../../src/ipp/message.ts';
import { attribute, isKeyword } from '../../src/ipp/message.ts';
import { DecodeError } from '../../src/ipp/octet-reader.ts';
import * as ipp from '../../src/ipp/values.ts';
import { jobSight } from '../../src/printing/ipp/job/job-sight.ts';
import { printerAttributes } from '../../src/printing/ipp/printer/printer-attributes.ts';
import { queueAttributes } from '../../src/printing/ipp/queue/queue-attributes.ts';
import { refusalOf, unsupportedNames } from '../../src/printing/ipp/wire/refusal.ts';
import { spooledJob } from '../../src/printing/ipp/queue/spooled-job.ts';
import { diceOf } from '../support/dice.ts';
import type { Dice } from '../support/dice.ts';
import type { Program } from '../support/campaign-program.ts';
import { capturedAnswer } from '../ipp/messages.ts';

export interface Fuzzed {
  readonly runs: number;
  /** How the readings ended. */
  readonly ends: Readonly<Record<'read' | 'undecodable' | 'refused', number>>;
  readonly violations: readonly string[];
}

/** Milliseconds of the processor: how long it has to wait for one is the machine's affair. */
const tolerable = 1000;

export function fuzzIpp({ runs, seed }: { runs: number; seed: number }): Fuzzed {
  const dice = diceOf(seed);
  const seeds = samples();
  const ends = { read: 0, undecodable: 0, refused: 0 };
  const violations: string[] = [];
  for (let run = 0; run < runs; run += 1) {
    const octets = changed(dice.one(seeds), dice, seeds);
    const before = process.threadCpuUsage();
    try {
      ends[readAll(octets)] += 1;
    } catch (error) {
      violations.push(
        `seed ${seed}, run ${run}: ${String(error)}, for ${octets.toString('base64').slice(0, 400)}`,
      );
    }
    const { user, system } = process.threadCpuUsage(before);
    const took = (user + system) / 1000;
    if (took > tolerable) violations.push(`seed ${seed}, run ${run}: took ${Math.round(took)} ms`);
  }
  return { runs, ends, violations };
}

/** For `npm run campaign`. */
export const fuzzedAnswers: Program = {
  name: 'fuzz-ipp',
  what: 'an answer of a printer, changed at random (G7)',
  runs: 1_000_000,
  async run(order) {
    const { runs, ends, violations } = fuzzIpp(order);
    return { table: `${runs} answers: ${JSON.stringify(ends)}`, violations };
  },
};

function readAll(octets: Buffer): keyof Fuzzed['ends'] {
  let message: Message;
  try {
    ({ message } = decodeAnswer(octets));
  } catch (error) {
    if (error instanceof DecodeError) return 'undecodable';
    throw error;
  }
  encodeMessage(message);
  void refusalOf(message)?.advice;
  mustHold(unsupportedNames(message).every(isKeyword), 'an unsupported name that is no keyword');
  const ends = sights.map((look) => orProblem(() => look(message)));
  return ends.includes('done') ? 'read' : 'refused';
}

/** Whatever the answer is, it may come to any question. */
const sights: readonly ((message: Message) => void)[] = [
  (message) => believable(printerAttributes(message)),
  (message) => believable(queueAttributes(message, { name: 'lab' })),
  (message) => void jobSight(message),
  (message) => void spooledJob.sight(message),
];

/** What the rest of the agent takes for granted. */
function believable({ stateReasons, obstacles, ...printer }: ReturnType<typeof printerAttributes>): void {
  mustHold([...stateReasons, ...obstacles].every(isKeyword), 'a reason that is no keyword');
  mustHold((printer.capabilities?.copies ?? 0) >= 1, 'a printer that makes no copy');
  mustHold(typeof printer.ready === 'boolean', 'neither ready nor not');
}

function mustHold(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}

function orProblem(read: () => void): 'done' | 'problem' {
  try {
    read();
    return 'done';
  } catch (error) {
    if (isProblem(error)) return 'problem';
    throw error;
  }
}

const answerOf = (
  tag: 'printer-attributes' | 'job-attributes',
  ...attributes: readonly Attribute[]
): Buffer => encodeMessage({ version: [2, 0], code: 0, requestId: 1, groups: [{ tag, attributes }] });

/** One captured at a printer, and small ones, whose octets matter more. */
const samples = (): readonly Buffer[] => [
  capturedAnswer(),
  answerOf(
    'printer-attributes',
    attribute('printer-state', ipp.enumValue(5)),
    attribute('printer-state-reasons', ipp.keyword('media-empty-error'), ipp.keyword('toner-low')),
    attribute('printer-is-accepting-jobs', ipp.boolean(true)),
    attribute('copies-supported', ipp.rangeOfInteger(1, 99)),
    attribute('document-format-supported', ipp.mimeMediaType('application/pdf')),
    attribute('printer-type', ipp.enumValue(1)),
    attribute('device-uri', ipp.uri('ipp://user:word@10.0.0.7/ipp/print')),
  ),
  answerOf(
    'job-attributes',
    attribute('job-id', ipp.integer(7)),
    attribute('job-name', ipp.nameWithoutLanguage('Report.pdf [7f3a9c21]')),
    attribute('job-state', ipp.enumValue(9)),
    attribute('job-state-reasons', ipp.keyword('job-completed-successfully')),
    attribute('job-impressions-completed', ipp.integer(3)),
    attribute('time-at-processing', ipp.integer(12)),
  ),
];

/** Octets that mean something: delimiters, tags, the ends of what a length can say. */
const telling = [0x00, 0x01, 0x03, 0x04, 0x10, 0x21, 0x34, 0x37, 0x44, 0x4a, 0x7f, 0x80, 0xff];

function changed(sample: Buffer, dice: Dice, others: readonly Buffer[]): Buffer {
  let octets = Buffer.from(sample);
  const place = () => Math.floor(dice.number(octets.length));
  for (let change = Math.floor(dice.number(4)); change >= 0 && octets.length > 0; change -= 1) {
    const [at, until] = [place(), place()].toSorted((a, b) => a - b) as [number, number];
    const kind = Math.floor(dice.number(12));
    if (kind <= 3) octets[at] = dice.one(telling);
    else if (kind <= 8) octets[at] = Math.floor(dice.number(256));
    else if (kind === 9) octets = octets.subarray(0, until);
    else if (kind === 10) octets = Buffer.concat([octets.subarray(0, at), octets.subarray(until)]);
    else if (dice.happens(50)) octets = Buffer.concat([octets.subarray(0, until), octets.subarray(at)]);
    else octets = Buffer.concat([octets.subarray(0, at), dice.one(others).subarray(at)]);
  }
  return octets;
}
