/**
 * The embedded cloud: the calls of the public API and of its OAuth side, over one HTTP server, on the loopback address
 * unless said. Strict: what a client does against the spec is refused as the spec says and noted in `deviations`. For demo,
 * trying out, and tests; written from the spec alone, importing nothing of `src/cloud`.
 */
import { hostname } from 'node:os';
import { isLoopback } from '../../config/schema/values.ts';
import type { Chance } from '../../core/chance.ts';
import { systemChance } from '../../core/chance.ts';
import type { Clock } from '../../core/clock.ts';
import { systemClock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { hours } from '../../core/duration.ts';
import { hostAndPort } from '../../listener/address.ts';
import type { Administration } from './administration.ts';
import { createAdministration } from './administration.ts';
import type { CloudContext } from './context.ts';
import type { ControlCall } from './control/control.ts';
import { answerControl } from './control/control.ts';
import type { FaultOrders, Faults } from './faults.ts';
import { createFaults } from './faults.ts';
import { populate } from './population.ts';
import type { Route } from './route.ts';
import { apiRoutes, oauthRoutes } from './routes.ts';
import type { CallRecord } from './serving.ts';
import { serve } from './serving.ts';
import type { ChosenSettings } from './settings.ts';
import { keysOf, settingsOf } from './settings.ts';
import type { CloudState } from './state.ts';
import { loadState, saveState } from './state.ts';
import { createTokens } from './tokens.ts';
import type { Deviations } from '../deviations.ts';
import { createDeviations } from '../deviations.ts';
import type { TlsIdentity } from '../loopback-server.ts';
import { startLoopbackServer } from '../loopback-server.ts';
import type { Audience, News } from '../news.ts';
import { createNews } from '../news.ts';
import type { Seed } from '../sample/sample-data.ts';
import { sampleData } from '../sample/sample-data.ts';
import type { Saver } from '../saver.ts';
import { createSaver } from '../saver.ts';

export interface CloudOptions extends ChosenSettings {
  /** A name or an address of this machine; 127.0.0.1 unless said. Beyond it `/simulator` takes an API key. */
  readonly host?: string;
  /** 0 or absent: a free one. */
  readonly port?: number;
  /** A second port, for the OAuth side alone; absent: one port serves both. */
  readonly oauthPort?: number;
  /** Serves HTTPS, as `localhost` unless a host is said. */
  readonly tls?: TlsIdentity;
  /** Keeps the state over restarts. */
  readonly stateFile?: string;
  readonly seed?: Seed;
  readonly deviceTokenLife?: Duration;
  readonly userTokenLife?: Duration;
  readonly refreshTokenLife?: Duration;
  /** How many of the last calls are kept to look at; absent: all. */
  readonly keptCalls?: number;
  readonly clock?: Clock;
  readonly chance?: Chance;
}

export interface SimulatedCloud extends AsyncDisposable, Audience, FaultOrders, Administration {
  /** Back to its seed, without devices, deviations, calls and faults. */
  reset(): void;
  /** `{base_url}` and `{auth_url}` of the spec. */
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly apiKey: string;
  /** Everything the cloud knows, live. */
  readonly state: CloudState;
  /** What clients did against the spec, a sentence each. */
  readonly deviations: readonly string[];
  readonly calls: readonly CallRecord[];
  /** Breaks all connections, and takes none until it comes back. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  /** Closes the connections that clients keep open between calls; one that carries a call now, with its answer. */
  dropConnections(): void;
}

export async function startCloud(options: CloudOptions = {}): Promise<SimulatedCloud> {
  const { host, tls, keptCalls = Number.POSITIVE_INFINITY } = options;
  await using opening = new AsyncDisposableStack();
  const within = assembled(options, opening);
  const { context, changed, news, faults, deviations } = within;
  const calls: CallRecord[] = [];
  const administration = createAdministration(context, changed);
  const orders = {
    ...faults.orders,
    deviations: deviations.list,
    calls,
    approve: administration.approve,
    reset: () => {
      calls.length = 0;
      beginAnew(within);
    },
  };
  const keys = host === undefined || isLoopback(host) ? undefined : keysOf(context.settings);
  const control = (call: ControlCall) => answerControl(orders, call, keys);
  const listen = async (port: number, routes: readonly Route[]) => {
    const desk = { context, routes, faults, calls, keptCalls, control, changed };
    return opening.use(
      await startLoopbackServer({ host, port, tls, handle: (...call) => serve(desk, ...call) }),
    );
  };

  const isSplit = options.oauthPort !== undefined;
  const api = await listen(options.port ?? 0, isSplit ? apiRoutes : [...apiRoutes, ...oauthRoutes]);
  const oauth = isSplit ? await listen(options.oauthPort, oauthRoutes) : api;
  const servers = [...new Set([api, oauth])];
  const open = opening.move();

  return {
    ...news.audience,
    ...administration,
    ...orders,
    baseUrl: originOf(options, api.port),
    authUrl: originOf(options, oauth.port),
    apiKey: context.settings.apiKey,
    state: context.state,
    goAway: async () => void (await Promise.all(servers.map((one) => one.close()))),
    comeBack: async () => void (await Promise.all(servers.map((one) => one.reopen()))),
    dropConnections() {
      for (const server of servers) server.closeIdle();
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** Every address of the machine is that of its name, which a certificate can be for. */
function originOf({ host, tls }: CloudOptions, port: number): string {
  const named = host ?? (tls ? 'localhost' : '127.0.0.1');
  const isEvery = ['0.0.0.0', '::'].includes(named);
  return `${tls ? 'https' : 'http'}://${hostAndPort({ host: isEvery ? hostname() : named, port })}`;
}

interface Within {
  readonly options: CloudOptions;
  readonly context: CloudContext;
  readonly news: News;
  readonly deviations: Deviations;
  readonly faults: Faults;
  changed(): void;
}

/** All but what listens. What is to be ended with it goes onto the stack. */
function assembled(options: CloudOptions, opening: AsyncDisposableStack): Within {
  const { stateFile } = options;
  const news = createNews();
  const deviations = createDeviations((sentence) => news.tell(`deviation: ${sentence}`));
  const closing = new AbortController();
  let saver: Saver | undefined;
  const changed = () => {
    saver?.changed();
    news.changed();
  };
  const context = contextOf(options, { news, deviations, changed, closing: closing.signal });
  if (stateFile !== undefined) saver = opening.use(saverOf(stateFile, context, news));
  opening.defer(() => closing.abort());
  return { options, context, news, deviations, faults: createFaults(), changed };
}

function beginAnew({ options, context, news, deviations, faults, changed }: Within): void {
  const { state, settings } = context;
  Object.assign(state, seeded(options));
  settings.balance = undefined;
  settings.deliveries.clear();
  deviations.forget();
  faults.orders.behaveWell();
  news.tell('reset: as at the beginning, and every device has to register anew');
  changed();
}

const seeded = ({ seed = sampleData, clock = systemClock, chance = systemChance }: CloudOptions) =>
  populate(seed, { clock, chance });

/** Throws where the file cannot be written; later that is told, and the cloud goes on. */
function saverOf(file: string, { state }: CloudContext, news: News): Saver {
  let mine = saveState(file, state);
  return createSaver(() => {
    try {
      mine = saveState(file, state, mine);
    } catch (error) {
      news.tell(`the state was not saved: ${(error as Error).message}`);
    }
  });
}

function contextOf(
  options: CloudOptions,
  around: {
    readonly news: News;
    readonly deviations: Deviations;
    readonly closing: AbortSignal;
    changed(): void;
  },
): CloudContext {
  const { clock = systemClock, chance = systemChance, stateFile } = options;
  const { news, deviations, changed, closing } = around;
  const state = loadState(stateFile, () => seeded(options));
  const lives = {
    device: options.deviceTokenLife ?? hours(1),
    user: options.userTokenLife ?? hours(1),
    refresh: options.refreshTokenLife ?? hours(90 * 24),
  };
  return {
    ...{ state, clock, chance, settings: settingsOf(options), scheme: options.tls ? 'https' : 'http' },
    tokens: createTokens({ state, lives, clock, chance }),
    tell: (sentence) => news.tell(sentence),
    note: ({ method, path }, what, section) => deviations.note({ call: `${method} ${path}`, what, section }),
    later(wait, act) {
      if (wait <= 0) return act();
      const then = () => {
        act();
        changed();
      };
      // It rejects when the cloud is closed: then nobody waits for the act any longer.
      clock.sleep(wait, { signal: closing }).then(then, () => undefined);
    },
  };
}
