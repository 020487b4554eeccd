/**
 * Two servers of one service, the gateway first: what a person notices when it goes away, which is nothing, and what
 * each server hears, which is nothing of the other's tokens (src/cloud/README.md 10; INVARIANTS.md I5, I7, B.3).
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LogRecord } from '../../src/commands/logs/sentences.ts';
import { inSeconds, milliseconds, minutes, seconds } from '../../src/core/duration.ts';
import type { CloudOptions, SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import type { CloudDocument } from '../../src/simulator/cloud/state.ts';
import { documentStatus } from '../../src/simulator/cloud/state.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import type { ForwardClock } from '../support/forward-clock.ts';
import { forwardClock } from '../support/forward-clock.ts';
import { filesBelow } from '../support/temporary-directory.ts';
import { launchScreen } from '../support/agent/screen.ts';
import type { Running, Stage, StageOptions } from '../support/agent/stage.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';
import { eventually } from '../support/patience.ts';

interface TwoServers extends Stage {
  readonly clock: ForwardClock;
  /** The first server, which is the stage's cloud. */
  readonly gateway: SimulatedCloud;
  readonly central: SimulatedCloud;
  /** alice's next document, the same one at both servers. */
  addDocument(name: string): CloudDocument;
  /** The agent is ready, authorized at both, and its reader is open. */
  enter(): Promise<Running>;
  badge(agent: Running): Promise<void>;
  /** alice's badge, until the end of her session. */
  session(agent: Running): Promise<LogRecord>;
  leave(agent: Running): Promise<void>;
}

