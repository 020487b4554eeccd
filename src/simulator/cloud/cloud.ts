/**
 * The embedded cloud: the calls of the public API and of its OAuth side, over one HTTP server on the loopback address.
 * Strict: what a client does against the spec is refused as the spec says and noted in `deviations`. For demo, trying
 * out, and tests; written from the spec alone, importing nothing of `src/cloud`.
 */
import type { Chance } from '../../core/chance.ts';
import { systemChance } from '../../core/chance.ts';
import type { Clock } from '../../core/clock.ts';
import { systemClock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { hours } from '../../core/duration.ts';
import type { Administration } from './administration.ts';
import { createAdministration } from './administration.ts';
import type { CloudContext } from './context.ts';
import type { FaultOrders } from './faults.ts';
import { createFaults } from './faults.ts';
import { populate } from './population.ts';
import type { Route } from './route.ts';
import { apiRoutes, oauthRoutes } from './routes.ts';
import type { CallRecord } from './serving.ts';
import { serve } from './serving.ts';
import type { ChosenSettings } from './settings.ts';
import { settingsOf } from './settings.ts';
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
  /** 0 or absent: a free one. */
  readonly port?: number;
  /** A second port, for the OAuth side alone; absent: one port serves both. */
  readonly oauthPort?: number;
  /** Serves HTTPS, as `localhost`. */
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
  const { clock = systemClock, stateFile, tls, keptCalls = Number.POSITIVE_INFINITY } = options;
  const news = createNews(clock);
  const deviations = createDeviations((sentence) => news.tell(`deviation: ${sentence}`));
  const closing = new AbortController();
  const changed = () => {
    saver?.changed();
    news.changed();
  };
  const context = contextOf(options, { news, deviations, changed, closing: closing.signal });
  const faults = createFaults();
  const calls: CallRecord[] = [];
  const administration = createAdministration(context, changed);
  const { approve } = administration;
  const listen = (port: number, routes: readonly Route[]) =>
    startLoopbackServer({
      ...{ port, tls },
      handle: (request, response) =>
        serve({ context, routes, faults, calls, keptCalls, changed, approve }, request, response),
    });

  await using opening = new AsyncDisposableStack();
  const saver = opening.use(stateFile === undefined ? null : saverOf(stateFile, context, news));
  opening.defer(() => closing.abort());
  const isSplit = options.oauthPort !== undefined;
  const api = opening.use(
    await listen(options.port ?? 0, isSplit ? apiRoutes : [...apiRoutes, ...oauthRoutes]),
  );
  const oauth = isSplit ? opening.use(await listen(options.oauthPort, oauthRoutes)) : api;
  const servers = [...new Set([api, oauth])];
  const open = opening.move();
  const origin = (port: number) => (tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`);

  return {
    ...news.audience,
    ...faults.orders,
    ...administration,
    baseUrl: origin(api.port),
    authUrl: origin(oauth.port),
    apiKey: context.settings.apiKey,
    ...{ state: context.state, calls },
    deviations: deviations.list,
    goAway: async () => void (await Promise.all(servers.map((one) => one.close()))),
    comeBack: async () => void (await Promise.all(servers.map((one) => one.reopen()))),
    dropConnections() {
      for (const server of servers) server.closeIdle();
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

/** Throws where the file cannot be written; later that is told, and the cloud goes on. */
function saverOf(file: string, { state }: CloudContext, news: News): Saver {
  saveState(file, state);
  return createSaver(() => {
    try {
      saveState(file, state);
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
  const state = loadState(stateFile, () => populate(options.seed ?? sampleData, { clock, chance }));
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
