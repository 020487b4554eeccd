/** What `platen check` looks at on the way to the service, step by step, so that the first bad line is the cause. */
import { clientOf, cloudServers } from '../cloud-server.ts';
import { createCloud } from '../cloud/client.ts';
import type { ServerVersion } from '../cloud/resources/version.ts';
import { addressesOf, certificateOf } from '../cloud/server-examination.ts';
import type { Config } from '../config/schema.ts';
import { systemChance } from '../core/chance.ts';
import { systemClock } from '../core/clock.ts';
import { createLog } from '../core/log.ts';
import { isProblem } from '../domain/problem.ts';
import { DeviceTokenHolder } from '../machines/device-tokens.ts';
import type { Examination } from './examination.ts';
import { askedOnce, examinationLimit } from './examination.ts';
import type { Io } from './io.ts';
import { askStatus } from './status.ts';

type Server = ReturnType<typeof cloudServers>[number];

const mostClockError = 5 * 60_000;
const day = 24 * 3_600_000;

export function examineServices(config: Config, io: Io): readonly (readonly [string, Examination])[] {
  const servers = cloudServers(config);
  return servers.flatMap((server) => {
    const at = servers.length === 1 ? '' : ` ${new URL(server.baseUrl).host}`;
    const version = askedOnce(() => askVersion(config, server, io));
    return [
      [`name lookup${at}`, () => examineNames(server)],
      [`TLS${at}`, () => examineTls(server, io)],
      [`cloud${at}`, () => version().then(answers(server), inPlainWords)],
      [`clock${at}`, () => version().then(examineClock, notCompared)],
    ] as const;
  });
}

const answers =
  ({ baseUrl }: Server) =>
  ({ version }: ServerVersion) =>
    `${baseUrl} answers, version ${version}`;

/** What each status means to the person who set the address and the key. */
const adviceByStatus: Readonly<Record<number, string>> = {
  400: 'The service does not understand this version of Platen, or something in between changes its requests.',
  401: 'The service does not accept the API key; mend cloud.apiKey.',
  403: 'The API key is wrong, expired or disabled, or may not be used from this address.',
  404: 'There is no print service at this address; mend cloud.baseUrl, which ends before /api/v1.',
  405: 'What answers is not the print service; mend cloud.baseUrl.',
  408: 'The service waited too long for the request; look at the network.',
  425: 'The service has only just started; try again in a minute.',
  429: 'The service gets too many requests from here; lower cloud.limits, or ask its operator.',
  500: 'The service itself is faulty; its operator finds the reason in its log.',
  501: 'What answers is not the print service; mend cloud.baseUrl.',
  502: 'A gateway or load balancer answers, and does not get through to the print service behind it.',
  503: 'The service is overloaded or under maintenance; Platen goes on by itself when it is back.',
  504: 'A gateway or load balancer answers, and the print service behind it does not in time.',
};

function inPlainWords(error: unknown): never {
  if (!isProblem(error) || error.status === undefined) throw error;
  const isRedirect = error.status >= 300 && error.status < 400;
  const advice = isRedirect ? redirected : adviceByStatus[error.status];
  throw advice === undefined ? error : new Error(`${error.message}. ${advice}`, { cause: error });
}

const redirected =
  'The address leads elsewhere, to a login page perhaps; Platen never follows. Mend cloud.baseUrl, or look for a captive portal.';

const urlsOf = ({ baseUrl, authUrl }: Server): readonly URL[] =>
  [...new Set([new URL(baseUrl).origin, new URL(authUrl).origin])].map((origin) => new URL(origin));

async function examineNames(server: Server): Promise<string> {
  if (server.proxyUrl) return 'left to the proxy';
  const found = await Promise.all(
    urlsOf(server).map(async (url) => `${url.hostname} is ${(await addressesOf(url)).join(', ')}`),
  );
  return [...new Set(found)].join('; ');
}

async function examineTls(server: Server, io: Io): Promise<string> {
  if (server.proxyUrl) return 'behind the proxy; see the line of the cloud';
  const found = await Promise.all(urlsOf(server).map((url) => examineCertificate(url, server, io)));
  return found.join('; ');
}

async function examineCertificate(url: URL, { ca }: Server, io: Io): Promise<string> {
  const signal = systemClock.deadline(examinationLimit, io.stop);
  const seen = await certificateOf({ url, ...(ca === undefined ? {} : { ca }) }, { signal });
  if (!seen) return `${url.host} is plain http on the loopback address`;
  const days = Math.floor((seen.validUntil - systemClock.now()) / day);
  const about = `${url.host}: ${seen.protocol}, issued by ${seen.issuer}, valid for ${days} days more`;
  if (days < 14) throw new Error(`${about}; have it renewed`);
  return about;
}

async function askVersion(config: Config, server: Server, io: Io): Promise<ServerVersion> {
  await using cloud = createCloud({
    ...server,
    ...clientOf(config),
    deviceTokens: new DeviceTokenHolder(),
    clock: systemClock,
    chance: systemChance,
    // A check tells its findings itself.
    log: createLog({ level: 'fatal' }),
  });
  return await cloud.version({ signal: systemClock.deadline(examinationLimit, io.stop) });
}

const notCompared = () => ({ waiting: 'not compared: the service did not answer' });

async function examineClock({ serverTime }: ServerVersion): Promise<string> {
  if (serverTime === undefined) return 'the service does not tell its time';
  const error = systemClock.now() - serverTime;
  const about = `${Math.round(Math.abs(error) / 1000)} s ${error < 0 ? 'behind' : 'before'} the service`;
  if (Math.abs(error) > mostClockError) throw new Error(`${about}; set the clock, or let NTP do it`);
  return about;
}

export async function examineToken(config: Config, io: Io): ReturnType<Examination> {
  const status = await askStatus(config, io);
  if (!status) return { waiting: 'the agent is not running; start it with platen run' };
  const { state, tokenExpiresIn } = status.enrollment;
  if (state === 'authorized')
    return `the device is authorized, its token lives ${Math.round(tokenExpiresIn / 60_000)} min more`;
  if (state === 'awaitingApproval')
    return { waiting: 'an administrator has to approve this device in the print service' };
  throw new Error(`the device is not authorized (${state}); see platen status`);
}
