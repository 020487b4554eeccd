/** The command line: which command, with which options. What a command does is in its own file. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { version } from '../core/version.ts';
import { defineCard } from './card/options.ts';
import type { CheckOptions } from './check/check.ts';
import { defineCheck } from './check/options.ts';
import { tellFailure } from './failure.ts';
import { defineInit, usualConfig } from './init/options.ts';
import type { Io } from './io.ts';
import { exitCode, monitorCode } from './io.ts';
import { defineLogs, openLog } from './logs/options.ts';
import { moment } from './terminal-text/moment.ts';
import { refuseOpenDoors } from './opened/open-doors.ts';
import { openAuthorities, openBundle, openExport } from './opened/opened-by-caller.ts';
import { becomeServiceUser, serviceUser } from './service-user.ts';
import { runProgramOf } from './support/program.ts';
import { defineSupport } from './support/options.ts';
import { defineTimeline } from './timeline/options.ts';

const configOption = ['-c, --config <file>', 'the configuration file'] as const;
const jsonOption = ['--json', 'print JSON instead of a table'] as const;

const passwordFileOption = [
  '--password-file <file>',
  'its first line is the password; without it standard input is read',
] as const;

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
    // commander has printed help, version or the mistake already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : misused(error, argv, io);
    return tellFailure(error, io, { debug: program.opts<{ debug?: boolean }>().debug });
  }
}

/** All commands and options; manual page and completions are made of it too. `ended` is told the exit code. */
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
  // A command is loaded when it is called, so that the daemon carries nothing of the others. It works as the service's
  // user: `open` alone is still done as whoever called, and reads nothing.
  const opens =
    <Given, Options>(
      load: Load<Options>,
      open: (given: Given, io: Io) => Options,
      groups: () => Promise<readonly number[]> = async () => [],
    ) =>
    async (given: Given) => {
      const action = await load();
      const options = open(given, io);
      becomeServiceUser(serviceUser() ? await groups() : []);
      ended(await action(options, io));
    };
  const does = <Options>(load: Load<Options>) => opens(load, (given: Options) => given);

  program
    .command('run')
    .description('run the daemon in the foreground until SIGTERM or SIGINT')
    .requiredOption(...configOption)
    .action(does(async () => (await import('./run/run.ts')).runCommand));
  // Writes as root, and becomes the service's user by itself.
  defineInit(program, async (options) =>
    ended(await (await import('./init/init.ts')).initCommand(options, io)),
  );
  defineCheck(
    program,
    opens(
      async () => (await import('./check/check.ts')).checkCommand,
      (given: CheckOptions) => given,
      // It opens readers as the agent does.
      async () => (await import('./check/unit-access.ts')).unitGroups(runProgramOf(io.env['PATH'])),
    ),
  );
  program
    .command('status')
    .description('ask the running daemon how it is')
    .option(...configOption, usualConfig)
    .option('--terminal <id>', 'one terminal alone, with its settings and where they come from')
    .option('--all', 'a line for every terminal and every condition, however many')
    .option('--watch [seconds]', 'show it again every so often (2), until interrupted', watchSeconds)
    .option(...jsonOption)
    .action(does(async () => (await import('./status/status.ts')).statusCommand));
  program
    .command('trust')
    .description(
      'show the authorities the service offers, or who a printer is; trust those you have compared',
    )
    .option(...configOption, usualConfig)
    .option('--printer <terminal>', 'show the printer of this terminal, beside what is remembered of it')
    .option('--save <file>', 'write the authorities of the given fingerprints to this new file, as PEM')
    .option(
      '--fingerprint <sha256>',
      'of an authority, or the printer, that you have compared; once for each',
      fingerprints,
    )
    .option('--user <name>', 'whom to log in as, where the service refuses the device')
    .option(...passwordFileOption)
    .option(...jsonOption)
    .action(opens(async () => (await import('./trust/trust.ts')).trustCommand, openAuthorities));
  program
    .command('provision')
    .description("tell which terminals the service's output ports lack or know otherwise; make them so")
    .option(...configOption, usualConfig)
    .requiredOption('--user <name>', 'the administrator to log in as')
    .option(...passwordFileOption)
    .option('--domain <domain>', "of new output ports; else the account's primary domain")
    .option('--apply', 'make and change output ports instead of telling only')
    .option('--json', 'print JSON instead of lines')
    .action(does(async () => (await import('./provision/provision.ts')).provisionCommand));
  program
    .command('demo')
    .description('walk one whole release with an embedded cloud, printer and badge reader')
    .option('--once', 'exit after one release')
    .option('--listen <host:port>', 'where the kiosk page listens (127.0.0.1:7380; with --once a free port)')
    .action(does(async () => (await import('./demo/demo.ts')).demoCommand));

  const simulate = program
    .command('simulate')
    .description('run one embedded piece alone, where platen.service is not at work');
  simulate
    .command('cloud')
    .description('a strict print service on the loopback address')
    .option('--port <number>', 'where it listens', portNumber, 7300)
    .option('--api-key <key>', 'the API key it accepts', 'sample-api-key')
    .addOption(
      new Option(
        '--approve <how>',
        'by-hand, at-once, or the number of polls after which a device is approved',
      )
        .default('by-hand')
        .argParser(approval),
    )
    .option('--state <file>', 'keep the state in this file')
    .option('--gateway', 'answer as a gateway does, which has no certificates')
    .action(does(async () => (await import('./simulate/simulate.ts')).simulateCloud));
  simulate
    .command('printer')
    .description(
      'a virtual printer that writes what it prints to a folder; IPP, or raw TCP with --raw; takes words as empty and jam',
    )
    .option('--port <number>', 'where it listens', portNumber, 8631)
    .option('--output <folder>', 'where the printed files go', 'printed')
    .option('--raw', 'take raw bytes, as printers do on port 9100')
    .option('--pjl', 'with --raw: answer in PJL, and tell the end of each job')
    .option('--serial-number <number>', 'the serial number it tells, by IPP', 'SN-0001')
    .option(
      '--habit <name...>',
      'do as real ones do, as in counts-late or cuts-names=80; list names them all',
    )
    .action(does(async () => (await import('./simulate/simulate.ts')).simulatePrinter));
  simulate
    .command('reader')
    .description('a badge reader on a pseudo-terminal or the network; each line typed is a badge')
    .option('--link <path>', 'a name for the pseudo-terminal that stays the same', 'platen-reader')
    .option('--dial <port>', 'instead: dials in at this port of this machine (tcp-listen)', portNumber)
    .option('--wait <port>', 'instead: waits at this port to be dialled (tcp-connect)', portNumber)
    .action(does(async () => (await import('./simulate/simulate.ts')).simulateReader));

  defineCard(program, {
    convert: does(async () => (await import('./card/card.ts')).convertCard),
    learn: does(async () => (await import('./card/learn.ts')).learnCardRules),
  });

  const releases = program.command('releases').description('the release ledger');
  releases
    .command('list')
    .description('the newest releases')
    .option(...configOption, usualConfig)
    .option('--limit <number>', 'how many', wholeNumber, 20)
    .option('--terminal <id>', 'of this terminal alone')
    .addOption(new Option('--outcome <outcome>', 'that ended so').choices(['completed', 'failed', 'unknown']))
    .option(
      '--since <when>',
      'wanted since then: a time (ISO 8601), or so long ago as in 30m, 12h, 7d',
      moment,
    )
    .option(...jsonOption)
    .action(does(async () => (await import('./releases/releases.ts')).listReleases));
  releases
    .command('show <code>')
    .description(
      'one release with all that happened and where the time went; or an outage, by the code shown',
    )
    .option(...configOption, usualConfig)
    .option(...jsonOption)
    .action((id: string, options: { config: string; json?: boolean }) =>
      does(async () => (await import('./releases/releases.ts')).showRelease)({ ...options, id }),
    );

  defineTimeline(
    program,
    does(async () => (await import('./timeline/timeline.ts')).timelineCommand),
  );

  const outbox = program.command('outbox').description('history records that the service has not taken');
  outbox
    .command('list')
    .description('what waits, and why; no names')
    .option(...configOption, usualConfig)
    .option(...jsonOption)
    .action(does(async () => (await import('./releases/outbox.ts')).listOutbox));
  outbox
    .command('retry [id]')
    .description('post dead letters once more: all, or that of one release')
    .option(...configOption, usualConfig)
    .action((id: string | undefined, options: { config: string }) =>
      does(async () => (await import('./releases/outbox.ts')).retryOutbox)({
        ...options,
        ...(id === undefined ? {} : { id }),
      }),
    );
  outbox
    .command('export <file>')
    .description('write all of them, with names and titles, to a new file: .csv, else JSON Lines')
    .option(...configOption, usualConfig)
    .action((file: string, options: { config: string }) =>
      opens(
        async () => (await import('./releases/outbox.ts')).exportOutbox,
        openExport,
      )({ ...options, file }),
    );

  defineSupport(program, {
    bundle: opens(async () => (await import('./support/support-bundle.ts')).supportBundleCommand, openBundle),
    logLevel: does(async () => (await import('./log-level/log-level.ts')).logLevelCommand),
    reload: does(async () => (await import('./reload/reload.ts')).reloadCommand),
  });
  defineLogs(
    program,
    opens(async () => (await import('./logs/logs.ts')).logsCommand, openLog),
  );

  return program;
}

