/**
 * What a flow plays on: the embedded cloud and printer, a badge reader on a pseudo-terminal, and the agent between
 * them, composed as `platen run` composes it, from a configuration file. Everything goes when the stage goes.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { LookupFunction } from 'node:net';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { startAgent } from '../../../src/agent/agent.ts';
import type { LogRecord } from '../../../src/commands/logs/sentences.ts';
import type { ReadConfig, ReloadOutcome } from '../../../src/agent/reload.ts';
import type { PushedChoice } from '../../../src/config/pushed/over-local.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { systemChance } from '../../../src/core/chance.ts';
import type { Clock } from '../../../src/core/clock.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { seconds } from '../../../src/core/duration.ts';
import { createLog } from '../../../src/core/log.ts';
import type { ServiceManager } from '../../../src/operations/service-manager.ts';
import type { CloudOptions, SimulatedCloud } from '../../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../../src/simulator/cloud/cloud.ts';
import type { PrinterOptions, VirtualPrinter } from '../../../src/simulator/printer/printer.ts';
import { startVirtualPrinter } from '../../../src/simulator/printer/printer.ts';
import type { VirtualReader } from '../../../src/simulator/reader/reader.ts';
import { startVirtualReader } from '../../../src/simulator/reader/reader.ts';
import type { ForwardClock } from '../forward-clock.ts';
import { forwardClock } from '../forward-clock.ts';
import { patience } from '../patience.ts';

export const aliceCard = '04A1B2C3D4';
export const bobCard = '04B5C6D7E8';
export const carolCard = '04C9DAEBFC';

/** The reader's own pauses (INVARIANTS.md B.4, 1): a second badge at the side of one, and a badge that lies there. */
const untilAnotherBadge = seconds(0.4);
const untilSameBadge = seconds(1.6);

export interface Running extends AsyncDisposable {
  readonly records: readonly LogRecord[];
  /** The next record with this message that fits and was not returned before. */
  told(msg: string, fits?: (record: LogRecord) => boolean): Promise<LogRecord>;
  /** `http://127.0.0.1:…` of the operations and kiosk listeners. */
  readonly operations: string;
  readonly kiosk: string;
  /** Of its configuration. */
  readonly folder: string;
  /** What SIGHUP makes of the file as it is now; or of what was read before. */
  reload(read?: ReadConfig): Promise<ReloadOutcome>;
  /** Ends it in order; rejects with what it failed with. */
  stop(): Promise<void>;
}

export interface Stage extends AsyncDisposable {
  readonly folder: string;
  readonly configFile: string;
  readonly cloud: SimulatedCloud;
  readonly printer: VirtualPrinter;
  readonly reader: VirtualReader;
  /** Starts the agent in this process. */
  start(): Promise<Running>;
  /** The agent's clock is put forward: a badge that was read does not keep another one out any more. */
  awaitAnotherBadge(): void;
  /** Likewise: a badge that was read may be held to the reader again. */
  awaitSameBadge(): void;
}

export interface StageOptions {
  readonly cloud?: CloudOptions;
  readonly printer?: PrinterOptions;
  /** Laid over the stage's own configuration, section by section. */
  readonly config?: Readonly<Record<string, object>>;
  /** Laid over the one terminal's settings. */
  readonly terminal?: Readonly<Record<string, unknown>>;
  /** How long a printer that takes nothing is waited for; 5 unless said. */
  readonly stallSeconds?: number;
  /** Further terminals, each with its own id and serial number; without more, at the same printer and without readers. */
  readonly others?: readonly { readonly id: string; readonly serialNumber: string }[];
  /** The agent's. */
  readonly clock?: ForwardClock;
  /** How the agent looks up the cloud's name; the system's way by default. */
  readonly lookup?: LookupFunction;
  /** Whom the agent tells how it is; nobody by default. */
  readonly manager?: ServiceManager;
}

