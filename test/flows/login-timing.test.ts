/** Somebody guesses at a keyboard: neither words nor time tell them when they are locked out (INVARIANTS.md T09). */
import { expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { milliseconds } from '../../src/core/duration.ts';
import { openPseudoTerminal } from '../support/pseudo-terminal.ts';
import { setStage } from '../support/agent/stage.ts';

it('a login that is locked out takes as long as one that the service refuses, within 20 % (T09)', async () => {
  await using tty = await openPseudoTerminal();
  await using stage = await setStage({
    terminal: { readers: [], prompt: tty.path, login: { password: true } },
  });
  stage.cloud.always({ path: '/login' }, { kind: 'slow-headers', wait: milliseconds(250) });
  await using agent = await stage.start();
  await agent.told('terminal ready');
  const took: Record<string, number[]> = { 'login-refused': [], 'login-locked': [] };
  for (let guess = 0; guess < 7; guess += 1) {
    await tty.shows('User name:');
    tty.type('alice\r');
    await tty.shows('Password:');
    const since = systemClock.monotonic();
    tty.type(`guess-${guess}\r`);
    const { code } = await agent.told('login failed');
    took[String(code)]?.push(systemClock.monotonic() - since);
    await tty.shows('You could not be signed in.');
  }
  const middle = (spans: number[] = []) =>
    spans.toSorted((one, other) => one - other)[spans.length >> 1] ?? 0;
  const refused = middle(took['login-refused']);
  expect(took['login-refused']).toHaveLength(5);
  expect(Math.abs(middle(took['login-locked']) - refused)).toBeLessThan(0.2 * refused);
  expect(stage.cloud.calls.filter(({ path }) => path.endsWith('/login'))).toHaveLength(5);
});
