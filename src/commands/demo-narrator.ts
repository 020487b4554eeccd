/**
 * Tells a running agent's log aloud: one line a step, with the seconds since the start. It reads nothing but the log
 * records of the contract, so what it tells is what any script could see.
 */
import type { Clock } from '../core/clock.ts';
import type { LogDestination } from '../core/log.ts';

export interface LogRecord {
  readonly level: string;
  readonly msg: string;
  readonly [fact: string]: unknown;
}

export interface Narrator extends LogDestination {
  /** A sentence of the demo's own, in the same form. */
  say(sentence: string): void;
  /** The next record, or one already told, that has this message and fits. */
  told(msg: string, fits?: (record: LogRecord) => boolean): Promise<LogRecord>;
}

const textOf = (fact: unknown): string => (typeof fact === 'string' ? fact : '');

/** An empty sentence: others tell of it already. */
const sentences: Readonly<Record<string, (record: LogRecord) => string>> = {
  'condition raised': ({ code, detail }) => (code === 'terminal-not-authorized' ? '' : textOf(detail)),
  'agent started': ({ kiosk }) => `The agent is up; its page is at http://${String(kiosk)}/t/demo`,
  'device registered': () => 'It registered its key with the print service and waits for an administrator.',
  'device authorized': () => 'The administrator approved it; it has a device token.',
  'output port found': ({ outputPortId }) =>
    `It found itself in the service: output port ${String(outputPortId)}.`,
  'reader up': () => 'The badge reader is open.',
  'terminal ready': () => 'The terminal is ready: hold a card to the reader.',
  'card read': () => 'A card was read.',
  'session opened': () => 'The service knows whose card it is; a session is open.',
  'release started': () =>
    'A document is released: downloaded into the encrypted spool, the intent recorded.',
  'release ended': ({ outcome, detail }) =>
    outcome === 'completed'
      ? 'The printer reports the job completed.'
      : `The release ended: ${String(outcome)}. ${textOf(detail)}`,
  'history accepted': () => 'The service accepted the history record.',
  'status reported': () => 'The service knows how the terminal is.',
  'session closed': ({ reason }) => `The session is closed (${String(reason)}).`,
  'agent stopped': () => 'The agent stopped in order.',
};

export function createNarrator(clock: Clock, out: (line: string) => void): Narrator {
  const since = clock.monotonic();
  const records: LogRecord[] = [];
  const waiting = new Set<(record: LogRecord) => void>();

  const say = (sentence: string) => {
    const elapsed = ((clock.monotonic() - since) / 1000).toFixed(3).padStart(7);
    out(`${elapsed} s  ${sentence}`);
  };

  return {
    say,
    write(line) {
      const record = JSON.parse(line) as LogRecord;
      records.push(record);
      const sentence = sentences[record.msg]?.(record);
      if (sentence) say(sentence);
      else if (sentence === undefined && (record.level === 'error' || record.level === 'warn')) {
        say(`${record.level}: ${record.msg} ${textOf(record['detail'])}`);
      }
      for (const listener of [...waiting]) listener(record);
    },
    told(msg, fits = () => true) {
      const matches = (record: LogRecord) => record.msg === msg && fits(record);
      const known = records.find(matches);
      if (known) return Promise.resolve(known);
      return new Promise((resolve) => {
        const listener = (record: LogRecord) => {
          if (!matches(record)) return;
          waiting.delete(listener);
          resolve(record);
        };
        waiting.add(listener);
      });
    },
  };
}
