/**
 * The simulated cloud: the calls of the public API and of its OAuth side, over an HTTP server, by default on the
 * loopback address. It is strict: violations of the spec are refused and noted in `deviations`. It serves demos and
 * tests, is written from the spec alone, and imports nothing from `src/cloud`.
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
import { CallLimit } from './call-limit.ts';
import { keepOwnChain } from './calls/certificates/certificates.ts';
import { resumeConversions } from './calls/documents/upload.ts';
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
import type { ChosenSettings, CloudSettings, TableSettings } from './settings.ts';
import { apiKeysOf, settingsOf, settingsOutside } from './settings.ts';
import type { CloudState } from './state.ts';
import { loadState, saveState } from './state.ts';
import { createTokens } from './tokens.ts';
import type { Audience, Deviations, News } from '../news.ts';
import { createDeviations, createNews } from '../news.ts';
import type { RequestLimits, TlsIdentity } from '../loopback-server.ts';
import { limitsBeyondLoopback, startLoopbackServer } from '../loopback-server.ts';
import type { MovedClock } from '../moved-clock.ts';
import { movedClock } from '../moved-clock.ts';
import type { OwnChain } from '../own-chain.ts';
import { makeOwnChain } from '../own-chain.ts';
import type { Seed } from '../sample/sample-data.ts';
import { sampleData } from '../sample/sample-data.ts';
import type { Saver } from '../saver.ts';
import { createSaver } from '../saver.ts';

export interface CloudOptions extends ChosenSettings {
  /** A name or an address of this machine; by default 127.0.0.1. On other addresses, `/simulator` needs an API key. */
  readonly host?: string;
  /** 0 or absent: a free port. */
  readonly port?: number;
  /** A second port, only for the OAuth side. Absent: one port serves both. */
  readonly oauthPort?: number;
  /** Serves HTTPS, as `localhost` unless a host is given. `own-chain` makes a certificate and an authority here. */
  readonly tls?: TlsIdentity | 'own-chain';
  /** Keeps the state over restarts. */
  readonly stateFile?: string;
  readonly seed?: Seed;
  /** The number of recorded calls that are kept. Absent: all. */
  readonly keptCalls?: number;
  /** Time limits for clients. Absent: none on the loopback address, and the server's own limits on other addresses. */
  readonly limits?: RequestLimits;
  readonly clock?: Clock;
  readonly chance?: Chance;
}

export interface SimulatedCloud extends AsyncDisposable, Audience, FaultOrders, Administration {
  /** Restores the seed, and removes devices, deviations, calls and faults. */
  reset(): void;
  /** `{base_url}` and `{auth_url}` of the spec. */
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly apiKey: string;
  /** The live state of the cloud. */
  readonly state: CloudState;
  readonly settings: CloudSettings;
  /** The authority of its own chain, in PEM. */
  readonly authority: string | undefined;
  /** Violations of the spec by clients, one sentence each. */
  readonly deviations: readonly string[];
  readonly calls: readonly CallRecord[];
  /** From the next call until a reset. Tokens that were already issued keep their life. */
  changeSettings(settings: Partial<TableSettings>): void;
  /**
   * Moves its clock forward: tokens expire, and waits whose time is over end. Throws `RangeError` for an invalid span.
   */
  advanceClock(span: Duration): void;
  /** Breaks all connections and accepts none until `comeBack`. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  /** Closes idle connections, and busy connections after their answer. */
  dropConnections(): void;
}

export async function startCloud(options: CloudOptions = {}): Promise<SimulatedCloud> {
  const { host, tls: asked, keptCalls = Number.POSITIVE_INFINITY } = options;
  await using opening = new AsyncDisposableStack();
  const within = assembled(options, opening);
  const { context, clock, chain, changed, news, faults, callLimit, deviations } = within;
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
  const keys = isBeyond ? apiKeysOf(context.settings) : undefined;
  const limits = options.limits ?? (isBeyond ? limitsBeyondLoopback : undefined);
  const control = (call: ControlCall) => answerControl(orders, call, keys);
  const listen = async (port: number, routes: readonly Route[]) => {
    const desk = { context, routes, faults, callLimit, calls, keptCalls, control, changed };
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

/** If the host means every address, the machine's name is used, because a certificate can be made for it. */
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
  /** The settings that a reset restores. */
  readonly begunWith: ChosenSettings;
  readonly news: News;
  readonly deviations: Deviations;
  readonly faults: Faults;
  readonly callLimit: CallLimit;
  changed(): void;
}

/** Builds everything but the listeners. Parts that must be closed are put on the stack. */
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
  const callLimit = new CallLimit(context);
  return { options, clock, chain, context, begunWith, news, deviations, faults, callLimit, changed };
}

/** The certificate store of the service lists this chain as its own. */
function ownChain(context: CloudContext, host: string | undefined): OwnChain {
  const usual = ['localhost', '127.0.0.1', '::1', hostname()];
  const chain = makeOwnChain([...new Set(host === undefined ? usual : [...usual, host])], context);
  keepOwnChain(context.state, chain);
  return chain;
}

/** ISO 8601 writes a year with four digits. */
const lastInstant = parseInstant('9999-12-31T23:59:59Z') ?? Number.NaN;

/** Only forward: a token that was issued in the future would be valid for too long. */
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
  const { options, clock, chain, context, news, deviations, faults, callLimit, changed } = within;
  const { state, settings } = context;
  clock.comeBack();
  Object.assign(state, { clockAhead: 0, ...seeded(options) });
  if (chain) keepOwnChain(state, chain);
  Object.assign(settings, within.begunWith, { balance: undefined });
  settings.deliveries.clear();
  deviations.forget();
  faults.orders.behaveWell();
  callLimit.forget();
  news.tell('reset: as at the beginning, and every device has to register anew');
  changed();
}

const seeded = ({ seed = sampleData, clock = systemClock, chance = systemChance }: CloudOptions) =>
  populate(seed, { clock, chance });

/** Throws if the file cannot be written at the start. A later failure is only reported. */
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
      // The sleep rejects when the cloud is closed. Then the act is no longer needed.
      clock.sleep(wait, { signal: closing }).then(then, () => undefined);
    },
  };
}
