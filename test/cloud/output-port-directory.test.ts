import { describe, expect, it, onTestFinished } from 'vitest';
import { createOutputPortDirectory } from '../../src/cloud/output-port-directory.ts';
import { systemChance } from '../../src/core/chance.ts';
import { hours, minutes, seconds } from '../../src/core/duration.ts';
import { Secret } from '../../src/core/secret.ts';
import type { OutputPort } from '../../src/domain/output-port.ts';
import type { OutputPorts } from '../../src/domain/ports/service.ts';
import type { ProblemCode } from '../../src/domain/problem-kinds.ts';
import { Problem } from '../../src/domain/problem.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

const port: OutputPort = {
  ...{ id: 7, name: 'Lobby', address: '10.0.0.7', deviceSerial: 'SN-0001', autoRelease: true },
  ...{ logoutTimeoutSeconds: 90, monochrome: false, sendUsername: true },
};
const alice = { value: new Secret('token of alice'), expiresAt: hours(1) };

type Answer = readonly OutputPort[] | ProblemCode | 'never';

function directory(...answers: Answer[]) {
  const clock = createSteeredClock();
  const asked: ('device' | 'user')[] = [];
  const conditions: string[] = [];
  const changed: string[] = [];
  const ports: OutputPorts = {
    async list({ token, signal }) {
      asked.push(token ? 'user' : 'device');
      const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
      if (answer === 'never') return new Promise((_, reject) => signal.addEventListener('abort', reject));
      if (typeof answer === 'string') throw new Problem(answer, answer);
      return answer;
    },
  };
  const made = createOutputPortDirectory({
    ports,
    wanted: [{ terminal: 'lobby', serialNumber: 'SN-0001', address: '10.0.0.9', id: undefined }],
    conditions: {
      raise: ({ code }) => void conditions.push(code),
      clear: (_scope, subject) => void conditions.push(`cleared ${subject}`),
    },
    clock,
    chance: { ...systemChance, jitter: (span) => span },
    log: recordLog().log,
    onChange: (terminal) => void changed.push(terminal),
  });
  const stop = new AbortController();
  // One turn later: enrollment comes first, and may have a stored token.
  const running = Promise.resolve().then(() => made.run(stop.signal));
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  /** Whether it has resolved after the time has passed. */
  const within = async (wait: Promise<void>, span = seconds(0)) => {
    let isOver = false;
    void wait.then(() => (isOver = true));
    await clock.advance(span);
    return isOver;
  };
  return { ...{ clock, asked, conditions, changed, within }, ports: made };
}

describe('the output ports of the service', () => {
  it('are read once at the start, told when found, and read again hourly', async () => {
    const { ports, asked, changed, clock, within } = directory([port]);
    expect(await within(ports.look())).toBe(true);
    expect([asked, changed, ports.portOf('lobby')?.id]).toEqual([['device'], ['lobby'], 7]);
    await clock.advance(hours(2));
    expect([asked.length, changed]).toEqual([3, ['lobby']]);
  });

  it('are waited for until the device is authorized, without a call a minute', async () => {
    const { ports, asked, clock, within } = directory('terminal-not-authorized', [port]);
    await clock.advance(minutes(30));
    expect(asked).toHaveLength(1);
    expect(await within(ports.look())).toBe(true);
    expect(ports.portOf('lobby')?.autoRelease).toBe(true);
  });

  it('hold nobody up longer than five seconds', async () => {
    const { ports, within } = directory('never');
    const wait = ports.look();
    expect(await within(wait, seconds(4))).toBe(false);
    expect(await within(wait, seconds(1))).toBe(true);
  });

  it('that cannot be read are tried again, growing slower', async () => {
    const { ports, asked, clock, within } = directory('cloud-busy', 'cloud-unreachable', [port]);
    expect(await within(ports.look())).toBe(true);
    expect(ports.portOf('lobby')).toBeUndefined();
    await clock.advance(seconds(16));
    expect([asked.length, ports.portOf('lobby')?.id]).toEqual([3, 7]);
  });

  it('that the device may not read are read with the token of the next user (contract, section 3)', async () => {
    const { ports, asked, within } = directory('cloud-denied', [port]);
    await within(ports.look());
    expect(await within(ports.offer(alice))).toBe(true);
    expect([asked, ports.portOf('lobby')?.id]).toEqual([['device', 'user'], 7]);
  });

  it('that the device may read are not asked for by every user', async () => {
    const { ports, asked, within } = directory([port]);
    await within(ports.look());
    expect(await within(ports.offer(alice))).toBe(true);
    expect(asked).toEqual(['device']);
  });

  it('without one of ours are a condition until it is there', async () => {
    const { ports, conditions, clock, within } = directory([], [port]);
    await within(ports.look());
    expect(conditions).toEqual(['output-port-unknown']);
    await clock.advance(hours(1));
    expect(conditions).toEqual(['output-port-unknown', 'cleared output port']);
  });
});
