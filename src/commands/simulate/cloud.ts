/**
 * `platen simulate cloud`: only the print service, until SIGTERM or SIGINT, for trying a configuration and for tests in
 * any language. For other machines it accepts only TLS, because keys and passwords are sent to it.
 */
import { X509Certificate } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { errnoOf, errnoSaid } from '../../core/errno.ts';
import { isLoopback } from '../../config/schema/values.ts';
import { milliseconds } from '../../core/duration.ts';
import { exposeCollector, isOwnProcess } from '../../core/long-run.ts';
import { printableWhole } from '../../core/text/printable.ts';
import type { ListenAddress } from '../../listener/address.ts';
import type { CloudOptions, SimulatedCloud } from '../../simulator/cloud/cloud.ts';
import { startCloud } from '../../simulator/cloud/cloud.ts';
import type { ChosenSettings, KeyAllowance } from '../../simulator/cloud/settings.ts';
import { settingKeys, settingsIn } from '../../simulator/cloud/settings.ts';
import type { TlsIdentity } from '../../simulator/loopback-server.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { answering } from './answering.ts';
import { replyTo } from './cloud-console.ts';
import { refuseSimulator } from './simulator-place.ts';

export interface CloudSimulation {
  readonly port: number;
  readonly listen?: ListenAddress;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly tls?: boolean;
  readonly oauthPort?: number;
  readonly apiKey?: readonly string[];
  readonly keyAllows?: readonly KeyAllowance[];
  readonly approve: NonNullable<CloudOptions['approval']>;
  readonly seed?: string;
  readonly state?: string;
  readonly strict?: boolean;
  readonly gateway?: boolean;
  readonly set?: readonly string[];
}

export async function simulateCloud(given: CloudSimulation, io: Io): Promise<number> {
  if (given.set?.includes('list')) {
    io.out(settingsList());
    return exitCode.ok;
  }
  refuseSimulator();
  // Read first, so that a signal is noticed from here on and ends the command normally.
  const { stop } = io;
  let cloud: SimulatedCloud;
  try {
    const { seed } = given;
    // Loaded only with a seed, because most people start with the sample.
    const people = seed && (await import('../../simulator/seed/seed-file.ts')).readSeed(seed);
    cloud = await startCloud({ ...optionsOf(given), ...(people ? { seed: people } : {}) });
  } catch (error) {
    const mistake = mistakeIn(error, given);
    if (mistake === undefined) throw error;
    io.error(`platen: ${mistake}`);
    return exitCode.usage;
  }
  await using _ = cloud;
  for (const line of greeting(cloud)) io.out(line);
  staySmall();
  using telling = createTelling(io);
  cloud.onEvent(telling.tell);
  await answering(telling.io, stop, async (line) => replyTo(cloud, line));
  return exitCode.ok;
}

/** Two lines for each setting: its name with its default and values, and its meaning. */
const settingsList = (): string =>
  settingKeys()
    .map(({ path, values, default: usual, meaning }) => `${path}=${usual}: ${values}\n  ${meaning}`)
    .join('\n');

interface Telling extends Disposable {
  /** Writes only after all earlier news. */
  readonly io: Io;
  tell(sentence: string): void;
}

/**
 * News of many calls is written together, because each write costs as much as a call. A single line is written at once.
 */
function createTelling(io: Io): Telling {
  const { out, error, clock, stop } = io;
  let waiting: string[] = [];
  let isResting = false;
  const write = () => {
    if (waiting.length === 0) return;
    const text = waiting.join('\n');
    waiting = [];
    out(text);
  };
  async function writeAndRest(): Promise<void> {
    isResting = true;
    while (waiting.length > 0) {
      write();
      // It rejects only at the end, when everything is written.
      await clock.sleep(milliseconds(20), { signal: stop }).catch(() => undefined);
    }
    isResting = false;
  }
  const after =
    (say: (text: string) => void) =>
    (text: string): void => {
      write();
      say(text);
    };
  return {
    io: { ...io, out: after(out), error: after(error) },
    tell(sentence) {
      waiting.push(sentence);
      if (!isResting) void writeAndRest();
    },
    [Symbol.dispose]: write,
  };
}

/**
 * V8 lets unused memory grow to several times the used memory. In a test environment it must be freed sooner. TurboFan
 * would make lists a third faster, but needs 20 MB more.
 */
function staySmall(): void {
  if (!isOwnProcess()) return;
  setFlagsFromString('--invocation-count-for-turbofan=100000');
  setFlagsFromString('--heap-growing-percent=20');
  exposeCollector();
  // The first collection sets the limit for the next one.
  globalThis.gc?.();
}

/** A sentence for the person who called it. */
class Misused extends Error {}

