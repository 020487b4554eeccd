/**
 * A thousand gateways of ten terminals on one clock that leaps, and the three moments at which all of them want something of
 * the service in the same second (F13).
 */
import { checkConfig } from '../../src/config/load.ts';
import type { Config } from '../../src/config/schema/config.ts';
import type { Chance } from '../../src/core/chance.ts';
import type { Duration } from '../../src/core/duration.ts';
import { hours, milliseconds, minutes, seconds } from '../../src/core/duration.ts';
import { Secret } from '../../src/core/secret.ts';
import { diceOf, seededChance } from '../support/dice.ts';
import type { VirtualTime } from '../support/virtual-time.ts';
import { createVirtualTime } from '../support/virtual-time.ts';
import type { Gateway, KeptState } from './gateway.ts';
import { startGateway } from './gateway.ts';
import type { CountedService, Second } from './service.ts';
import { countCalls } from './service.ts';

export interface CrowdOptions {
  readonly gateways: number;
  readonly terminals: number;
  /** As the configuration says, where it does; 900 in a fleet. */
  readonly intervalSeconds?: number;
  /** How many each knows of: all of them, or as before F13 nobody but itself. */
  readonly known?: number;
  readonly seed?: number;
  /** Instead of the seed's. */
  readonly chance?: Chance;
  /** How long each scene is looked at; half an hour unless said. */
  readonly watched?: Duration;
}

export interface Crowd {
  readonly time: VirtualTime;
  readonly service: CountedService;
  readonly members: readonly Gateway[];
  /** Monotonic. */
  now(): number;
  pass(span: Duration): Promise<void>;
  /** These end, and start again in the same instant after so long; what they kept is there. */
  restart(which: readonly number[], after: Duration): Promise<void>;
  stop(): Promise<void>;
}

const tokenLife = hours(1);
/** After that each does everything in its own time. */
const untilRest = minutes(75);
const halfAnHour = minutes(30);

export function gatherCrowd(options: CrowdOptions): Crowd {
  const { gateways, terminals, known = gateways, seed = 1 } = options;
  const { chance = seededChance(diceOf(seed)) } = options;
  const time = createVirtualTime();
  const clock = time.clock();
  const service = countCalls(clock);
  const config = configOf(options);
  const states = Array.from({ length: gateways }, (_, index) =>
    keptOf({ index, terminals, issuedAt: clock.now() - chance.jitter(milliseconds(tokenLife / 4), 1) }),
  );
  const start = (index: number): Gateway => {
    const kept = states[index] ?? keptOf({ index, terminals, issuedAt: 0 });
    const serials = serialsOf(index, terminals);
    const ports = serials.map((deviceSerial, at) => ({
      id: portId(index, at),
      name: deviceSerial,
      deviceSerial,
    }));
    const dispatcher = service.dispatcherFor(ports);
    return startGateway({ clock: time.clock(), chance, config, serials, dispatcher, gateways: known, kept });
  };
  const members = states.map((_, index) => start(index));

  return {
    time,
    service,
    members,
    now: () => clock.monotonic(),
    pass: (span) => time.until(clock.sleep(span)),
    async restart(which, after) {
      await time.until(Promise.all(which.map(async (index) => members[index]?.stop())));
      if (after > 0) await time.until(clock.sleep(after));
      for (const index of which) members[index] = start(index);
    },
    async stop() {
      await time.until(Promise.all(members.map((one) => one.stop())));
    },
  };
}

const portId = (gateway: number, terminal: number): number => gateway * 100 + terminal + 1;

const serialsOf = (gateway: number, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `SN-${portId(gateway, index)}`);

/** As it was left: approved, with a token of the last half hour, and settings that were heard. */
function keptOf({
  index,
  terminals,
  issuedAt,
}: {
  index: number;
  terminals: number;
  issuedAt: number;
}): KeptState {
  const tokens = {
    accessToken: new Secret(`at-${index}`),
    refreshToken: new Secret(`rt-${index}`),
    expiresIn: tokenLife,
    generation: 1,
    issuedAt,
  };
  return {
    facts: {
      identity: { clientId: `client-${index}`, seed: new Secret(Buffer.alloc(32, 7).toString('base64')) },
      registered: true,
      approved: true,
      registration: undefined,
      tokens,
      refreshing: undefined,
    },
    settings: new Map(
      serialsOf(index, terminals).map((deviceSerial, at) => [
        `t${at}`,
        {
          port: { id: portId(index, at), name: deviceSerial, deviceSerial },
          config: undefined,
          since: issuedAt,
        },
      ]),
    ),
  };
}

