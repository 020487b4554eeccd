/** A terminal that takes nothing any more: a console that somebody stopped with Scroll Lock. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Clock } from '../../src/core/clock.ts';
import { systemClock } from '../../src/core/clock.ts';
import { openTty } from '../../src/prompt/tty.ts';
import { openPseudoTerminal } from '../support/pseudo-terminal.ts';

/** More than any terminal holds back. */
const flood = 'x'.repeat(1 << 20);
const opening = { leaving: 'bye', onBytes: () => {} };

it('holds up neither anybody else nor the end', async () => {
  await using pty = await openPseudoTerminal();
  const tty = await openTty(pty.path, { ...opening, clock: systemClock });
  pty.stop();
  const over = new AbortController();
  const writing = tty.write(flood, { signal: over.signal });
  writing.catch(() => {});
  const since = performance.now();
  await sleep(150);
  expect(performance.now() - since).toBeLessThan(1000);
  over.abort();
  await expect(writing).rejects.toThrow(/abort/);
  await tty[Symbol.asyncDispose]();
  expect(performance.now() - since).toBeLessThan(2000);
  expect(pty.modes()).toEqual(expect.arrayContaining(['echo', 'icanon']));
});

it('is given up after 5 s, and opened anew by who wants it', async () => {
  const hasty: Clock = { ...systemClock, monotonic: () => performance.now() * 100 };
  await using pty = await openPseudoTerminal();
  await using tty = await openTty(pty.path, { ...opening, clock: hasty });
  pty.stop();
  await expect(tty.write(flood, { signal: new AbortController().signal })).rejects.toThrow('takes nothing');
});
