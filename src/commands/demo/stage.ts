/**
 * The parts of every demo: an embedded cloud, printer and badge reader, and an agent between them, which starts from a
 * configuration file as `platen run` does. Everything ends with it; only the printed pages stay.
 */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { startAgent } from '../../agent/agent.ts';
import { loadConfig } from '../../config/load.ts';
import { systemChance } from '../../core/chance.ts';
import { systemClock } from '../../core/clock.ts';
import { createLog } from '../../core/log.ts';
import { settleIn } from '../../core/long-run.ts';
import type { CloudOptions, SimulatedCloud } from '../../simulator/cloud/cloud.ts';
import { startCloud } from '../../simulator/cloud/cloud.ts';
import type { PrinterOptions, VirtualPrinter } from '../../simulator/printer/printer.ts';
import { startVirtualPrinter } from '../../simulator/printer/printer.ts';
import type { VirtualReader } from '../../simulator/reader/reader.ts';
import { startVirtualReader } from '../../simulator/reader/reader.ts';
import { launchFileIn } from '../../store/sealed/kiosk-secrets.ts';
import type { Narrator, Say } from './narrator.ts';
import { createNarrator, createVoice } from './narrator.ts';

export interface DemoStage extends AsyncDisposable {
  readonly cloud: SimulatedCloud;
  readonly printer: VirtualPrinter;
  readonly reader: VirtualReader;
  readonly narrator: Narrator;
  /** A sentence of the demo itself, in the same form as the narrator's. */
  readonly say: Say;
  /** The folder with the printed pages. */
  readonly printed: string;
  readonly configFile: string;
  /** The address of the terminal's page. */
  readonly page: string;
  /** The address works once. The secret in it comes from this file. */
  launchAddress(): Promise<{ readonly address: string; readonly file: string }>;
  /** Puts these settings over those of the terminal, as an administrator does, and has the file read again. */
  changeTerminal(settings: Readonly<Record<string, unknown>>): Promise<void>;
  /** Resolves when the agent has ended. It ends by itself only because of a fault. */
  readonly running: Promise<void>;
}

interface DemoOptions {
  readonly listen: string;
  readonly cloud?: CloudOptions;
  readonly printer?: PrinterOptions;
  readonly terminal?: Readonly<Record<string, unknown>>;
}

export const demoTerminal = 'demo';

export async function setDemoStage(
  options: DemoOptions,
  { out, stop }: { out(line: string): void; readonly stop: AbortSignal },
): Promise<DemoStage> {
  settleIn();
  await using opening = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'platen-demo-'));
  const printed = join(folder, 'printed');
  const say = createVoice(systemClock, out);
  const narrator = createNarrator(say);
  const cloud = opening.use(await startCloud({ approval: { afterPolls: 1 }, ...options.cloud }));
  const printer = opening.use(await startVirtualPrinter({ outputFolder: printed, ...options.printer }));
  const reader = opening.use(await startVirtualReader({}));
  say(
    `A print service listens at ${cloud.baseUrl}, a printer at ${printer.uri}, a badge reader at ${reader.path}.`,
  );

  const configFile = join(folder, 'platen.yaml');
  const write = (settings: Readonly<Record<string, unknown>>) =>
    writeFile(configFile, stringify(configFor({ cloud, printer, reader, folder, options, settings })), {
      mode: 0o600,
    });
  await write({});
  const read = () => loadConfig(configFile, {});
  const config = read();
  const log = createLog({ level: 'info', destination: narrator });
  const agent = await startAgent({ config, clock: systemClock, chance: systemChance, log });
  const { kiosk } = await narrator.recordOf('agent started');
  const page = `http://${String(kiosk)}/t/${demoTerminal}`;
  const over = new AbortController();
  const running = agent.run(AbortSignal.any([stop, over.signal]));
  opening.defer(async () => {
    over.abort();
    await running;
  });
  const open = opening.move();

  return {
    cloud,
    printer,
    reader,
    narrator,
    say,
    printed,
    configFile,
    page,
    running,
    async launchAddress() {
      const file = launchFileIn(config.stateDir);
      return { address: `${page}?launch=${(await readFile(file, 'utf8')).trim()}`, file };
    },
    async changeTerminal(settings) {
      await write(settings);
      await agent.reload(read);
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

function configFor(demo: {
  readonly cloud: SimulatedCloud;
  readonly printer: VirtualPrinter;
  readonly reader: VirtualReader;
  readonly folder: string;
  readonly options: DemoOptions;
  readonly settings: Readonly<Record<string, unknown>>;
}): object {
  const { cloud, printer, reader, folder, options, settings } = demo;
  return {
    cloud: { baseUrl: cloud.baseUrl, authUrl: cloud.authUrl, apiKey: cloud.apiKey },
    device: { description: 'Platen demo', poll: { firstSeconds: 1 } },
    stateDir: join(folder, 'state'),
    terminals: [
      {
        id: demoTerminal,
        serialNumber: 'SN-0001',
        printer: { uri: printer.uri },
        readers: [{ type: 'serial', path: reader.path }],
        ...options.terminal,
        ...settings,
      },
    ],
    kiosk: { listen: options.listen },
    operations: { listen: '127.0.0.1:0' },
  };
}
