/** The command line: its commands. The options of each command are in the `definition.ts` of its folder. */
import { Command, CommanderError } from 'commander';
import { version } from '../core/version.ts';
import { Calls } from './calls.ts';
import { define as defineCard } from './card/definition.ts';
import { define as defineCheck } from './check/definition.ts';
import { define as defineDemo } from './demo/definition.ts';
import { define as defineFleet } from './fleet/definition.ts';
import { define as defineGuest } from './guest/definition.ts';
import { define as defineInit } from './init/definition.ts';
import { define as defineLogLevel } from './log-level/definition.ts';
import { define as defineLogs } from './logs/definition.ts';
import { define as defineNotify } from './notify/definition.ts';
import { define as defineOutbox } from './outbox/definition.ts';
import { define as defineProvision } from './provision/definition.ts';
import { define as defineReleases } from './releases/definition.ts';
import { define as defineReload } from './reload/definition.ts';
import { define as defineRun } from './run/definition.ts';
import { define as defineSimulate } from './simulate/definition.ts';
import { define as defineStatus } from './status/definition.ts';
import { define as defineSupport } from './support/definition.ts';
import { define as defineTerminals } from './terminals/definition.ts';
import { define as defineTimeline } from './timeline/definition.ts';
import { define as defineTrust } from './trust/definition.ts';
import { tellFailure } from './failure.ts';
import type { Io } from './io.ts';
import { exitCode, monitorCode } from './io.ts';
import { refuseOpenDoors } from './open-doors.ts';

/** In the order of `--help`. */
const definitions = [
  defineRun,
  defineInit,
  defineCheck,
  defineStatus,
  defineFleet,
  defineTerminals,
  defineTrust,
  defineProvision,
  defineDemo,
  defineSimulate,
  defineCard,
  defineGuest,
  defineReleases,
  defineTimeline,
  defineOutbox,
  defineNotify,
  defineSupport,
  defineLogLevel,
  defineReload,
  defineLogs,
];

/** Resolves with the exit code; never rejects. */
export async function runCommandLine(argv: readonly string[], io: Io): Promise<number> {
  let code: number = exitCode.ok;
  const program = createProgram(io, (given) => {
    code = given;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    // commander has already printed the help, the version or the mistake.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : misused(error, argv, io);
    return tellFailure(error, io, { debug: program.opts<{ debug?: boolean }>().debug });
  }
}

/**
 * All commands and options. The manual page and the completions are made from this program too. `ended` gets the exit
 * code.
 */
export function createProgram(io: Io, ended: (code: number) => void): Command {
  const program = new Command('platen')
    .description('Print-release terminal agent: badge in at a printer, get your documents, once.')
    .version(version)
    .option('--debug', 'print stack traces')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out(text.trimEnd()),
      writeErr: (text) => io.error(text.trimEnd()),
    })
    .hook('preAction', () => refuseOpenDoors(io.env, process.execArgv));
  const calls = new Calls(io, ended);
  for (const define of definitions) define(program, calls);
  return program;
}

/** A plugin of a monitoring system prints everything on standard output. Wrong arguments are UNKNOWN. */
function misused({ message }: CommanderError, argv: readonly string[], io: Io): number {
  if (!argv.includes('--monitor')) return exitCode.usage;
  io.out(`PLATEN UNKNOWN - ${message}`);
  return monitorCode.unknown;
}
