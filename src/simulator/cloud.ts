/**
 * The embedded cloud: the calls of the public API and of the OAuth side that a terminal makes, over one HTTP server
 * on the loopback address. Strict: what a client does against the spec is refused as the spec says and noted in
 * `deviations`. For demo, trying out, and tests; written from the spec alone, importing nothing of `src/cloud`.
 */
import type { Chance } from '../core/chance.ts';
import { systemChance } from '../core/chance.ts';
import type { Clock } from '../core/clock.ts';
import { systemClock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { hours, milliseconds } from '../core/duration.ts';
import type { Approval, BalanceCheckInfo, CloudContext, CloudSettings } from './cloud-context.ts';
import type { FaultOrders } from './cloud-faults.ts';
import { createFaults } from './cloud-faults.ts';
import type { NewDocument } from './cloud-population.ts';
import { populate, waitingDocument } from './cloud-population.ts';
import type { Verdict } from './cloud-registration.ts';
import { decide } from './cloud-registration.ts';
import type { Route } from './cloud-routes.ts';
import { apiRoutes, oauthRoutes } from './cloud-routes.ts';
import type { CallRecord } from './cloud-serving.ts';
import { serve } from './cloud-serving.ts';
import type { CloudDocument, CloudState } from './cloud-state.ts';
import { loadState, saveState } from './cloud-state.ts';
import { createTokens } from './cloud-tokens.ts';
import { createDeviations } from './deviations.ts';
import { startLoopbackServer } from './loopback-server.ts';
import type { Audience } from './news.ts';
import { createNews } from './news.ts';
import type { Seed } from './sample-data.ts';
import { sampleData } from './sample-data.ts';

export interface CloudOptions {
  /** 0 or absent: a free one. */
  readonly port?: number;
  /** A second port, for the OAuth side alone; absent: one port serves both. */
  readonly oauthPort?: number;
  readonly apiKey?: string;
  /** `by-hand` unless said otherwise. */
  readonly approval?: Approval;
  /** Keeps the state over restarts. */
  readonly stateFile?: string;
  readonly seed?: Seed;
  readonly listShape?: CloudSettings['listShape'];
  readonly outputPortsFor?: CloudSettings['outputPortsFor'];
  readonly deviceTokenLife?: Duration;
  readonly userTokenLife?: Duration;
  readonly refreshTokenLife?: Duration;
  readonly deviceCodeLife?: Duration;
  readonly refreshGrace?: Duration;
  readonly clock?: Clock;
  readonly chance?: Chance;
}

export interface SimulatedCloud extends AsyncDisposable, Audience, FaultOrders {
  /** `{base_url}` and `{auth_url}` of the spec. */
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly apiKey: string;
  /** Everything the cloud knows, live. */
  readonly state: CloudState;
  /** What clients did against the spec, a sentence each. */
  readonly deviations: readonly string[];
  readonly calls: readonly CallRecord[];
  /** Lets in the client named, or all that wait; gives their ids. */
  approve(clientId?: string): readonly string[];
  reject(clientId?: string): readonly string[];
  /** From now on its device tokens are worth nothing. */
  withdrawTrust(clientId?: string): readonly string[];
  /** As if an administrator had deleted the client. */
  deleteEndpoint(clientId: string): void;
  addDocument(document: NewDocument): CloudDocument;
  setBalance(balance: BalanceCheckInfo): void;
  /** Access tokens of this kind are answered 401 from now on; new ones work. */
  expireTokens(kind: 'device' | 'user'): void;
  /**
   * A client that was killed may not know that its refresh token is spent: one more use of each spent token is no
   * deviation (reliability B.2, step 6). Where an answer was lost on the wire, the cloud knows by itself.
   */
  forgiveReuse(): void;
}

const sampleApiKey = 'sample-api-key';
const noBalance: BalanceCheckInfo = {
  balanceEnabled: false,
  sufficientBalance: true,
  currentBalance: 0,
  calculatedCost: 0,
};

export async function startCloud(options: CloudOptions = {}): Promise<SimulatedCloud> {
  const { clock = systemClock, chance = systemChance, stateFile } = options;
  const state = loadState(stateFile, () => populate(options.seed ?? sampleData, { clock, chance }));
  const news = createNews(clock);
  const deviations = createDeviations((sentence) => news.tell(`deviation: ${sentence}`));
  const settings: CloudSettings = {
    apiKey: options.apiKey ?? sampleApiKey,
    approval: options.approval ?? 'by-hand',
    listShape: options.listShape ?? 'bare',
    outputPortsFor: options.outputPortsFor ?? 'devices-and-users',
    deviceCodeLife: options.deviceCodeLife ?? hours(72),
    refreshGrace: options.refreshGrace ?? milliseconds(0),
    balance: noBalance,
  };
  const lives = {
    device: options.deviceTokenLife ?? hours(1),
    user: options.userTokenLife ?? hours(1),
    refresh: options.refreshTokenLife ?? hours(90 * 24),
  };
  const context: CloudContext = {
    state,
    settings,
    tokens: createTokens({ state, lives, clock, chance }),
    clock,
    chance,
    tell: (sentence) => news.tell(sentence),
    note: ({ method, path }, what, section) => deviations.note({ call: `${method} ${path}`, what, section }),
  };
  const faults = createFaults();
  const calls: CallRecord[] = [];
  const changed = () => {
    if (stateFile !== undefined) saveState(stateFile, state);
    news.changed();
  };
  const verdict = (trust: Verdict) => (clientId?: string) => {
    const meant = decide(context, trust, clientId);
    changed();
    return meant;
  };
  const approve = verdict('approved');
  const listen = (port: number, routes: readonly Route[]) =>
    startLoopbackServer({
      port,
      handle: (request, response) =>
        serve({ context, routes, faults, calls, changed, approve }, request, response),
    });

  await using opening = new AsyncDisposableStack();
  const isSplit = options.oauthPort !== undefined;
  const api = opening.use(
    await listen(options.port ?? 0, isSplit ? apiRoutes : [...apiRoutes, ...oauthRoutes]),
  );
  const oauth = isSplit ? opening.use(await listen(options.oauthPort, oauthRoutes)) : api;
  const open = opening.move();

  return {
    ...news.audience,
    ...faults.orders,
    baseUrl: `http://127.0.0.1:${api.port}`,
    authUrl: `http://127.0.0.1:${oauth.port}`,
    apiKey: settings.apiKey,
    state,
    deviations: deviations.list,
    calls,
    approve,
    reject: verdict('rejected'),
    withdrawTrust: verdict('withdrawn'),
    deleteEndpoint(clientId) {
      state.endpoints = state.endpoints.filter((one) => one.clientId !== clientId);
      changed();
    },
    addDocument(document) {
      const added = waitingDocument(document, state.users, { clock, chance });
      state.documents.push(added);
      changed();
      return added;
    },
    setBalance(balance) {
      settings.balance = balance;
    },
    expireTokens(kind) {
      state.accessTokens = state.accessTokens.filter((one) => one.kind !== kind);
      changed();
    },
    forgiveReuse() {
      for (const token of state.refreshTokens) token.mayRecover ||= token.spentAt !== undefined;
      changed();
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}
