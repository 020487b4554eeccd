/**
 * `platen check`, the doctor: examines everything that a release depends on. Each line has the finding, the time it
 * took, and what to do. It changes nothing and may run beside the daemon. The test page may too, because it waits for
 * its turn at the printer. The machine itself comes first, because a dead network must not delay the look at the disk.
 */
import { networkInterfaces } from 'node:os';
import type { Config, TerminalConfig } from '../../config/schema/config.ts';
import { counted } from '../../core/text/counted.ts';
import { seconds } from '../../core/duration.ts';
import { examineAgent } from './agent.ts';
import { examineServices } from './cloud.ts';
import { examineFleet, fleetLook } from './fleet.ts';
import { examineFleetConfiguration } from './fleet-configuration.ts';
import { examineMemory, examineNetwork, examineNode, examineTimeZone } from './machine.ts';
import { monitored, notExamined } from './monitor.ts';
import { examineOwnCertificates } from './own-certificates.ts';
import { examinePermissions } from './permissions.ts';
import { examineSpoolers } from './printer/spoolers.ts';
import { configSetUp } from './set-up.ts';
import { examineState } from './state.ts';
import { examineTerminal } from './terminal.ts';
import { examineTestPage } from './test-page.ts';
import { whileWaiting } from './waiting.ts';
import type { Finding, Pending, Step } from './examination.ts';
import { askedOnce, examineAll } from './examination.ts';
import { CommandFailed } from '../failure.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { examineConverter, examineFonts } from './converter.ts';
import { examineStick } from './stick.ts';
import { namedTerminal, thoseOf } from '../named-terminal.ts';
import type { AgentAnswer } from '../running-agent.ts';
import { askAgent } from '../running-agent.ts';
import { table } from '../terminal-text/table.ts';

export interface CheckOptions {
  readonly config: string;
  readonly json?: boolean;
  /** Output as a plugin of Nagios and Icinga. */
  readonly monitor?: boolean;
  /** The terminal; true: the only one. */
  readonly printTestPage?: string | true;
}

/** Enough for the case that nothing answers and the printer may be asleep. */
const wholeLimit = seconds(60);
/**
 * Monitoring systems give up after a minute at the latest, and many after 30 s. So the check does not wait until a
 * printer wakes up.
 */
const unattendedLimit = seconds(20);

export async function checkCommand(options: CheckOptions, io: Io): Promise<number> {
  return options.monitor ? monitorCheck(options, io) : plainCheck(options, io);
}

async function plainCheck({ config: file, json, printTestPage }: CheckOptions, io: Io): Promise<number> {
  const config = configSetUp(file, io.env);
  const findings =
    printTestPage === undefined
      ? await examineEverything({ file, config, io, ask: askedOnce(() => askAgent(config, io)) })
      : await examineAll([examineTestPage({ config, terminal: terminalOf(config, printTestPage), io })], {
          signal: io.stop,
        });
  io.out(json ? JSON.stringify(findings, undefined, 2) : table(findings.map(cells)));
  return findings.some(({ state }) => state === 'failed') ? exitCode.failed : exitCode.ok;
}

/** Even after an unexpected error the output is one line, and the exit code is one of the four. */
async function monitorCheck({ config: file }: CheckOptions, io: Io): Promise<number> {
  const since = io.clock.monotonic();
  try {
    const config = configSetUp(file, io.env);
    const ask = askedOnce(() => askAgent(config, io));
    const findings = await examineEverything({
      file,
      config,
      io: { ...io, screen: undefined },
      ask,
      isUnattended: true,
    });
    const answer = await ask();
    const { text, code } = monitored({
      findings,
      status: answer.kind === 'status' ? answer.status : undefined,
      terminals: config.terminals.length,
      milliseconds: io.clock.monotonic() - since,
    });
    io.out(text);
    return code;
  } catch (error) {
    const { text, code } = notExamined(error);
    io.out(text);
    return code;
  }
}

interface CheckPlace {
  readonly file: string;
  readonly config: Config;
  readonly io: Io;
  readonly isUnattended?: boolean;
  ask(): Promise<AgentAnswer>;
}

async function examineEverything(place: CheckPlace): Promise<readonly Finding[]> {
  const limit = place.isUnattended ? unattendedLimit : wholeLimit;
  const { clock } = place.io;
  const call = { signal: clock.deadline(limit, place.io.stop) };
  const pending: Pending = new Map();
  const work = async () => {
    const known = await examineAll(inTheMachine(place), call, { pending, clock });
    return [...known, ...(await examineAll(aroundIt(place), call, { known, pending, clock }))];
  };
  return whileWaiting(work(), { pending, screen: place.io.screen });
}

const inTheMachine = (place: CheckPlace): readonly Step[] => {
  const { file, config, io } = place;
  const { stateDir, terminals } = config;
  return [
    { what: 'config', kind: 'config', examine: async () => terminalsIn(file, terminals.length) },
    { what: 'permissions', kind: 'permissions', examine: () => examinePermissions({ file, stateDir }) },
    ...examineState(stateDir),
    { what: 'memory', kind: 'memory', examine: () => examineMemory() },
    { what: 'node', kind: 'node', examine: () => examineNode(io.clock.now()) },
    { what: 'time zone', kind: 'time zone', examine: () => examineTimeZone(io.env['TZ']) },
    { what: 'network', kind: 'network', examine: () => examineNetwork(networkInterfaces()) },
    ...examineAgent(place),
    { what: 'converter', kind: 'converter', examine: (call) => examineConverter(config, call) },
    {
      what: 'fonts',
      kind: 'converter',
      needs: ['converter'],
      examine: (call) => examineFonts(config, call),
    },
    ...examineStick(config),
  ];
};

const terminalsIn = (file: string, count: number): string | { waiting: string } =>
  count === 0
    ? { waiting: `${file}: there is no terminal yet. Add one under terminals` }
    : `${file}: ${counted(count, 'terminal')}`;

const aroundIt = ({ config, io, isUnattended = false, ask }: CheckPlace): readonly Step[] => {
  const status = async () => {
    const answer = await ask();
    return answer.kind === 'status' ? answer.status : undefined;
  };
  const fleet = fleetLook(config);
  return [
    ...examineServices(config, io),
    ...examineOwnCertificates(config),
    ...examineFleet(config, fleet),
    ...examineFleetConfiguration(config),
    ...examineSpoolers(config),
    ...config.terminals.flatMap((terminal) =>
      examineTerminal({ config, terminal, io, isUnattended, status, fleet }),
    ),
  ];
};

function terminalOf({ terminals }: Config, wanted: string | true): TerminalConfig {
  if (wanted !== true) return namedTerminal(terminals, wanted);
  const [only, another] = terminals;
  if (only && !another) return only;
  throw new CommandFailed(`Give the terminal: --print-test-page ID. ${thoseOf(terminals)}`);
}

const marks = { ok: 'ok', waiting: 'wait', failed: 'FAIL', skipped: 'skip' } as const;
const cells = (one: Finding) => [marks[one.state], one.what, `${one.milliseconds} ms`, one.detail];
