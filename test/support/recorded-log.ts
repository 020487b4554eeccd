/** The project's own log, its lines kept for the test to read. */
import type { RootLog } from '../../src/core/log.ts';
import { createLog } from '../../src/core/log.ts';

export interface RecordedLog {
  readonly log: RootLog;
  /** The records whose `msg` it is. */
  records(msg: string): Record<string, unknown>[];
  text(): string;
}

export function recordLog(): RecordedLog {
  const lines: string[] = [];
  return {
    log: createLog({ level: 'debug', destination: { write: (line) => lines.push(line) } }),
    records: (msg) => lines.map(recordOf).filter((record) => record['msg'] === msg),
    text: () => lines.join(''),
  };
}

const recordOf = (line: string): Record<string, unknown> => JSON.parse(line);
