/**
 * A gateway on a network of its own: the agent is a process in a namespace, with one cable to the service, one to the
 * printer, and one to where the printer is put later. It knows both by name, from a name server (dnsmasq) at the other
 * end of the first cable.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';
import type { Duration } from '../../../src/core/duration.ts';
import type { VirtualPrinter } from '../../../src/simulator/printer/printer.ts';
import { addDocument, aliceCards, cloud as withoutDocuments } from '../../campaign/kill-stage.ts';
import { isServed, untilReady } from '../../campaign/kill-runs.ts';
import type { Records } from '../../campaign/kill-oracle.ts';
import { startMortalAgent } from '../../support/agent/mortal-agent.ts';
import { setStage } from '../../support/agent/stage.ts';
import type { Cable } from '../../support/cable.ts';
import { makeNetwork } from '../../support/cable.ts';
import type { Certificate } from '../../support/certificates.ts';
import { identityOf, makeCertificate } from '../../support/certificates.ts';
import { layLine } from '../../support/cut-line.ts';
import { freePort } from '../../support/ports.ts';
import { startProcess } from '../../support/process-group.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { makeWrongClock } from './wrong-clock.ts';

const serviceName = 'service.example';
const printerName = 'printer.example';

const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` };

/** Of the addresses that the names have. */
type Family = 'IPv4' | 'IPv6';

/**
 * What answers in place of the service, whatever it is asked: without TLS; as somebody with a certificate of their own; or
 * with a certificate for the service's name that the agent believes, as a proxy that looks into TLS has it.
 */
const portals = {
  'a portal without TLS': { shows: 'nothing', status: 302 },
  'a portal with a certificate of its own': { shows: 'its own', status: 200 },
  'a portal that is believed, and shows a page': { shows: 'the service', status: 200 },
  'a portal that is believed, and leads elsewhere': { shows: 'the service', status: 302 },
} as const;
type Portal = keyof typeof portals;
export const portalNames = Object.keys(portals) as Portal[];

interface OfficeOptions {
  readonly family?: Family;
  /** In the way from the start. */
  readonly portal?: Portal;
  /** The agent's wall clock, from the start. The service's certificate lasts for a day. */
  readonly wrongBy?: Duration;
}

export interface OfficeNetwork extends Records, AsyncDisposable {
  readonly printer: VirtualPrinter;
  /** Alice has one document more. */
  addDocument(name: string, octets?: number, pages?: number): void;
  /** She badges, and is signed out again. */
  badge(): Promise<void>;
  /** She holds a badge to the reader. */
  tap(): void;
  /** So often the agent has said so. */
  times(message: string): number;
  readonly printerCable: Cable;
  /** As DHCP does it: another address, which the name server knows, and nothing at the old one. */
  movePrinter(): void;
  readonly names: {
    /** Nothing answers any more. */
    stop(): Promise<void>;
    start(): Promise<void>;
  };
  /** On the way to the printer, packets of more than 1,300 octets vanish without a word. */
  openHole(): void;
  closeHole(): void;
  /** From now on whoever asks for the service, or was just asking, meets the portal. */
  openPortal(portal: Portal): Promise<void>;
  closePortal(): Promise<void>;
  /** Of the agent. */
  setClock(wrongBy: Duration): void;
  /** The agent is killed, and started again. */
  restart(): Promise<void>;
  /** The agent says "terminal ready". */
  isReady(): Promise<unknown>;
}

