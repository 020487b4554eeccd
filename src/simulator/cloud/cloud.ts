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
import { isoInstant, parseInstant, systemClock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { milliseconds } from '../../core/duration.ts';
import { hostAndPort } from '../../listener/address.ts';
import type { Administration } from './administration.ts';
import { createAdministration } from './administration.ts';
import { keepOwnChain } from './calls/certificates/certificate-store.ts';
import { resumeConversions } from './calls/documents/conversion.ts';
import type { CloudContext } from './context.ts';
import type { ControlCall } from './control/control-body.ts';
import { answerControl } from './control/control.ts';
import type { FaultOrders, Faults } from './faults.ts';
import { createFaults } from './faults.ts';
import { populate } from './population.ts';
import type { Route } from './route.ts';
import { apiRoutes, oauthRoutes } from './routes.ts';
import type { CallRecord } from './serving.ts';
import { serve } from './serving.ts';
import type { ChosenSettings, CloudSettings } from './settings.ts';
import { keysOf, settingsOf } from './settings.ts';
import type { TableSettings } from './settings-table.ts';
import { settingsOutside } from './settings-table.ts';
import type { CloudState } from './state.ts';
import { loadState, saveState } from './state.ts';
import { createTokens } from './tokens.ts';
import type { Deviations } from '../deviations.ts';
import { createDeviations } from '../deviations.ts';
import type { RequestLimits, TlsIdentity } from '../loopback-server.ts';
import { limitsBeyondLoopback, startLoopbackServer } from '../loopback-server.ts';
import type { MovedClock } from '../moved-clock.ts';
import { movedClock } from '../moved-clock.ts';
import type { Audience, News } from '../news.ts';
import { createNews } from '../news.ts';
import type { OwnChain } from '../own-chain.ts';
import { makeOwnChain } from '../own-chain.ts';
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
  /** Serves HTTPS, as `localhost` unless a host is said; `own-chain`: with a certificate and an authority made here. */
  readonly tls?: TlsIdentity | 'own-chain';
  /** Keeps the state over restarts. */
  readonly stateFile?: string;
  readonly seed?: Seed;
  /** How many of the last calls are kept to look at; absent: all. */
  readonly keptCalls?: number;
  /** How long a client may take; absent: no limits on the loopback address, and beyond it those of the server. */
  readonly limits?: RequestLimits;
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
  readonly settings: CloudSettings;
  /** Of the chain that it made itself, in PEM. */
  readonly authority: string | undefined;
  /** What clients did against the spec, a sentence each. */
  readonly deviations: readonly string[];
  readonly calls: readonly CallRecord[];
  /** From the next call on, until a reset: tokens that were given out keep their life. */
  changeSettings(settings: Partial<TableSettings>): void;
  /** Moves its clock forward: tokens expire, and what waits for a time that is over happens. Else throws `RangeError`. */
  advanceClock(span: Duration): void;
  /** Breaks all connections, and takes none until it comes back. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  /** Closes the connections that clients keep open between calls; one that carries a call now, with its answer. */
  dropConnections(): void;
}

