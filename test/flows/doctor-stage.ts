/**
 * What the doctor is called to: a configuration for the embedded cloud and printer with nothing wrong, and no agent.
 * Each test breaks what it wants, and nothing of one touches another: they run side by side.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { Finding } from '../../src/commands/check/examination.ts';
import type { CloudOptions, SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import type { VirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { commandHere } from '../support/command-here.ts';

export interface Checked {
  readonly code: number;
  readonly findings: readonly Finding[];
  line(what: string): Finding | undefined;
  /** Of what failed. */
  readonly failed: readonly string[];
}

export interface DoctorStage extends AsyncDisposable {
  readonly folder: string;
  readonly configFile: string;
  readonly stateDir: string;
  readonly cloud: SimulatedCloud;
  readonly printer: VirtualPrinter;
  /** Laid over the configuration, section by section; the terminal's over the one terminal. */
  change(changes: Readonly<Record<string, unknown>>): Promise<void>;
  changeTerminal(changes: Readonly<Record<string, unknown>>): Promise<void>;
  /** Until the stage goes; gives the port. */
  listen(server: Server): Promise<number>;
  /** Something that answers as an agent does, or almost. */
  answerAsAgent(answer: RequestListener): Promise<void>;
  check(): Promise<Checked>;
  /** `check --monitor` */
  monitor(): Promise<{ readonly code: number; readonly out: string; readonly error: string }>;
}

export async function setDoctorStage(options: CloudOptions = {}): Promise<DoctorStage> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'platen-doctor-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const cloud = opened.use(await startCloud(options));
  const printer = opened.use(await startVirtualPrinter());
  const configFile = join(folder, 'platen.yaml');
  const stateDir = join(folder, 'state');
  await writeFile(join(folder, 'api-key'), cloud.apiKey, { mode: 0o600 });
  await writeFile(
    configFile,
    stringify({
      cloud: { baseUrl: cloud.baseUrl, authUrl: cloud.authUrl, apiKey: { file: 'api-key' } },
      stateDir,
      kiosk: { listen: '127.0.0.1:0' },
      operations: { listen: '127.0.0.1:0' },
      // Looking for them takes most of the time; they are looked at elsewhere.
      conversion: { ghostscript: '/nowhere/gs', qpdf: '/nowhere/qpdf' },
      terminals: [{ id: 'lobby', serialNumber: 'SN-0001', printer: { uri: printer.uri } }],
    }),
    { mode: 0o600 },
  );

  type Settings = Record<string, Record<string, unknown>> & { terminals: Record<string, unknown>[] };
  const settings = async () => parse(await readFile(configFile, 'utf8')) as Settings;
  async function change(changes: Readonly<Record<string, unknown>>): Promise<void> {
    const now = await settings();
    const laidOver = Object.entries(changes).map(([key, value]) => [
      key,
      typeof value === 'object' && !Array.isArray(value) ? { ...now[key], ...value } : value,
    ]);
    await writeFile(configFile, stringify({ ...now, ...Object.fromEntries(laidOver) }));
  }
  async function listen(server: Server): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    held.defer(() => void server.close());
    return (server.address() as AddressInfo).port;
  }

  const held = opened.move();
  return {
    folder,
    configFile,
    stateDir,
    cloud,
    printer,
    change,
    listen,
    async changeTerminal(changes) {
      const { terminals } = await settings();
      await change({ terminals: [{ ...terminals[0], ...changes }] });
    },
    async answerAsAgent(answer) {
      const server = createServer(answer);
      held.defer(() => server.closeAllConnections());
      await mkdir(stateDir, { recursive: true, mode: 0o700 });
      await new Promise<void>((resolve) => server.listen(join(stateDir, 'control.sock'), resolve));
      held.defer(() => void server.close());
    },
    async check() {
      const { code, out, error } = await commandHere(['check', '-c', configFile, '--json']);
      if (out === '') throw new Error(error);
      const findings = JSON.parse(out) as Finding[];
      return {
        code,
        findings,
        line: (what) => findings.find((one) => one.what === what),
        failed: findings.filter(({ state }) => state === 'failed').map(({ what }) => what),
      };
    },
    monitor: () => commandHere(['check', '-c', configFile, '--monitor']),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