async function setServers(
  options: Pick<StageOptions, 'terminal'> & { readonly central?: CloudOptions } = {},
): Promise<TwoServers> {
  await using opened = new AsyncDisposableStack();
  const clock = forwardClock();
  const cloud = { clock, approval: 'at-once', seed: { ...sampleData, documents: [] } } as const;
  const central = opened.use(await startCloud({ ...cloud, ...options.central }));
  const { baseUrl, authUrl, apiKey } = central;
  const stage = opened.use(
    await setStage({
      clock,
      cloud,
      config: { cloud: { fallbacks: [{ baseUrl, authUrl, apiKey }] } },
      terminal: { session: { autoRelease: true }, ...options.terminal },
    }),
  );
  const gateway = stage.cloud;
  // The card comes from another process: no session may run out until it is read.
  const badge = async (agent: Running) => {
    clock.forward(seconds(2));
    const read = agent.told('card read');
    stage.reader.tap(aliceCard);
    await clock.standStill(read);
  };
  const held = opened.move();
  return {
    ...stage,
    clock,
    gateway,
    central,
    badge,
    addDocument(name) {
      const document = gateway.addDocument({ owner: 'alice', name });
      central.state.documents.push(document);
      return document;
    },
    async enter() {
      const agent = await stage.start();
      const authorized = [agent.told('device authorized'), agent.told('device authorized')];
      await clock.hurry(Promise.all([...authorized, agent.told('terminal ready')]));
      await agent.told('reader up');
      return agent;
    },
    async session(agent) {
      await badge(agent);
      return clock.hurry(agent.told('session closed'));
    },
    leave: (agent) => clock.hurry(agent.stop()),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

const callsTo = ({ calls }: SimulatedCloud, path: string | RegExp) =>
  calls.filter((call) => (typeof path === 'string' ? call.path.endsWith(path) : path.test(call.path))).length;
const enrollmentCalls = ({ gateway, central }: TwoServers) =>
  [gateway, central].map((server) => callsTo(server, /^\/oauth\//));
const logins = ({ gateway, central }: TwoServers) =>
  [gateway, central].map((server) => callsTo(server, '/login'));
const titlesAt = ({ state }: SimulatedCloud) => state.history.map(({ title }) => title);
const seen = (holds: () => boolean | Promise<boolean>) =>
  eventually(async () => expect(await holds()).toBe(true));

/** Each server was shown tokens of its own alone, and nothing against the spec. */
function expectOwnTokensOnly({ gateway, central }: TwoServers): void {
  for (const { calls, deviations } of [gateway, central]) {
    expect(calls.filter(({ bearer }) => bearer === 'unknown')).toEqual([]);
    expect(deviations).toEqual([]);
  }
}

interface StatusPage {
  readonly servers: readonly object[];
  readonly conditions: readonly { readonly subject: string; readonly severity: string }[];
}

async function statusOf(agent: Running): Promise<StatusPage> {
  return (await (await fetch(`${agent.operations}/status`)).json()) as StatusPage;
}

/** What is wrong with the servers at the moment, by severity. */
const severities = async (agent: Running) =>
  (await statusOf(agent)).conditions.map(({ severity }) => severity);
const upServers = async (agent: Running) =>
  (await statusOf(agent)).servers.map((server) => 'isUp' in server && server.isUp);

describe('two servers, the gateway first', () => {
  it('the device is registered and approved at both, and the status shows both', async () => {
    await using stage = await setServers();
    const { gateway, central } = stage;
    const agent = await stage.enter();
    expect(gateway.state.endpoints).toMatchObject([{ trust: 'approved' }]);
    expect(central.state.endpoints).toMatchObject([{ trust: 'approved' }]);
    expect(central.state.endpoints[0]?.clientId).toBe(gateway.state.endpoints[0]?.clientId);
    await seen(async () => !(await upServers(agent)).includes(false));
    const facts = { isUp: true, enrollment: 'authorized', version: expect.any(String) as string };
    expect(await statusOf(agent)).toMatchObject({
      servers: [
        { baseUrl: gateway.baseUrl, ...facts },
        { baseUrl: central.baseUrl, ...facts },
      ],
      conditions: [],
    });
    await stage.leave(agent);
  });

  it('while the gateway is away the second prints and records; when it is back it is used again (I2, I7)', async () => {
    await using stage = await setServers();
    const { gateway, central, clock, printer } = stage;
    const agent = await stage.enter();
    const title = (name: string) => stage.addDocument(name).info.documentName;

    const first = title('First.pdf');
    expect(await stage.session(agent)).toMatchObject({ reason: 'released' });
    await clock.hurry(seen(() => titlesAt(gateway).length === 1));
    expect(logins(stage)).toEqual([1, 0]);

    await gateway.goAway();
    const second = title('Second.pdf');
    expect(await stage.session(agent)).toMatchObject({ reason: 'released' });
    await clock.hurry(seen(() => titlesAt(central).length === 1));
    expect(logins(stage)).toEqual([1, 1]);
    expect(await severities(agent)).toEqual(['warning']);
    expect(await upServers(agent)).toEqual([false, true]);

    await gateway.comeBack();
    const since = clock.monotonic();
    await clock.hurry(seen(async () => (await upServers(agent)).every(Boolean)));
    // As long as a failure rests the server that failed.
    clock.forward(seconds(15));
    const third = title('Third.pdf');
    expect(await stage.session(agent)).toMatchObject({ reason: 'released' });
    expect(inSeconds(milliseconds(clock.monotonic() - since))).toBeLessThan(60);
    await clock.hurry(seen(() => titlesAt(gateway).length === 2));
    expect(logins(stage)).toEqual([2, 1]);
    expect(await severities(agent)).toEqual([]);

    expect([titlesAt(gateway), titlesAt(central)]).toEqual([[first, third], [second]]);
    expect(printer.outputs).toHaveLength(3);
    expectOwnTokensOnly(stage);
    await stage.leave(agent);
  });

  it('a session begun at the gateway stays there: the other server never sees its token (I3, I5)', async () => {
    await using stage = await setServers({ terminal: { session: { autoRelease: false } } });
    const { gateway, central, clock, printer } = stage;
    const document = stage.addDocument('Report.pdf');
    const agent = await stage.enter();
    await stage.badge(agent);
    await agent.told('session opened');
    await seen(() => callsTo(gateway, /\/balance/) > 0);
    await gateway.goAway();
    await stage.badge(agent);
    expect(await clock.hurry(agent.told('release ended'))).toMatchObject({
      outcome: 'failed',
      code: 'cloud-unreachable',
    });
    expect([callsTo(central, /\/(login|documents|balance)/), printer.jobs]).toEqual([0, []]);
    expect(document.info.status).toBe(documentStatus.READY);

    await agent.told('session closed');
    await stage.badge(agent);
    await agent.told('session opened');
    await stage.badge(agent);
    expect(await clock.hurry(agent.told('release ended'))).toMatchObject({ outcome: 'completed' });
    await clock.hurry(seen(() => document.info.status === documentStatus.DELETED));
    expect([logins(stage), printer.outputs.length]).toEqual([[1, 1], 1]);
    expectOwnTokensOnly(stage);
    await stage.leave(agent);
  });

  it.each([
    [401, 'login-refused'],
    [403, 'cloud-denied'],
  ] as const)('a %i of the gateway is its word: nobody else is asked (B.3)', async (status, code) => {
    await using stage = await setServers();
    const agent = await stage.enter();
    stage.gateway.always({ path: '/login' }, { kind: 'status', status });
    await stage.badge(agent);
    expect(await agent.told('login failed')).toMatchObject({ code });
    expect(logins(stage)).toEqual([1, 0]);
    await stage.leave(agent);
  });

  it('both away is an error, and the person hears of it; one of them back, and people are served (I7)', async () => {
    await using stage = await setServers();
    const { gateway, central, clock } = stage;
    stage.addDocument('Report.pdf');
    const agent = await stage.enter();
    await using screen = await launchScreen(agent);
    await Promise.all([gateway.goAway(), central.goAway()]);
    await stage.badge(agent);
    await screen.reads('The print service cannot be reached. We keep trying.');
    expect(await severities(agent)).toEqual(['error', 'error']);
    clock.forward(minutes(10));

    await central.comeBack();
    expect(await stage.session(agent)).toMatchObject({ reason: 'released' });
    await clock.hurry(seen(() => titlesAt(central).length === 1));
    expect(await severities(agent)).toEqual(['warning']);
    expectOwnTokensOnly(stage);
    await stage.leave(agent);
  });

  it('a second server that waits for an administrator holds nobody up, and is a warning (I7)', async () => {
    await using stage = await setServers({ central: { approval: 'by-hand' } });
    const { gateway, central, clock } = stage;
    stage.addDocument('Report.pdf');
    const agent = await stage.start();
    await clock.hurry(agent.told('terminal ready'));
    await agent.told('reader up');
    await seen(async () => (await severities(agent)).includes('warning'));
    const { host } = new URL(central.baseUrl);
    expect((await statusOf(agent)).conditions).toMatchObject([
      { subject: `enrollment at ${host}`, code: 'terminal-not-authorized', severity: 'warning' },
    ]);
    await gateway.goAway();
    await stage.badge(agent);
    expect(await clock.hurry(agent.told('login failed'))).toMatchObject({ code: 'cloud-unreachable' });
    central.approve();
    await clock.hurry(agent.told('condition cleared', ({ subject }) => subject === `enrollment at ${host}`));
    expect(await stage.session(agent)).toMatchObject({ reason: 'released' });
    expectOwnTokensOnly(stage);
    await stage.leave(agent);
  });

  it('a restart knows the tokens of both, and the state directory shows none of them (I5, I6)', async () => {
    await using stage = await setServers();
    const { gateway, central, folder } = stage;
    await stage.leave(await stage.enter());
    const before = enrollmentCalls(stage);
    const agent = await stage.enter();
    expect(enrollmentCalls(stage)).toEqual(before);
    expect([gateway, central].map(({ state }) => state.endpoints.length)).toEqual([1, 1]);

    await gateway.goAway();
    stage.addDocument('Report.pdf');
    expect(await stage.session(agent)).toMatchObject({ reason: 'released' });
    expect(logins(stage)).toEqual([0, 1]);
    expectOwnTokensOnly(stage);

    const kept = filesBelow(join(folder, 'state')).map(({ bytes }) => bytes.toString('latin1'));
    const tokens = [gateway, central].flatMap(({ state }) => [...state.accessTokens, ...state.refreshTokens]);
    expect(tokens.length).toBeGreaterThanOrEqual(4);
    expect(tokens.filter(({ value }) => kept.some((text) => text.includes(value)))).toEqual([]);
    await stage.leave(agent);
  });
});
