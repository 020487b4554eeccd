/**
 * The parts of the fleet demo: a private PostgreSQL, an embedded cloud, printer and badge reader, and two gateways that
 * are both set up for the printer's terminal. Everything ends with it; only the printed pages stay.
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemChance } from '../../core/chance.ts';
import { systemClock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import type { SimulatedCloud } from '../../simulator/cloud/cloud.ts';
import { startCloud } from '../../simulator/cloud/cloud.ts';
import type { VirtualPrinter } from '../../simulator/printer/printer.ts';
import { startVirtualPrinter } from '../../simulator/printer/printer.ts';
import { startPrivatePostgres } from '../../simulator/private-postgres.ts';
import type { VirtualReader } from '../../simulator/reader/reader.ts';
import { startVirtualReader } from '../../simulator/reader/reader.ts';
import { sampleData } from '../../simulator/sample/sample-data.ts';
import type { Io } from '../io.ts';
import type { Gateway } from './gateway.ts';
import { createGateway } from './gateway.ts';
import type { Say } from './narrator.ts';
import { createVoice } from './narrator.ts';

export interface FleetStage extends AsyncDisposable {
  readonly cloud: SimulatedCloud;
  readonly printer: VirtualPrinter;
  readonly reader: VirtualReader;
  /** Not started yet. */
  readonly a: Gateway;
  readonly b: Gateway;
  readonly say: Say;
  readonly printed: string;
}

/** The gateway is killed while the document in the middle prints. */
const documents = [
  { owner: 'alice', name: 'Welcome to Platen.pdf', pages: 1 },
  { owner: 'alice', name: 'Quarterly report.pdf', pages: 5 },
  { owner: 'alice', name: 'Site plan.pdf', pages: 2 },
];

const terminal = 'entrance';

/** `postgres`: the server program. */
export async function setFleetStage(postgres: string, io: Io): Promise<FleetStage> {
  await using opening = new AsyncDisposableStack();
  const voice = createVoice(systemClock, io.out);
  let isOver = false;
  const say = (sentence: string) => void (isOver || voice(sentence));
  const folder = await mkdtemp(join(tmpdir(), 'platen-demo-'));
  const printed = join(folder, 'printed');
  const engine = opening.use(await startPrivatePostgres(postgres, systemChance.uuid()));
  const cloud = opening.use(
    await startCloud({ approval: { afterPolls: 1 }, seed: { ...sampleData, documents } }),
  );
  // Long enough to kill one gateway, and for the other one to take over, while pages still come out.
  const printer = opening.use(await startVirtualPrinter({ outputFolder: printed, pageTime: seconds(2) }));
  const reader = opening.use(await startVirtualReader({}));
  say(
    `A PostgreSQL was made for this demo. A print service listens at ${cloud.baseUrl}, a printer at ${printer.uri}, a badge reader at ${reader.path}.`,
  );

  const key = systemChance.bytes(32).toString('base64');
  const gateway = (name: string) =>
    createGateway(
      { name, folder, config: configFor(name, { cloud, printer, reader, url: engine.url, key }) },
      { terminal, say, io },
    );
  const a = opening.use(await gateway('gateway-a'));
  const b = opening.use(await gateway('gateway-b'));
  // The end of the gateways is no part of the story.
  opening.defer(() => void (isOver = true));
  const open = opening.move();
  return {
    cloud,
    printer,
    reader,
    a,
    b,
    say,
    printed,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

function configFor(
  name: string,
  world: Pick<FleetStage, 'cloud' | 'printer' | 'reader'> & { readonly url: string; readonly key: string },
): object {
  const { cloud, printer, reader, url, key } = world;
  return {
    cloud: { baseUrl: cloud.baseUrl, authUrl: cloud.authUrl, apiKey: cloud.apiKey },
    device: { clientId: name, description: `Platen demo, ${name}`, poll: { firstSeconds: 1 } },
    fleet: { engine: { url }, key },
    terminals: [
      {
        id: terminal,
        serialNumber: 'SN-0001',
        place: 'Entrance',
        session: { autoRelease: true },
        printer: { uri: printer.uri },
        readers: [{ type: 'serial', path: reader.path }],
      },
    ],
    history: { unknownAfterHours: 0 },
    kiosk: { listen: '127.0.0.1:0' },
    operations: { listen: '127.0.0.1:0' },
  };
}