export async function setStage({ clock = forwardClock(), ...options }: StageOptions = {}): Promise<Stage> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'platen-flow-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const cloud = opened.use(await startCloud({ approval: 'at-once', clock, ...options.cloud }));
  const printer = opened.use(await startVirtualPrinter({ clock, ...options.printer }));
  // By a name of its own: that of a pseudo-terminal is given to others, whom an agent that still looks for it would keep out.
  const reader = opened.use(await startVirtualReader({ link: join(folder, 'reader') }));

  const base: Record<string, object> = {
    cloud: { baseUrl: cloud.baseUrl, authUrl: cloud.authUrl, apiKey: cloud.apiKey },
    device: { poll: { firstSeconds: 1 } },
    kiosk: { listen: '127.0.0.1:0' },
    operations: { listen: '127.0.0.1:0' },
  };
  const terminal = {
    id: 'lobby',
    serialNumber: 'SN-0001',
    readers: [{ type: 'serial', path: reader.path }],
    ...options.terminal,
    ...(options.terminal?.['printers'] === undefined && {
      printer: {
        uri: printer.uri,
        stallSeconds: options.stallSeconds ?? 5,
        ...(options.terminal?.['printer'] as object | undefined),
      },
    }),
  };
  const laidOver = Object.entries(options.config ?? {}).map(([key, value]) => [
    key,
    { ...base[key], ...value },
  ]);
  const config = {
    ...base,
    ...Object.fromEntries(laidOver),
    stateDir: join(folder, 'state'),
    terminals: [
      terminal,
      ...(options.others ?? []).map((other) => ({ printer: { uri: printer.uri }, ...other })),
    ],
  };
  const configFile = join(folder, 'platen.yaml');
  await writeFile(configFile, stringify(config), { mode: 0o600 });

  const held = opened.move();
  return {
    folder,
    configFile,
    cloud,
    printer,
    reader,
    start: async () => held.use(await runAgent(configFile, { ...options, clock })),
    awaitAnotherBadge: () => clock.forward(untilAnotherBadge),
    awaitSameBadge: () => clock.forward(untilSameBadge),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

interface RunOptions extends Pick<StageOptions, 'lookup' | 'manager'> {
  readonly clock?: Clock;
}

export async function runAgent(
  configFile: string,
  { clock = systemClock, lookup, manager }: RunOptions,
): Promise<Running> {
  const records: LogRecord[] = [];
  const returned = new Set<LogRecord>();
  const listeners = new Set<() => void>();
  const destination = {
    write(line: string) {
      records.push(JSON.parse(line) as LogRecord);
      for (const listener of [...listeners]) listener();
    },
  };
  const pushed: PushedChoice = {};
  const read = () => loadConfig(configFile, {}, pushed);
  const agent = await startAgent({
    config: read(),
    readConfig: read,
    pushed,
    clock,
    ...(lookup === undefined ? {} : { lookup }),
    ...(manager === undefined ? {} : { manager }),
    chance: systemChance,
    log: createLog({ level: 'debug', destination }),
  });
  const started = records.find(({ msg }) => msg === 'agent started');
  const over = new AbortController();
  const running = agent.run(over.signal);
  // Looked at in `stop`; a test that never stops fails by its missing record.
  running.catch(() => {});
  const stop = async () => {
    over.abort();
    await running;
  };
  return {
    records,
    operations: `http://${String(started?.['operations'])}`,
    kiosk: `http://${String(started?.['kiosk'])}`,
    folder: dirname(configFile),
    stop,
    reload: (from = read) => agent.reload(from),
    told(msg, fits = () => true) {
      const limit = systemClock.deadline(patience());
      return new Promise((resolve, reject) => {
        const look = () => {
          const record = records.find((one) => one.msg === msg && !returned.has(one) && fits(one));
          if (!record) return;
          returned.add(record);
          listeners.delete(look);
          resolve(record);
        };
        listeners.add(look);
        limit.addEventListener('abort', () => {
          listeners.delete(look);
          const tail = records.slice(-12).map((one) => JSON.stringify(one));
          reject(new Error(`"${msg}" was not told; the last records:\n${tail.join('\n')}`));
        });
        look();
      });
    },
    [Symbol.asyncDispose]: () => stop().catch(() => {}),
  };
}