function configOf({ intervalSeconds = 900 }: CrowdOptions): Config {
  const text = JSON.stringify({
    cloud: { baseUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:2', apiKey: 'key' },
    terminals: [{ id: 't0', serialNumber: 'SN-1', printer: { uri: 'ipp://127.0.0.1:3/ipp/print' } }],
    status: { intervalSeconds },
    stateDir: '/nowhere',
  });
  return checkConfig(text, { file: 'platen.yaml', env: {} });
}

export interface Load {
  readonly mean: number;
  readonly busiest: { readonly total: number; readonly at: number; readonly second: Second };
}

export const totalOf = (second: Second): number => Object.values(second).reduce((sum, one) => sum + one, 0);

export function loadOf(counted: readonly Second[]): Load {
  let busiest: Load['busiest'] | undefined;
  let sum = 0;
  for (const [at, second] of counted.entries()) {
    const total = totalOf(second);
    sum += total;
    if (!busiest || total > busiest.total) busiest = { total, at, second };
  }
  if (!busiest) throw new RangeError('no second was counted');
  return { mean: sum / counted.length, busiest };
}

/** Nobody did anything for a while, and then for half an hour, which is counted. */
export async function rest(options: CrowdOptions): Promise<Load> {
  const crowd = gatherCrowd(options);
  await crowd.pass(untilRest);
  const from = crowd.now();
  await crowd.pass(options.watched ?? halfAnHour);
  const load = loadOf(crowd.service.seconds(from, crowd.now()));
  await crowd.stop();
  return load;
}

export interface SceneOutcome extends Load {
  /** Seconds until all terminals took badges, all settings were read, and what the status named as the window. */
  readonly ready: number;
  readonly read: number;
  readonly window: number;
  /** Virtual seconds that somebody waited who badged in the first minute; the longest of them. */
  readonly badge: number;
}

/** The mains come back to all in one second; they were off for half an hour. */
export async function powerCut(options: CrowdOptions): Promise<SceneOutcome> {
  const crowd = gatherCrowd(options);
  const everybody = crowd.members.map((_, index) => index);
  await crowd.restart(everybody, minutes(30));
  return outcomeOf(crowd, options);
}

/** A tenth of them at a time, each tenth in one second, a minute apart. */
export async function rollingUpdate(options: CrowdOptions): Promise<SceneOutcome> {
  const crowd = gatherCrowd(options);
  await crowd.pass(untilRest);
  const tenth = Math.ceil(options.gateways / 10);
  const from = crowd.now();
  for (let first = 0; first < options.gateways; first += tenth) {
    const which = crowd.members.map((_, index) => index).slice(first, first + tenth);
    await crowd.restart(which, seconds(2));
    await crowd.pass(minutes(1));
  }
  return outcomeOf(crowd, options, from);
}

/** The service is away for an hour. */
export async function serviceReturns(options: CrowdOptions): Promise<SceneOutcome> {
  const crowd = gatherCrowd(options);
  await crowd.pass(untilRest);
  crowd.service.goAway();
  await crowd.pass(hours(1));
  crowd.service.comeBack();
  return outcomeOf(crowd, options);
}

/** In its first minute somebody badges each second, at one gateway after the other. */
async function outcomeOf(
  crowd: Crowd,
  { watched = halfAnHour }: CrowdOptions,
  from = crowd.now(),
): Promise<SceneOutcome> {
  const { members, time, service } = crowd;
  const since = crowd.now();
  const wallSince = time.now();
  let [badge, window] = [0, 0];
  for (let second = 0; second < 60; second += 1) {
    const badged = crowd.now();
    await time.until(members[(second * 97) % members.length]?.badge() ?? Promise.resolve());
    badge = Math.max(badge, crowd.now() - badged);
    for (const one of members) window = Math.max(window, (one.window()?.left ?? 0) + crowd.now() - since);
    await crowd.pass(seconds(1));
  }
  await crowd.pass(watched);
  const late = (at: number | undefined, begun: number) => Math.max(0, ((at ?? Infinity) - begun) / 1000);
  const ready = Math.max(...members.map((one) => late(one.readyAt(), since)));
  const read = Math.max(...members.map((one) => late(one.settingsReadAt(), wallSince)));
  const load = loadOf(service.seconds(from, crowd.now()));
  await crowd.stop();
  return { ...load, ready, read, window: window / 1000, badge: badge / 1000 };
}
