/**
 * The OAuth side fails: the registration, and verdicts on the device (INVARIANTS.md B.2). The standard set at the poll for
 * approval and at the refresh is `matrix/`.
 */
import { describe, expect, it } from 'vitest';
import type { LogRecord } from '../../src/commands/logs/sentences.ts';
import { minutes } from '../../src/core/duration.ts';
import type { ProblemCode } from '../../src/domain/problem/problem-kinds.ts';
import type { Fault } from '../../src/simulator/cloud/faults.ts';
import type { StandardFault } from '../../src/simulator/cloud/standard-faults.ts';
import { standardFaults } from '../../src/simulator/cloud/standard-faults.ts';
import type { RunningStage } from '../support/agent/running-stage.ts';
import { enter, expectPrintedOnce, prepareStage, setRunningStage } from '../support/agent/running-stage.ts';

const register = { path: '/oauth/v1/register' };
const token = { path: '/oauth/v1/token' };
const callsTo = ({ cloud }: Pick<RunningStage, 'cloud'>, { path }: { path: string }) =>
  cloud.calls.filter((call) => call.path === path);

const startRows: readonly (readonly [StandardFault, ProblemCode])[] = [
  ['a body cut short', 'cloud-protocol'],
  ['a cut chunk', 'cloud-protocol'],
  ['a cut body without length', 'cloud-protocol'],
  ['malformed JSON', 'cloud-protocol'],
  ['no body at all', 'cloud-protocol'],
  ['10 MB', 'cloud-protocol'],
  ['a page of HTML', 'cloud-protocol'],
  ['a redirect', 'cloud-protocol'],
  ['status 401', 'cloud-denied'],
  ['status 403', 'cloud-denied'],
  ['status 429 with Retry-After', 'cloud-busy'],
  ['status 500', 'cloud-busy'],
  ['a reset', 'cloud-unreachable'],
  ['an answer lost', 'cloud-unreachable'],
];

describe('the registration fails once, and the device is enrolled all the same, as one endpoint', () => {
  it.each(startRows)('%s is %s', async (fault, code) => {
    await using stage = await prepareStage();
    const { cloud } = stage;
    cloud.answerNext(register, standardFaults[fault]);
    await using running = await enter(stage);
    const isReported = (record: LogRecord) => record['subject'] === 'enrollment' && record['code'] === code;
    await running.agent.told('condition raised', isReported);
    expect(cloud.state.endpoints).toHaveLength(1);
    expect(await running.release()).toMatchObject({ outcome: 'completed' });
    await expectPrintedOnce(running);
  });
});

/** Old enough to be refreshed while nobody is there. */
const grownOld = minutes(40);
const verdict = (error: string): Fault => ({
  kind: 'status',
  status: 400,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ error }),
});

describe('the refresh of the device token fails once (I6, B.2)', () => {
  it.each(['a page of HTML', 'no answer'] as const)(
    '%s: the token was not spent, and is refreshed a little later',
    async (fault) => {
      await using running = await setRunningStage();
      running.cloud.answerNext(token, standardFaults[fault]);
      running.clock.forward(grownOld);
      await running.clock.hurry(running.agent.told('device token refreshed'));
      expect(callsTo(running, register)).toHaveLength(1);
      await running.release();
      await expectPrintedOnce(running);
    },
  );

  const spent: readonly (readonly [string, Fault])[] = [
    ['malformed JSON', standardFaults['malformed JSON']],
    ['the verdict invalid_grant', verdict('invalid_grant')],
    ['the verdict token_refresh_error', verdict('token_refresh_error')],
  ];

  it.each(spent)(
    '%s: the token is dead; the device registers again, signed, and needs no approval',
    async (_, fault) => {
      await using running = await setRunningStage();
      running.cloud.answerNext(token, fault);
      running.clock.forward(grownOld);
      const isSigned = (record: LogRecord) => record['registration'] === 'repeated';
      await running.clock.hurry(running.agent.told('device registered', isSigned));
      await running.agent.told('terminal ready');
      expect(running.cloud.state.endpoints).toHaveLength(1);
      await running.release();
      await expectPrintedOnce(running);
    },
  );

  it('an answer lost, and the cloud grants a second use: the one recovery try works', async () => {
    await using running = await setRunningStage({ cloud: { refreshGrace: minutes(1) } });
    running.cloud.answerNext(token, standardFaults['an answer lost']);
    running.clock.forward(grownOld);
    await running.agent.told('device token refreshed');
    expect(callsTo(running, register)).toHaveLength(1);
    expect(callsTo(running, token)).toHaveLength(3);
    await running.release();
    await expectPrintedOnce(running);
  });
});

describe('trust', () => {
  it('withdrawn puts the terminal out of service, with a condition; given again, it serves (I7, I9)', async () => {
    await using running = await setRunningStage();
    const { agent, badge, clock, cloud } = running;
    const [clientId] = cloud.withdrawTrust();
    await badge();
    expect(await agent.told('login failed')).toMatchObject({ code: 'cloud-denied' });
    clock.forward(grownOld);
    const isWithdrawn = ({ code }: LogRecord) => code === 'trust-withdrawn';
    expect(await agent.told('condition raised', isWithdrawn)).toMatchObject({ severity: 'error' });
    await badge();
    expect(await agent.told('card ignored')).toMatchObject({
      code: 'trust-withdrawn',
      reason: 'not-approved',
    });
    expect((await fetch(`${agent.operations}/readyz`)).status).toBe(503);

    cloud.approve(clientId);
    clock.forward(minutes(16));
    // What was on its way when the time leapt was too slow, and is asked again.
    await clock.hurry(agent.told('terminal ready'));
    await clock.hurry(agent.told('condition cleared', isWithdrawn));
    expect(callsTo(running, register)).toHaveLength(1);
    await running.release();
    await expectPrintedOnce(running);
  });
});

describe('an API key that has expired', () => {
  it('is told by the next status report, while nobody badges', async () => {
    await using running = await setRunningStage();
    const { agent, clock, cloud } = running;
    await agent.told('status reported');
    const denied: Fault = { kind: 'status', status: 403 };
    cloud.answerNext({ path: /\/terminalinfo$/ }, denied);
    cloud.answerNext({ path: /\/endpoints/ }, denied);
    cloud.answerNext(token, verdict('invalid_client_secret'));
    const isRefused = ({ code }: LogRecord) => code === 'api-key-refused';
    expect(await clock.hurry(agent.told('condition raised', isRefused))).toMatchObject({ severity: 'error' });
    const answer = await fetch(`${agent.operations}/readyz`);
    expect([answer.status, await answer.json()]).toMatchObject([503, { reasons: { lobby: 'needs-setup' } }]);
  });

  it('is no matter where the service still trusts the device: it may not report, and that is all', async () => {
    await using running = await setRunningStage();
    const { agent, clock, cloud } = running;
    await agent.told('status reported');
    cloud.answerNext({ path: /\/terminalinfo$/ }, { kind: 'status', status: 403 });
    expect(await clock.hurry(agent.told('call denied'))).toMatchObject({ trusted: true });
    expect((await fetch(`${agent.operations}/readyz`)).status).toBe(200);
  });
});
