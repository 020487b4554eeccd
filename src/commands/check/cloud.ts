/** How `platen check` examines the way to the service, step by step. The first bad line is therefore the cause. */
import { access } from 'node:fs/promises';
import { clientOf, cloudServers } from '../../agent/cloud-server.ts';
import { createCloud } from '../../cloud/client.ts';
import type { ServerVersion } from '../../cloud/resources/version.ts';
import type { Way } from '../../cloud/link/way-to-server.ts';
import { addressesOf, certificateOf, connectOnce, proxyFor } from '../../cloud/link/way-to-server.ts';
import type { Config } from '../../config/schema/config.ts';
import { isLoopback } from '../../config/schema/values.ts';
import { systemChance } from '../../core/chance.ts';
import { systemClock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import { createLog } from '../../core/log.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { Io } from '../io.ts';
import { storedTokens } from '../service-access.ts';
import { askPresence } from '../service-presence.ts';
import type { Problem } from '../../domain/problem/problem.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import type { Step } from './examination.ts';

type Server = ReturnType<typeof cloudServers>[number];

const mostClockError = 5 * 60_000;
const day = 24 * 3_600_000;
export const leastDays = 14;
const stepLimit = seconds(5);

export function examineServices(config: Config, io: Io): readonly Step[] {
  const servers = cloudServers(config);
  return servers.flatMap((server, index) => {
    const { host, hostname } = new URL(server.baseUrl);
    const at = servers.length === 1 ? '' : ` ${host}`;
    const way = wayTo(server.baseUrl, server, io);
    const [names, connection, tls, cloud] = [`name lookup${at}`, `connection${at}`, `TLS${at}`, `cloud${at}`];
    let seen: ServerVersion | undefined;
    const lives: CertificateLife[] = [];
    const step = (kind: Step['kind'], needs: readonly string[], examine: Step['examine']): Step => ({
      what: `${kind}${at}`,
      kind,
      scope: host,
      needs,
      examine,
      limit: stepLimit,
    });
    const network = isLoopback(hostname) ? [] : ['network'];
    const authorization = step('OAuth server', network, (call) =>
      examineAuthorization(server, io, { call, lives }),
    );
    return [
      step('name lookup', network, () => examineNames(way)),
      step('connection', [names], (call) => examineConnection(way, call)),
      step('TLS', [connection], (call) => examineTls(way, { call, lives })),
      {
        ...step('cloud', [tls], async (call) => {
          const further = index === 0 ? undefined : server.authUrl;
          seen = await askService({ config, io }, { server, further }, call);
          return `${server.baseUrl} answers, has version ${seen.version}, and accepts the API key`;
        }),
        limit: seconds(12),
      },
      step('clock', [cloud], () => examineClock(seen?.serverTime)),
      authorization,
      step('certificate', [tls, authorization.what], () => examineLives(lives)),
    ];
  });
}

interface CertificateLife {
  readonly host: string;
  readonly days: number;
}

/** A call, with a list for the certificates seen on the way. */
interface Looking {
  readonly call: CallOptions;
  readonly lives: CertificateLife[];
}

function wayTo(address: string, { ca, proxyUrl }: Server, { env }: Io): Way {
  const url = new URL(new URL(address).origin);
  const proxy = proxyFor(url, { ...(proxyUrl === undefined ? {} : { proxyUrl }), env });
  return { url, proxy, ...(ca === undefined ? {} : { ca }) };
}

async function examineNames({ url, proxy }: Way): Promise<string> {
  const asked = proxy ?? url;
  const found = `${asked.hostname} is ${(await addressesOf(asked)).join(', ')}`;
  return proxy === undefined ? found : `the proxy looks up the names; ${found}`;
}

async function examineConnection(way: Way, call: CallOptions): Promise<string> {
  const place = await connectOnce(way, call);
  return way.proxy === undefined ? `${place} accepts connections` : `the proxy ${place} accepts connections`;
}

async function examineTls(way: Way, { call, lives }: Looking): Promise<string> {
  const { url, proxy } = way;
  if (url.protocol === 'http:') return `${url.host} uses http on the loopback address`;
  if (proxy?.protocol === 'https:') return 'behind an https proxy; see the line “cloud”';
  const seen = await certificateOf(way, call);
  const days = Math.floor((seen.validUntil - systemClock.now()) / day);
  const through = proxy === undefined ? '' : ' through the proxy';
  lives.push({ host: url.host, days });
  return `${url.host}${through}: ${seen.protocol}, issued by ${seen.issuer}`;
}

/** An expiring certificate stops nothing yet. But a new certificate takes time, so the check fails early. */
async function examineLives(lives: readonly CertificateLife[]): Promise<string> {
  const words = lives
    .map(({ host, days }) => `the certificate of ${host} is valid for ${days} more days`)
    .join('; ');
  if (lives.some(({ days }) => days < leastDays)) throw new Error(`${words}; renew it`);
  return words || 'a loopback address needs none';
}

/** The check asks this address for no token. The line of the device token shows whether the address gives tokens. */
async function examineAuthorization(server: Server, io: Io, looking: Looking): Promise<string> {
  const way = wayTo(server.authUrl, server, io);
  if (way.url.origin === new URL(server.baseUrl).origin) return 'the same address as the cloud';
  await examineNames(way);
  await examineConnection(way, looking.call);
  return examineTls(way, looking);
}

/** First whether the service is there, then whether it accepts the key. */
async function askService(
  { config, io }: { readonly config: Config; readonly io: Io },
  { server, further }: { readonly server: Server; readonly further: string | undefined },
  { signal }: CallOptions,
): Promise<ServerVersion> {
  // The check prints its findings itself, so the log stays silent.
  const log = createLog({ level: 'fatal' });
  await using cloud = createCloud({
    ...server,
    ...clientOf(config),
    deviceTokens: storedTokens(config, log, further),
    clock: io.clock,
    chance: systemChance,
    log,
  });
  let isProven = false;
  try {
    isProven = await askPresence(cloud, server.baseUrl, { signal });
    return await cloud.version({ signal });
  } catch (error) {
    throw inPlainWords(error, isProven);
  }
}

async function examineClock(serverTime: number | undefined): Promise<string> {
  if (serverTime === undefined) return `the service does not say its time${await synchronized()}`;
  const error = systemClock.now() - serverTime;
  const about = `${Math.round(Math.abs(error) / 1000)} s ${error < 0 ? 'behind' : 'ahead of'} the service`;
  if (Math.abs(error) > mostClockError) {
    throw new Error(`${about}. Set the clock, or let NTP set it: timedatectl set-ntp true`);
  }
  return `${about}${await synchronized()}`;
}

/** systemd-timesyncd(8) touches this file when it has set the clock. Other time services leave no such sign. */
const synchronized = (): Promise<string> =>
  access('/run/systemd/timesync/synchronized').then(
    () => '; set by systemd-timesyncd',
    () => '',
  );

/** Advice by HTTP status, for the administrator who has set the address and the key of the service. */
const adviceByStatus: Readonly<Record<number, string>> = {
  400: 'The service does not understand this version of Platen, or something between them changes the requests.',
  401: 'The service does not accept the API key. Correct cloud.apiKey.',
  403: 'The API key is wrong, expired or disabled, or may not be used from this address.',
  404: 'There is no print service at this address. Correct cloud.baseUrl; it ends before /api/v1.',
  405: 'This is not the print service. Correct cloud.baseUrl.',
  408: 'The service waited too long for the request. Check the network.',
  425: 'The service has just started. Try again in a minute.',
  429: 'The service gets too many requests from this address. Platen slows down automatically. If this stays, ask its operator.',
  500: 'The service has a fault. Its operator finds the reason in its log.',
  501: 'This is not the print service. Correct cloud.baseUrl.',
  502: 'A gateway or load balancer answers, but it does not reach the print service.',
  503: 'The service is overloaded or under maintenance. Platen continues automatically when it is back.',
  504: 'A gateway or load balancer answers, but the print service behind it is too slow.',
};

const redirected =
  'The address redirects to another one, perhaps a login page. Platen does not follow. Correct cloud.baseUrl, or check for a captive portal.';

/** The service refused a call with the API key alone. The answer to the device token shows another possible reason. */
const orTheToken = (error: Problem): string => {
  const { cause } = error;
  if (isProblem(cause, 'device-token-refused'))
    return ' Or the account needs a device token, and the service no longer accepts the stored token. Start the agent; it renews the token.';
  if (isProblem(cause, 'cloud-denied'))
    return ' The device token did not help. Check whether the service still trusts this endpoint.';
  if (isProblem(cause))
    return ' Or the account needs a device token, and there is none yet. Start the agent, get this device approved, and check again.';
  return '';
};

/** `isProven`: an earlier answer has proven that the service is at this address. */
function inPlainWords(error: unknown, isProven: boolean): unknown {
  if (!isProblem(error) || error.status === undefined) return error;
  const isRedirect = error.status >= 300 && error.status < 400;
  const known = isRedirect ? redirected : adviceByStatus[error.status];
  if (known === undefined) return error;
  const address = isProven && [401, 403].includes(error.status) ? ' The address is right.' : '';
  return new Error(`${error.message}.${address} ${known}${orTheToken(error)}`, { cause: error });
}
