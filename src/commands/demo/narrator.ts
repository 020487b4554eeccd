/**
 * Tells the log of a running agent: one line a step. It reads only the log records of the contract, so any script could
 * see the same.
 */
import type { Clock } from '../../core/clock.ts';
import type { LogDestination } from '../../core/log.ts';
import type { LogRecord } from '../logs/sentences.ts';
import { isTelling, sentenceOf } from '../logs/sentences.ts';

export interface Narrator extends LogDestination {
  /** All records so far. */
  readonly records: readonly LogRecord[];
  /** The next record with this message that fits, or an earlier one. */
  recordOf(msg: string, fits?: (record: LogRecord) => boolean): Promise<LogRecord>;
  /** The next record with this message. Earlier records do not count. */
  next(msg: string, fits?: (record: LogRecord) => boolean): Promise<LogRecord>;
}

/** The demo tells these itself, or they are not needed. */
const notShown: ReadonlySet<string> = new Set([
  'condition cleared',
  'service version',
  'settings adopted',
  'terminal back in service',
  'terminal out of service',
]);

/** The records of the contract are told, although they are routine elsewhere. */
const isShownUsually = (record: LogRecord): boolean => {
  if (record.msg === 'condition raised' && record['code'] === 'terminal-not-authorized') return false;
  return (isTelling(record) || record.msg === 'status reported') && !notShown.has(record.msg);
};

/** Prints a line with the seconds since the start. */
export type Say = (sentence: string) => void;

export function createVoice(clock: Clock, out: (line: string) => void): Say {
  const since = clock.monotonic();
  return (sentence) => {
    const elapsed = ((clock.monotonic() - since) / 1000).toFixed(3).padStart(7);
    out(`${elapsed} s  ${sentence}`);
  };
}

export function createNarrator(say: Say, isShown = isShownUsually): Narrator {
  const records: LogRecord[] = [];
  const waiting = new Set<(record: LogRecord) => void>();

  const next: Narrator['next'] = (msg, fits = () => true) =>
    new Promise((resolve) => {
      const listener = (record: LogRecord) => {
        if (record.msg !== msg || !fits(record)) return;
        waiting.delete(listener);
        resolve(record);
      };
      waiting.add(listener);
    });

  return {
    records,
    next,
    write(line) {
      const record = JSON.parse(line) as LogRecord;
      records.push(record);
      if (isShown(record)) say(sentenceOf(record));
      for (const listener of [...waiting]) listener(record);
    },
    recordOf(msg, fits = () => true) {
      const known = records.find((record) => record.msg === msg && fits(record));
      return known ? Promise.resolve(known) : next(msg, fits);
    },
  };
}