function optionsOf(given: CloudSimulation): CloudOptions {
  const { approve, keyAllows, oauthPort, state } = given;
  const { apiKey: [apiKey, ...furtherKeys] = [] } = given;
  const { host, port } = given.listen ?? { host: undefined, port: given.port };
  const tls = given.tls ? 'own-chain' : tlsOf(given);
  const chosen = settingsFor(given);
  if (host !== undefined && !isLoopback(host) && !tls) {
    throw new Misused(
      `--listen ${host} is reachable from other machines, and clients send keys and passwords to it. Give --tls-cert and --tls-key, or --tls`,
    );
  }
  if (host !== undefined && !isLoopback(host) && apiKey === undefined) {
    throw new Misused(
      `--listen ${host} is reachable from other machines, and everybody knows the usual API key. Give --api-key KEY with a key of your own`,
    );
  }
  if (oauthPort !== undefined && oauthPort !== 0 && oauthPort === port) {
    throw new Misused('--oauth-port is the port of the API. Leave it out: one port serves both');
  }
  return {
    ...chosen,
    port,
    approval: approve,
    furtherKeys,
    // The number that the console shows. Tests of other people may run for days.
    keptCalls: 20,
    ...(host === undefined ? {} : { host }),
    ...(tls === undefined ? {} : { tls }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(keyAllows === undefined ? {} : { keyAllows }),
    ...(oauthPort === undefined ? {} : { oauthPort }),
    ...(state === undefined ? {} : { stateFile: resolve(state) }),
  };
}

function settingsFor({ set = [], gateway, strict }: CloudSimulation): ChosenSettings {
  const shorthands = [
    ...(gateway ? [{ option: '--gateway', means: 'role=gateway' }] : []),
    ...(strict ? [{ option: '--strict', means: 'readsFor=terminals-only' }] : []),
  ];
  try {
    return settingsIn([...shorthands.map(({ means }) => means), ...set]);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const twice = shorthands.find(({ means }) =>
      error.message.startsWith(`${means.split('=', 1)[0]} is given`),
    );
    const hint = twice ? `. ${twice.option} sets it too` : '';
    throw new Misused(`--set ${error.message}${hint}`, { cause: error });
  }
}

function tlsOf({ tlsCert, tlsKey }: CloudSimulation): TlsIdentity | undefined {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new Misused('give --tls-cert and --tls-key together: the certificate and its private key, in PEM');
  }
  const identity = { cert: textOf(tlsCert, '--tls-cert'), key: textOf(tlsKey, '--tls-key') };
  try {
    // Loaded only with a certificate, because most people use plain HTTP.
    process.getBuiltinModule('node:tls').createSecureContext(identity);
  } catch (cause) {
    const why = (cause as Error).message;
    throw new Misused(
      `--tls-cert ${tlsCert} and --tls-key ${tlsKey} do not belong together, or are not PEM (${why})`,
      { cause },
    );
  }
  return identity;
}

function textOf(file: string, option: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const code = errnoSaid(cause);
    throw new Misused(`${option} ${file} cannot be read (${code})`, { cause });
  }
}

/** Mistakes that the caller can correct, as a sentence. */
function mistakeIn(error: unknown, { listen, state }: CloudSimulation): string | undefined {
  if (error instanceof Misused) return error.message;
  if (!(error instanceof Error)) return undefined;
  const code = errnoOf(error.cause ?? error);
  if (listen && ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EACCES'].includes(code ?? '')) {
    return `--listen ${listen.host}: ${error.message} (${code}). Give an address of this machine, and a port that you may use`;
  }
  if (state === undefined) return undefined;
  if (error instanceof RangeError) return `--state: ${error.message}`;
  const isOfFile = (error as NodeJS.ErrnoException).path !== undefined;
  return isOfFile ? `--state ${state} cannot be read and written (${code})` : undefined;
}

function* greeting({ baseUrl, authUrl, apiKey, authority, state }: SimulatedCloud): Iterable<string> {
  yield ['cloud:', `  baseUrl: ${baseUrl}`, `  authUrl: ${authUrl}`, `  apiKey: ${inYaml(apiKey)}`].join(
    '\n',
  );
  for (const { userName, cards, pin } of state.users) {
    yield printableWhole(
      `card of ${userName}: ${cards.join(', ') || 'none'}${pin === undefined ? '' : `, PIN ${pin}`}`,
    );
  }
  // For other machines, /simulator needs the key too.
  const key = isLoopback(new URL(baseUrl).hostname.replace(/^\[|\]$/g, ''))
    ? ''
    : ` -H 'X-API-Key: ${apiKey}'`;
  if (authority !== undefined) {
    yield `The authority of its certificate, SHA-256 ${new X509Certificate(authority).fingerprint256}: curl -fk${key} ${baseUrl}/simulator/ca.pem -o ca.pem`;
  }
  const curl = `curl -f${key}${authority === undefined ? '' : ' --cacert ca.pem'}`;
  yield `Approve waiting devices: type approve here, or ${curl} -X POST ${baseUrl}/simulator/approve`;
  yield 'Type help for everything else.';
}

/**
 * A JSON text is also a YAML text. Words with hyphens need no quotes. The YAML library is not used, because it takes long
 * to load.
 */
const inYaml = (text: string): string => (/^[A-Za-z]\w*(?:-\w+)+$/.test(text) ? text : JSON.stringify(text));
