/**
 * What a fleet is struck on: one cloud, one PostgreSQL and three gateways, each with a line to the engine of its own. All
 * are set up for the same three printers, each in a site of its own and with a reader at one of them, so that all serve
 * (F11) and any can settle what another one left (F6). A person badges at all of them. The gateways are programs that
 * come and go.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { milliseconds } from '../../src/core/duration.ts';
import { samplePort } from '../../src/simulator/sample/sample-data.ts';
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { startVirtualSocketPrinter } from '../../src/simulator/printer/raw/socket-printer.ts';
import { startWaitingReader } from '../../src/simulator/reader/network-reader.ts';
import type { VirtualReader } from '../../src/simulator/reader/reader.ts';
import { startVirtualReader } from '../../src/simulator/reader/reader.ts';
import { setStage } from '../support/agent/stage.ts';
import type { Cable, Network } from '../support/cable.ts';
import { makeNetwork } from '../support/cable.ts';
import type { Certificate } from '../support/certificates.ts';
import { identityOf, makeCertificate } from '../support/certificates.ts';
import { layLine } from '../support/cut-line.ts';
import { fleetKey } from '../support/fleet/fleet-engine.ts';
import type { Postgres } from '../support/fleet/postgres.ts';
import type { EngineHost, EngineLine } from '../support/fleet/engine-host.ts';
import { startEngineHost } from '../support/fleet/engine-host.ts';
import type { EdgeHost } from '../support/fleet/edge-host.ts';
import { startEdgeHost } from '../support/fleet/edge-host.ts';
import { openOffice } from '../support/fleet/office.ts';
import type { Edges } from './fleet-edges.ts';
import type { Records } from './kill-oracle.ts';
import type { Output, Protocol } from './kill-stage.ts';
import { cloud, session, settings } from './kill-stage.ts';

export interface Place {
  readonly name: string;
  /** Its name on the roll. */
  readonly member: string;
  readonly stateDir: string;
  readonly configFile: string;
  readonly reader: Pick<VirtualReader, 'tap'>;
  /** To the engine; or to everything, where the gateway has a network of its own. */
  readonly line: Omit<EngineLine, 'url'>;
  /** What begins the command of its gateway. */
  readonly enter: readonly string[];
}

export interface ThreeGateways extends Records, AsyncDisposable {
  readonly postgres: Postgres;
  readonly places: readonly Place[];
  /** Every member comes back to the engine, and looks what there is to do. */
  looksAgain(): Promise<void>;
  /** What is cut when a line is, for people. */
  readonly cuts: string;
  /** Where its engine is at its edges. */
  readonly edges?: Edges;
  /** In the fleet's database. */
  sql(text: string): Promise<readonly Record<string, unknown>[]>;
}

const names = ['Entrance', 'Library', 'Second floor'] as const;

const serialOf = (index: number): string => `SN-000${index + 1}`;
/** A service takes no record of a printer that it does not know. */
const outputPorts = names.map((name, index) => ({
  ...samplePort,
  id: 7 + index,
  name,
  address: `10.0.0.${7 + index}`,
  deviceSerial: serialOf(index),
  ipReaderAddress: '',
  logoutTimeout: 60,
  autoRelease: true,
  monochrome: false,
  sendUsername: true,
}));
const fleetCloud = { seed: { ...cloud.seed, outputPorts } };

/** Long enough to be struck in. */
const pageTime = milliseconds(200);

interface PlacePrinter {
  readonly outputs: readonly Output[];
  readonly deviations: readonly string[];
}

export const setThreeGateways = async (protocol: Protocol): Promise<ThreeGateways> =>
  setGateways(protocol, await startEngineHost(names.length));

/** With an engine that can be brought to its edges. */
export async function setThreeAtTheEdges(protocol: Protocol): Promise<ThreeGateways> {
  const host = await startEdgeHost(names.length);
  return setGateways(protocol, host, { edgeHost: host });
}

