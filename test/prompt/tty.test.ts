/** A terminal that takes nothing any more: a console that somebody stopped with Scroll Lock. */
import { setImmediate as turn } from 'node:timers/promises';
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
  // The turns of the event loop go on.
  await turn();
  over.abort();
  await expect(writing).rejects.toThrow(/abort/);
  await tty[Symbol.asyncDispose]();
  expect(pty.modes()).toEqual(expect.arrayContaining(['echo', 'icanon']));
});

it('is given up after 5 s, and opened anew by who wants it', async () => {
  const hasty: Clock = { ...systemClock, monotonic: () => performance.now() * 100 };
  await using pty = await openPseudoTerminal();
  await using tty = await openTty(pty.path, { ...opening, clock: hasty });
  pty.stop();
  await expect(tty.write(flood, { signal: new AbortController().signal })).rejects.toThrow('takes nothing');
});
