/**
 * Somebody guesses: neither words nor time tell them whether a name is known, nor when they are locked out
 * (INVARIANTS.md T09). Time is the agent's own here, and what a processor would spend is counted: the calls of the
 * service and the hashes.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { expect, it, onTestFinished, vi } from 'vitest';
import { milliseconds } from '../../src/core/duration.ts';
import { forwardClock } from '../support/forward-clock.ts';
import { launchPage } from '../support/agent/kiosk-page.ts';
import { watchScreen } from '../support/agent/screen.ts';
import { setStage } from '../support/agent/stage.ts';

/** How often anything was hashed, with a key or without one. */
function hashes(): () => number {
  const spies = [vi.spyOn(crypto, 'createHmac'), vi.spyOn(crypto, 'createHash'), vi.spyOn(crypto, 'hash')];
  syncBuiltinESMExports();
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
    syncBuiltinESMExports();
  });
  return () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
}

it('a refusal is the same sentence after the same time and the same work, whether the name is known, unknown, or locked out (T09)', async () => {
  const clock = forwardClock();
  await using stage = await setStage({ clock, terminal: { readers: [], login: { password: true } } });
  const takes = milliseconds(250);
  stage.cloud.always({ path: '/login' }, { kind: 'slow-headers', wait: takes });
  await using agent = await stage.start();
  await agent.told('terminal ready');
  const page = await launchPage(stage, agent);
  await using screen = await watchScreen(agent, page);
  const hashed = hashes();
  const asked = () => stage.cloud.calls.filter(({ path }) => path.endsWith('/login')).length;

  async function guess(userName: string) {
    const { generation } = await clock.hurry(screen.shows(({ offers = [] }) => offers.includes('password')));
    const before = [hashed(), asked()] as const;
    const typed = { command: 'log-in', way: 'password', userName, password: 'guessed', generation } as const;
    const failed = agent.told('login failed');
    const said = page.say(typed);
    // To ten milliseconds: the pauses are of whole ones, and their sum is rounded.
    const took = Math.round((await clock.spanOf(Promise.all([said, failed]))) / 10) * 10;
    expect(await said).toBe(204);
    const { code } = await failed;
    const { sentence } = await clock.hurry(screen.shows(({ state }) => state === 'prompting'));
    return { code, calls: asked() - before[1], felt: { took, sentence, hashes: hashed() - before[0] } };
  }

  const guesses: Awaited<ReturnType<typeof guess>>[] = [];
  const names = ['alice', 'nobody', 'nobody', ...Array<string>(6).fill('alice')];
  for (const name of names) guesses.push(await guess(name));
  const [first] = guesses;
  expect(first?.felt).toEqual({
    took: takes,
    sentence: expect.stringContaining('not accepted'),
    hashes: expect.any(Number),
  });
  expect(guesses.map(({ felt }) => felt)).toEqual(names.map(() => first?.felt));
  const refused = { code: 'login-refused', calls: 1 };
  const locked = { code: 'login-locked', calls: 0 };
  expect(guesses).toMatchObject([...Array.from({ length: 7 }, () => refused), locked, locked]);
});
