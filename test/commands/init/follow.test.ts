/** How `platen init` follows an agent, and ends where nobody but a person can go on. */
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { followToReady } from '../../../src/commands/init/follow.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { milliseconds } from '../../../src/core/duration.ts';
import { setStage } from '../../support/agent/stage.ts';
import { freePort } from '../../support/ports.ts';

const never = new AbortController().signal;

interface Means {
  readonly stop?: AbortSignal;
  readonly ended?: number;
  /** `none`: it ends by itself. */
  readonly limit?: 'short' | 'none';
  readonly terminals?: readonly string[];
}

async function follow(
  configFile: string,
  { stop = never, ended, limit = 'short', terminals = ['lobby'] }: Means = {},
) {
  const said: string[] = [];
  const out = (text: string) => void said.push(text);
  const end = await followToReady({
    config: loadConfig(configFile, {}),
    terminals,
    limit: limit === 'short' ? milliseconds(300) : undefined,
    ended: async () => ended,
    async onAnswer() {},
    io: { out, error: out, env: {}, clock: systemClock, stop },
  });
  return { end, said };
}

const at = async () => ({ listen: `127.0.0.1:${await freePort()}` });

it('ends at a key that the service refuses, and says so', async () => {
  await using stage = await setStage({ config: { cloud: { apiKey: 'canary-key' }, operations: await at() } });
  await using _ = await stage.start();
  const { end } = await follow(stage.configFile, { limit: 'none' });
  expect(end).toEqual({ end: 'refused', why: expect.stringMatching(/secret|key/i) as string });
  expect(JSON.stringify(end)).not.toContain('canary');
});

it('says what it waits for, until its time is up; the next time it goes on from there', async () => {
  await using stage = await setStage({ cloud: { approval: 'by-hand' }, config: { operations: await at() } });
  const { end, said } = await follow(stage.configFile);
  expect([end, said]).toEqual([
    { end: 'waiting', for: 'the agent to start' },
    ['waiting for the agent to start'],
  ]);
  await using agent = await stage.start();
  await agent.told('device registered');
  await agent.told('terminal out of service');
  const registered = await follow(stage.configFile);
  expect(registered.end).toEqual({ end: 'waiting', for: 'an administrator to approve' });
  expect(registered.said.join('\n')).toContain('"Platen print-release terminal"');
  stage.cloud.approve();
  await agent.told('terminal ready');
  await agent.told('reader up');
  expect((await follow(stage.configFile)).end).toEqual({ end: 'ready' });
  // An agent that has read another file does not know of it.
  const further = await follow(stage.configFile, { terminals: ['lobby', 'yard'] });
  expect(further.end).toEqual({ end: 'waiting', for: 'the terminals to be ready: yard' });
});

it('names the terminal that is approved and not ready, with the reason', async () => {
  const printer = { uri: 'ipp://127.0.0.1:9/ipp/print' };
  await using stage = await setStage({ terminal: { printer }, config: { operations: await at() } });
  await using agent = await stage.start();
  await agent.told('device authorized');
  await agent.told('condition raised', ({ scope }) => scope === 'lobby');
  const { end } = await follow(stage.configFile);
  expect(end).toMatchObject({
    end: 'waiting',
    for: expect.stringMatching(/^the terminals to be ready: lobby \(.+\)$/) as string,
  });
});

it('ends with its agent, and at Ctrl-C', async () => {
  await using stage = await setStage({ config: { operations: await at() } });
  expect((await follow(stage.configFile, { ended: 70 })).end).toEqual({ end: 'agent-ended', code: 70 });
  const { end } = await follow(stage.configFile, { stop: AbortSignal.abort() });
  expect(end).toMatchObject({ end: 'waiting' });
});