/** The agent is ready, unless a portal or its clock is in its way. */
export async function startOfficeNetwork({
  family = 'IPv4',
  portal: firstPortal,
  wrongBy,
}: OfficeOptions = {}): Promise<OfficeNetwork> {
  await using opening = new AsyncDisposableStack();
  const { path: folder } = opening.use(temporaryDirectory());
  const network = opening.use(makeNetwork(3));
  const [serviceCable, printerCable, laterCable] = network.cables;
  if (!serviceCable || !printerCable || !laterCable) throw new RangeError('three cables were laid');
  const at = ({ here, here6 }: Cable): string => (family === 'IPv6' ? here6 : here);

  const hosts = join(folder, 'hosts');
  const tellNames = (printerAt: Cable): void =>
    writeFileSync(hosts, `${at(serviceCable)} ${serviceName}\n${at(printerAt)} ${printerName}\n`);
  tellNames(printerCable);
  const resolver = `/etc/netns/${network.name}`;
  mkdirSync(resolver, { recursive: true });
  opening.defer(() => rmSync(resolver, { recursive: true }));
  writeFileSync(join(resolver, 'resolv.conf'), `nameserver ${at(serviceCable)}\n`);
  const startNames = () =>
    startProcess(
      'dnsmasq',
      [
        '--keep-in-foreground',
        '--conf-file=/dev/null',
        '--no-resolv',
        '--no-hosts',
        '--bind-interfaces',
        '--user=root',
        '--pid-file=',
        `--addn-hosts=${hosts}`,
        `--listen-address=${at(serviceCable)}`,
      ],
      env,
    );
  let names = opening.use(await startNames());

  const authority = makeCertificate({ commonName: 'Authority' });
  const certificate = makeCertificate({ commonName: serviceName, issuer: authority, hosts: [serviceName] });
  const caFile = join(folder, 'authority.pem');
  writeFileSync(caFile, authority.pem);
  const [port, printerPort] = [await freePort(), await freePort()];
  const service = `https://${serviceName}:${port}`;
  const stage = opening.use(
    await setStage({
      printer: { port: printerPort },
      cloud: { ...withoutDocuments, host: '::', port, tls: identityOf(certificate) },
      config: { cloud: { baseUrl: service, authUrl: service, caFile } },
      terminal: {
        session: { autoRelease: true, logoutTimeoutSeconds: 10 },
        printer: { uri: `ipp://${printerName}:${printerPort}/ipp/print`, stallSeconds: 5 },
      },
    }),
  );
  // The simulated printer listens at loopback.
  for (const cable of [printerCable, laterCable])
    opening.use(await layLine(printerPort, { from: { host: at(cable), port: printerPort } }));
  const { cloud, printer } = stage;
  let inTheWay: AsyncDisposable | undefined;
  const openPortal = async (portal: Portal): Promise<void> => {
    const { shows, status } = portals[portal];
    await cloud.goAway();
    const own = () => makeCertificate({ commonName: 'Portal', hosts: ['portal.example'] });
    const shown = { nothing: () => undefined, 'its own': own, 'the service': () => certificate }[shows]();
    inTheWay = await startPortal({ host: at(serviceCable), port }, shown, status);
  };
  opening.defer(() => inTheWay?.[Symbol.asyncDispose]());
  if (firstPortal) await openPortal(firstPortal);
  const clock = makeWrongClock(folder);
  if (wrongBy !== undefined) clock.set(wrongBy);
  const start = () => startMortalAgent(stage.configFile, [], [...network.enter, ...clock.enter]);
  let agent = start();
  opening.defer(() => agent.kill());
  if (firstPortal === undefined && wrongBy === undefined) await untilReady(agent);
  const cards = [...aliceCards];

  const hole = (deed: '-A' | '-D') => {
    const rule = ['OUTPUT', '-o', 'e1', '-m', 'length', '--length', '1301:65535', '-j', 'DROP'];
    const [enter = '', ...words] = [...network.enter, 'iptables', deed, ...rule];
    execFileSync(enter, words, { stdio: 'pipe', env });
  };
  const records: Records = {
    cloud,
    outputs: () => printer.outputs,
    deviations: () => [...cloud.deviations, ...printer.deviations],
  };
  const running = opening.move();
  return {
    ...records,
    printer,
    addDocument: (name, octets = 20_000, pages = 1) => addDocument(records, name, octets, pages),
    tap: () => stage.reader.tap(cards.pop() ?? aliceCards[0]),
    badge: () => isServed(stage.reader, agent, cards),
    times: (message) => agent.times(message),
    printerCable,
    movePrinter() {
      printerCable.cut();
      tellNames(laterCable);
      names.signal('SIGHUP');
    },
    names: {
      async stop() {
        names.signal('SIGKILL');
        await names.exited;
      },
      async start() {
        names = running.use(await startNames());
      },
    },
    openHole: () => hole('-A'),
    closeHole: () => hole('-D'),
    openPortal,
    async closePortal() {
      await inTheWay?.[Symbol.asyncDispose]();
      inTheWay = undefined;
      await cloud.comeBack();
    },
    setClock: clock.set,
    async restart() {
      await agent.kill();
      // A refresh that was under way may be repeated once (INVARIANTS.md B.2, step 6).
      cloud.forgiveReuse();
      agent = start();
    },
    isReady: () => untilReady(agent),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function startPortal(
  at: { readonly host: string; readonly port: number },
  shown: Certificate | undefined,
  status: number,
): Promise<AsyncDisposable> {
  const page = '<!DOCTYPE html><title>Sign in</title><h1>Welcome to the network</h1>';
  const headers = { 'content-type': 'text/html', location: 'https://portal.example/sign-in' };
  const answer: RequestListener = (request, response) => {
    request.resume();
    response.writeHead(status, headers).end(page);
  };
  const server = shown ? createSecureServer(identityOf(shown), answer) : createServer(answer);
  // A greeting of TLS is no request, and is answered all the same.
  server.on('clientError', (_, socket) =>
    socket.end(`HTTP/1.1 ${status} Found\r\nlocation: ${headers.location}\r\n\r\n`),
  );
  server.listen(at);
  await once(server, 'listening');
  return {
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