/** Each on a network of its own: one cable, by which it has service, printers and engine; the reader is its own. */
export async function setThreeApart(protocol: Protocol): Promise<ThreeGateways> {
  await using opened = new AsyncDisposableStack();
  const networks = names.map(() => opened.use(makeNetwork(1)));
  const doors = networks.flatMap(({ cables }) => cables.map(({ here }) => here));
  const authority = makeCertificate({ commonName: 'Authority' });
  const certificate = makeCertificate({ commonName: 'service', issuer: authority, hosts: doors });
  const host = await startEngineHost(names.length, doors);
  const stage = opened.use(
    await setGateways(protocol, host, { apart: { networks, authority, certificate } }),
  );
  const held = opened.move();
  return {
    ...stage,
    cuts: 'the one cable of each gateway',
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

interface Apart {
  readonly networks: readonly Network[];
  /** Of the service, at the door of each. */
  readonly certificate: Certificate;
  readonly authority: Certificate;
}

interface Surroundings {
  readonly edgeHost?: EdgeHost;
  readonly apart?: Apart;
}

async function setGateways(
  protocol: Protocol,
  started: EngineHost,
  { edgeHost, apart }: Surroundings = {},
): Promise<ThreeGateways> {
  await using opened = new AsyncDisposableStack();
  const host = opened.use(started);
  const reached = apart ? { ...fleetCloud, host: '0.0.0.0', tls: identityOf(apart.certificate) } : fleetCloud;
  const base = opened.use(await setStage({ cloud: reached, config: settings, terminal: { session } }));
  const given = parse(readFileSync(base.configFile, 'utf8')) as Record<string, object>;
  const { postgres } = host;
  const url = await postgres.newDatabase();
  const sql = (text: string) => postgres.query(text, url);
  const edges = edgeHost && {
    host: edgeHost,
    office: await openOffice(join(base.folder, 'office'), url, sql),
    url,
  };
  const printers: (PlacePrinter & { readonly uri: string })[] = [];
  for (const _ of names) {
    printers.push(
      opened.use(
        await (protocol === 'socket'
          ? startVirtualSocketPrinter()
          : startVirtualPrinter({ pageTime, ...(protocol === 'cups' ? { queue: 'office' } : {}) })),
      ),
    );
  }

  async function aPlace(name: string, own: number): Promise<Place> {
    const member = `gateway-${own}`;
    const folder = join(base.folder, member);
    const stateDir = join(folder, 'state');
    mkdirSync(folder);
    const line = host.line(own);
    const engine = line.url(url);
    const way = apart && opened.use(await layWay(apart, own, [engine, ...printers.map(({ uri }) => uri)]));
    const caFile = join(folder, 'authority.pem');
    if (apart) writeFileSync(caFile, apart.authority.pem);
    const from = way ? way.from : (address: string) => address;
    const { reader, config: atReader } = await (way ? aReaderOfItsOwn(folder) : aReaderOnTheNetwork());
    opened.use(reader);
    const configFile = join(folder, 'platen.yaml');
    const config = {
      ...given,
      ...(way && {
        cloud: {
          ...given['cloud'],
          baseUrl: from(base.cloud.baseUrl),
          authUrl: from(base.cloud.authUrl),
          caFile,
        },
      }),
      stateDir,
      device: { ...given['device'], clientId: member },
      fleet: {
        engine: { url: from(engine) },
        key: fleetKey.reveal(),
        site: member,
        ...(edges && { signers: [edges.office.signer('first')] }),
      },
      terminals: printers.map(({ uri }, index) => ({
        id: `lobby-${index}`,
        serialNumber: serialOf(index),
        place: names[index],
        session,
        printer: { uri: from(uri), stallSeconds: 5 },
        readers: index === own ? [atReader] : [],
      })),
    };
    writeFileSync(configFile, stringify(config), { mode: 0o600 });
    return { name, member, stateDir, configFile, reader, line: way?.cable ?? line, enter: way?.enter ?? [] };
  }

  const places: Place[] = [];
  for (const [index, name] of names.entries()) places.push(await aPlace(name, index));
  const held = opened.move();
  return {
    cloud: base.cloud,
    postgres,
    places,
    cuts: host.cuts,
    sql,
    ...(edges && { edges }),
    async looksAgain() {
      await postgres.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        url,
      );
    },
    outputs: () => printers.flatMap(({ outputs }) => outputs),
    // A killed process ends its connections as one does that is done: what a raw printer notes of it is our doing.
    deviations: () => [
      ...base.cloud.deviations,
      ...(protocol === 'socket' ? [] : printers.flatMap(({ deviations }) => deviations)),
    ],
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

async function aReaderOnTheNetwork() {
  const reader = await startWaitingReader();
  return { reader, config: { type: 'tcp-connect', address: `127.0.0.1:${reader.port}` } };
}

async function aReaderOfItsOwn(folder: string) {
  const reader = await startVirtualReader({ link: join(folder, 'reader') });
  return { reader, config: { type: 'serial', path: reader.path } };
}

interface GatewayWay extends AsyncDisposable {
  readonly cable: Cable;
  readonly enter: readonly string[];
  /** An address of this machine, as the gateway has it. */
  from(address: string): string;
}

/** All these addresses are found at this end of its cable, at the same ports. */
async function layWay({ networks }: Apart, own: number, addresses: readonly string[]): Promise<GatewayWay> {
  await using opened = new AsyncDisposableStack();
  const network = networks[own];
  const cable = network?.cables[0];
  if (network === undefined || cable === undefined) throw new RangeError('no such cable');
  const { here } = cable;
  for (const address of addresses) {
    const { hostname, port } = new URL(address);
    opened.use(await layLine(Number(port), { from: { host: here, port: Number(port) }, host: hostname }));
  }
  const from = (address: string) => address.replace(new URL(address).hostname, here);
  const held = opened.move();
  return {
    cable,
    enter: network.enter,
    from,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
