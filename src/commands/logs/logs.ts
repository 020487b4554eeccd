/**
 * `platen logs`: the log in a person's words, a line a record. It tells nothing that the log does not hold, and the log
 * holds no secret (INVARIANTS.md T20); what others wrote into it is told with its control characters escaped (T21).
 */
import { loadConfigWithoutSecrets } from '../../config/load.ts';
import { isoInstant } from '../../core/clock.ts';
import { printable } from '../../core/log.ts';
import { CommandFailed } from '../failure.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { noSuchTerminal } from '../named-terminal.ts';
import type { LogLine } from './log-line.ts';
import { readLogLine, terminalOf } from './log-line.ts';
import { linesOf } from './lines.ts';
import type { LogsOptions } from './opened-log.ts';
import { isTelling } from './sentences.ts';
import { octetsOf } from './source.ts';
import { createTeller } from './teller.ts';

export async function logsCommand(options: LogsOptions, io: Io): Promise<number> {
  const { terminal, source, follow } = options;
  const known = terminal === undefined ? undefined : terminalsIn(options.config, io);
  const isKnown = known?.some(({ id }) => id === terminal);
  // Of a terminal that is not there nothing is to come; a log that is over may still tell of it.
  if (terminal !== undefined && isKnown === false && follow) {
    if (source.kind === 'journal') source.journal.end();
    throw noSuchTerminal(terminal, known);
  }
  const tell = createTeller(io);
  let lines = 0;
  let wasSeen = false;
  for await (const text of linesOf(octetsOf(source, io))) {
    const line = readLogLine(text);
    if (!line) continue;
    lines += 1;
    if (terminal !== undefined && terminalOf(line) !== terminal) continue;
    wasSeen = true;
    if (isAskedFor(line, options)) tell(line);
  }
  if (source.kind === 'journal') await complainOf(source.journal, { lines, since: options.since }, io);
  if (terminal !== undefined && !isKnown && !wasSeen) throw noSuchTerminal(terminal, known);
  return exitCode.ok;
}

/** A line without a time cannot be too old. */
const isAskedFor = ({ at = Infinity, record }: LogLine, { since = 0, all }: LogsOptions): boolean =>
  at >= since && (all === true || !record || isTelling(record));

/** `undefined` where the configuration cannot be read: then the log alone knows. */
function terminalsIn(config: string, io: Io): readonly { readonly id: string }[] | undefined {
  try {
    return loadConfigWithoutSecrets(config, io.env).terminals;
  } catch {
    return undefined;
  }
}

async function complainOf(
  journal: { failure(): Promise<string | undefined> },
  { lines, since }: { readonly lines: number; readonly since: number | undefined },
  io: Io,
): Promise<void> {
  const failure = io.stop.aborted ? undefined : await journal.failure();
  if (failure !== undefined) {
    throw new CommandFailed(
      `the journal cannot be read (${printable(failure)}). Give the log: platen logs FILE, or … | platen logs`,
    );
  }
  if (lines > 0 || io.stop.aborted) return;
  const from = since === undefined ? '' : ` since ${isoInstant(since)}`;
  io.error(
    `platen: the journal has nothing about platen.service${from}, or this user may not read it. Run it with sudo, or give --since`,
  );
}
