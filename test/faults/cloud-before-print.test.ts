/**
 * The cloud fails before anything went to the printer, at the login, the list or the download (INVARIANTS.md B.4), in
 * ways that are not of the standard set: that is `matrix/`.
 */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { ProblemCode } from '../../src/domain/problem/problem-kinds.ts';
import type { StandardFault } from '../../src/simulator/cloud/standard-faults.ts';
import { standardFaults } from '../../src/simulator/cloud/standard-faults.ts';
import { expectPrintedOnce, expectUntouched, setRunningStage } from '../support/agent/running-stage.ts';

/** Where a call ends in the log when it failed for good. */
const calls = {
  login: { match: { method: 'POST', path: '/api/v1/login' }, told: 'login failed' },
  list: { match: { method: 'GET', path: '/api/v1/documents' }, told: 'list failed' },
  content: { match: { method: 'GET', path: /\.content$/ }, told: 'release ended' },
} as const;

interface Cell {
  readonly fault: StandardFault;
  readonly call: keyof typeof calls;
  readonly code: ProblemCode;
}

const everywhere = (fault: StandardFault, code: ProblemCode): Cell[] =>
  (['login', 'list', 'content'] as const).map((call) => ({ fault, call, code }));

const cells: readonly Cell[] = [
  ...everywhere('a page of HTML', 'cloud-protocol'),
  ...everywhere('no answer', 'cloud-unreachable'),
  { fault: 'malformed JSON', call: 'login', code: 'cloud-protocol' },
  { fault: 'malformed JSON', call: 'list', code: 'cloud-protocol' },
];

describe('while the cloud fails, nothing is printed and the log says why; then the next badge works (I1, I7, I9)', () => {
  it.each(cells)('$call: $fault is $code', async ({ fault, call, code }) => {
    await using stage = await setRunningStage();
    const { agent, cloud, clock } = stage;
    const { match, told } = calls[call];
    cloud.always(match, standardFaults[fault]);
    await stage.badge();
    expect(await clock.hurry(agent.told(told))).toMatchObject({ level: 'warn', code });
    if (call !== 'login') await clock.hurry(agent.told('session closed'));
    expectUntouched(stage);

    cloud.behaveWell();
    expect(await stage.release()).toMatchObject({ outcome: 'completed' });
    await expectPrintedOnce(stage);
  });
});

describe('a fault that passes is not noticed by the person (B.3)', () => {
  it('login: the device token is refused; it is refreshed and the login made again', async () => {
    await using stage = await setRunningStage();
    // A token this old may have been refused for its age.
    stage.clock.forward(seconds(60));
    stage.cloud.expireTokens('device');
    expect(await stage.release()).toMatchObject({ outcome: 'completed' });
    expect(stage.agent.records.map(({ msg }) => msg)).toContain('device token refreshed');
    await expectPrintedOnce(stage);
  });
});
