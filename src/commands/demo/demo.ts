/**
 * `platen demo [--once]`: an embedded cloud, printer and badge reader, and the agent between them just as `platen run`
 * would start it, from a configuration file. With `--once` it walks one whole release and looks whether the page came
 * out unchanged and the service was told; otherwise it takes badges typed on the keyboard.
 */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { stringify } from 'yaml';
import { startAgent } from '../../agent/agent.ts';
import { loadConfig } from '../../config/load.ts';
import { systemChance } from '../../core/chance.ts';
import { systemClock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import { createLog } from '../../core/log.ts';
import { aborted } from '../../core/service.ts';
import type { SimulatedCloud } from '../../simulator/cloud/cloud.ts';
import { startCloud } from '../../simulator/cloud/cloud.ts';
import type { VirtualPrinter } from '../../simulator/printer/printer.ts';
import { startVirtualPrinter } from '../../simulator/printer/printer.ts';
import type { VirtualReader } from '../../simulator/reader/reader.ts';
import { startVirtualReader } from '../../simulator/reader/reader.ts';
import { launchFileIn } from '../../store/sealed/kiosk-secrets.ts';
import type { Narrator } from './narrator.ts';
import { createNarrator } from './narrator.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { onTypedLine } from '../terminal-text/typed-lines.ts';

interface Stage {
  readonly cloud: SimulatedCloud;
  readonly printer: VirtualPrinter;
  readonly reader: VirtualReader;
  readonly narrator: Narrator;
}

/** The whole walk takes about two seconds; nobody waits longer than this for it. */
const walkLimit = seconds(30);

export async function demoCommand(
  { once, listen }: { once?: boolean; listen: string },
  io: Io,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-demo-'));
  const narrator = createNarrator(systemClock, io.out);
  await using cloud = await startCloud({ approval: { afterPolls: 1 } });
  await using printer = await startVirtualPrinter({ outputFolder: join(folder, 'printed') });
  await using reader = await startVirtualReader({});
  narrator.say(
    `A print service listens at ${cloud.baseUrl}, a printer at ${printer.uri}, a badge reader at ${reader.path}.`,
  );

  const file = join(folder, 'platen.yaml');
  await writeFile(
    file,
    stringify(configFor({ cloud, printer, reader, folder, listen: listen ?? defaultListen(once), once })),
    {
      mode: 0o600,
    },
  );
  const log = createLog({ level: 'info', destination: narrator });
  const config = loadConfig(file, {});
  const agent = await startAgent({ config, clock: systemClock, chance: systemChance, log });

  const over = new AbortController();
  const running = agent.run(AbortSignal.any([io.stop, over.signal]));
  try {
    const stage = { cloud, printer, reader, narrator };
    if (once) return await Promise.race([walkOnce(stage, folder, io), running.then(() => exitCode.failed)]);
    await stayUp(stage, { file, launchFile: launchFileIn(config.stateDir) }, io);
    return exitCode.ok;
  } finally {
    over.abort();
    await running;
  }
}

/** A walk nobody looks at must not be in the way of a daemon on the usual port. */
const defaultListen = (once: boolean | undefined) => (once ? '127.0.0.1:0' : '127.0.0.1:7380');

async function walkOnce(
  { cloud, printer, reader, narrator }: Stage,
  folder: string,
  io: Io,
): Promise<number> {
  const limit = systemClock.deadline(walkLimit, io.stop);
  const step = <Result>(result: Promise<Result>): Promise<Result> =>
    Promise.race([
      result,
      aborted(limit).then(() =>
        Promise.reject(new Error(io.stop.aborted ? 'the demo was stopped' : 'the demo took too long')),
      ),
    ]);

  const [alice] = cloud.state.users;
  const waiting = cloud.state.documents.filter(({ owner }) => owner === alice?.userName);
  if (!alice?.cards[0] || waiting.length === 0)
    throw new Error('the sample data has no card with a document');

  await step(narrator.told('terminal ready'));
  await step(narrator.told('reader up'));
  narrator.say(`${alice.fullName} holds her card to the reader; ${waiting.length} documents wait for her.`);
  reader.tap(alice.cards[0]);
  await step(narrator.told('session closed', ({ reason }) => reason === 'released'));
  await step(cloud.waitFor(() => cloud.state.history.length >= waiting.length, { timeout: walkLimit }));
  await step(narrator.told('status reported'));
  await step(
    cloud.waitFor(() => waiting.every(({ info }) => info.status === deleted), { timeout: walkLimit }),
  );

  const unchanged = waiting.every(({ bytes }) => {
    const digest = createHash('sha256').update(bytes).digest('hex');
    return printer.outputs.filter((output) => output.complete && output.sha256 === digest).length === 1;
  });
  const deviations = [...cloud.deviations, ...printer.deviations];
  for (const deviation of deviations) narrator.say(`deviation: ${deviation}`);
  if (!unchanged || deviations.length > 0) {
    io.error('platen: the demo failed: what came out is not what was sent, or the protocol was not kept');
    return exitCode.failed;
  }
  narrator.say('Every document came out once and unchanged, is recorded, and is deleted in the service.');
  narrator.say(`Look at the pages: ${join(folder, 'printed')}`);
  return exitCode.ok;
}

/** DocumentInfo.status of the spec. */
const deleted = 2;

async function stayUp(
  { cloud, reader, narrator }: Stage,
  { file, launchFile }: { readonly file: string; readonly launchFile: string },
  io: Io,
): Promise<void> {
  await Promise.race([narrator.told('terminal ready'), aborted(io.stop)]);
  for (const { fullName, cards } of cloud.state.users)
    narrator.say(`The card of ${fullName}: ${cards.join(', ')}`);
  narrator.say(`The configuration: ${file}`);
  const { kiosk } = await narrator.told('agent started');
  const launch = (await readFile(launchFile, 'utf8')).trim();
  narrator.say(`The page on which one can choose: http://${String(kiosk)}/t/demo?launch=${launch}`);
  narrator.say(`That address works once; the secret of the next one is in ${launchFile}`);
  narrator.say('Type a card number and Enter to hold that card to the reader, again to print; Ctrl-C ends.');
  onTypedLine((line) => reader.tap(line), io.stop);
  await aborted(io.stop);
}

function configFor(demo: {
  cloud: SimulatedCloud;
  printer: VirtualPrinter;
  reader: VirtualReader;
  folder: string;
  listen: string;
  once: boolean | undefined;
}): object {
  const { cloud, printer, reader, folder } = demo;
  return {
    cloud: { baseUrl: cloud.baseUrl, authUrl: cloud.authUrl, apiKey: cloud.apiKey },
    device: { description: 'Platen demo', poll: { firstSeconds: 1 } },
    stateDir: join(folder, 'state'),
    terminals: [
      {
        id: 'demo',
        serialNumber: 'SN-0001',
        printer: { uri: printer.uri },
        readers: [{ type: 'serial', path: reader.path }],
        session: { autoRelease: demo.once ?? false },
      },
    ],
    kiosk: { listen: demo.listen },
    operations: { listen: '127.0.0.1:0' },
  };
}