type Load<Options> = () => Promise<(options: Options, io: Io) => Promise<number>>;

/** A plugin of a monitoring system says everything on standard output, and wrong arguments are UNKNOWN. */
function misused({ message }: CommanderError, argv: readonly string[], io: Io): number {
  if (!argv.includes('--monitor')) return exitCode.usage;
  io.out(`PLATEN UNKNOWN - ${message}`);
  return monitorCode.unknown;
}

function watchSeconds(text: string): number {
  const seconds = wholeNumber(text);
  if (seconds > 3600) throw new InvalidArgumentError('must be at most 3600 seconds.');
  return seconds;
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('must be a whole number above 0.');
  return Number(text);
}

/** As OpenSSL prints one, or bare; gathered as capital digits in pairs with colons. */
function fingerprints(text: string, before: readonly string[] = []): readonly string[] {
  const digits = text.replace(/^sha-?256(?: fingerprint)?[=:]/i, '').replaceAll(':', '');
  if (!/^[0-9a-f]{64}$/i.test(digits)) {
    throw new InvalidArgumentError('must be a SHA-256 fingerprint: 64 hexadecimal digits.');
  }
  return [...before, digits.toUpperCase().replace(/(..)(?=.)/g, '$1:')];
}

function portNumber(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('must be a port number.');
  return Number(text);
}

function approval(text: string): 'by-hand' | 'at-once' | { afterPolls: number } {
  return text === 'by-hand' || text === 'at-once' ? text : { afterPolls: wholeNumber(text) };
}