export async function startCloud(options: CloudOptions = {}): Promise<SimulatedCloud> {
  const { host, tls: asked, keptCalls = Number.POSITIVE_INFINITY } = options;
  await using opening = new AsyncDisposableStack();
  const within = assembled(options, opening);
  const { context, clock, chain, changed, news, faults, deviations } = within;
  const tls = asked === 'own-chain' ? chain?.identity : asked;
  const calls: CallRecord[] = [];
  const administration = createAdministration(context, changed);
  const orders = {
    ...faults.orders,
    ...administration,
    state: context.state,
    settings: context.settings,
    authority: chain?.authority,
    clock,
    deviations: deviations.list,
    calls,
    changeSettings: (settings: Partial<TableSettings>) => changeSettings(within, settings),
    advanceClock: (span: Duration) => advanceClock(within, span),
    reset: () => {
      calls.length = 0;
      beginAnew(within);
    },
  };
  const isBeyond = host !== undefined && !isLoopback(host);
  const keys = isBeyond ? keysOf(context.settings) : undefined;
  const limits = options.limits ?? (isBeyond ? limitsBeyondLoopback : undefined);
  const control = (call: ControlCall) => answerControl(orders, call, keys);
  const listen = async (port: number, routes: readonly Route[]) => {
    const desk = { context, routes, faults, calls, keptCalls, control, changed };
    return opening.use(
      await startLoopbackServer({ host, port, tls, limits, handle: (...call) => serve(desk, ...call) }),
    );
  };

  const isSplit = options.oauthPort !== undefined;
  const api = await listen(options.port ?? 0, isSplit ? apiRoutes : [...apiRoutes, ...oauthRoutes]);
  const oauth = isSplit ? await listen(options.oauthPort, oauthRoutes) : api;
  const servers = [...new Set([api, oauth])];
  const open = opening.move();

  return {
    ...news.audience,
    ...orders,
    baseUrl: originOf(options, api.port),
    authUrl: originOf(options, oauth.port),
    apiKey: context.settings.apiKey,
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
  /** With the clock that a test may move. */
  readonly options: CloudOptions;
  readonly clock: MovedClock;
  readonly chain: OwnChain | undefined;
  readonly context: CloudContext;
  /** For a reset. */
  readonly begunWith: ChosenSettings;
  readonly news: News;
  readonly deviations: Deviations;
  readonly faults: Faults;
  changed(): void;
}

/** All but what listens. What is to be ended with it goes onto the stack. */
function assembled(given: CloudOptions, opening: AsyncDisposableStack): Within {
  const { stateFile } = given;
  const clock = movedClock(given.clock ?? systemClock);
  const options = { ...given, clock };
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
  resumeConversions(context);
  opening.defer(() => closing.abort());
  const chain = given.tls === 'own-chain' ? ownChain(context, given.host) : undefined;
  const { balance: _, deliveries: __, ...begunWith } = context.settings;
  const faults = createFaults();
  return { options, clock, chain, context, begunWith, news, deviations, faults, changed };
}

/** Known to the service as one that it made itself. */
function ownChain(context: CloudContext, host: string | undefined): OwnChain {
  const usual = ['localhost', '127.0.0.1', '::1', hostname()];
  const chain = makeOwnChain([...new Set(host === undefined ? usual : [...usual, host])], context);
  keepOwnChain(context.state, chain);
  return chain;
}

/** ISO 8601 writes a year in four digits. */
const lastInstant = parseInstant('9999-12-31T23:59:59Z') ?? Number.NaN;

/** Only forward: a token that was issued later than now would live for ever. */
function advanceClock({ clock, context, news, changed }: Within, span: Duration): void {
  if (!(span > 0)) throw new RangeError('the clock goes forward only; a reset brings it back');
  if (clock.now() + span > lastInstant) throw new RangeError('the clock goes to the end of the year 9999');
  clock.advance(span);
  context.state.clockAhead = clock.ahead();
  news.tell(`clock: ${isoInstant(clock.now())}`);
  changed();
}

function changeSettings({ context, news, changed }: Within, given: Partial<TableSettings>): void {
  Object.assign(context.settings, given);
  const now = settingsOutside(context.settings);
  news.tell(
    `settings: ${Object.keys(given)
      .map((name) => `${name}=${String(now[name])}`)
      .join(', ')}`,
  );
  changed();
}

function beginAnew(within: Within): void {
  const { options, clock, chain, context, news, deviations, faults, changed } = within;
  const { state, settings } = context;
  clock.comeBack();
  Object.assign(state, { clockAhead: 0, ...seeded(options) });
  if (chain) keepOwnChain(state, chain);
  Object.assign(settings, within.begunWith, { balance: undefined });
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
  options: CloudOptions & { readonly clock: MovedClock },
  around: {
    readonly news: News;
    readonly deviations: Deviations;
    readonly closing: AbortSignal;
    changed(): void;
  },
): CloudContext {
  const { clock, chance = systemChance, stateFile } = options;
  const { news, deviations, changed, closing } = around;
  const state = loadState(stateFile, () => seeded(options));
  clock.advance(milliseconds(state.clockAhead ?? 0));
  const settings = settingsOf({ ...options.seed?.settings, ...options });
  const lives = () => ({
    device: settings.deviceTokenLife,
    user: settings.userTokenLife,
    refresh: settings.refreshTokenLife,
  });
  return {
    state,
    clock,
    chance,
    settings,
    scheme: options.tls ? 'https' : 'http',
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
