/** One question after the other at a terminal. */
import { expect, it } from 'vitest';
import { openDialogue } from '../../../src/commands/init/dialogue.ts';
import { openPseudoTerminal } from '../../support/pseudo-terminal.ts';
import type { VtScreen } from '../../support/vt-screen.ts';

const { signal } = new AbortController();

/** A dialogue writes line by line, as on paper. */
function paper(): VtScreen {
  let all = '';
  return {
    write: (text) => void (all += text),
    text: () => all,
    lines: [],
    modes: new Set(),
    cursor: { row: 0, column: 0 },
  };
}

it('takes an answer as it is typed and corrected, shows no secret, and asks again with the reason', async () => {
  await using tty = await openPseudoTerminal(paper());
  await using dialogue = await openDialogue({ path: tty.path, signal });
  const name = dialogue.ask('Name', { given: 'usual' });
  await tty.shows('Name [usual]:');
  tty.type('abX\u007fß\r');
  expect(await name).toBe('abß');
  const secret = dialogue.ask('Key', { echo: 'hidden' });
  await tty.shows('Key:');
  tty.type('canary\r');
  expect(await secret).toBe('canary');
  const sure = dialogue.confirm('Sure?', 'no');
  await tty.shows('Sure?');
  tty.type('perhaps\r');
  await tty.shows('  yes or no');
  tty.type('Y\r');
  expect(await sure).toBe(true);
  // Typed ahead, for two questions.
  tty.type('one\r\r');
  expect([await dialogue.ask('First'), await dialogue.ask('Second', { given: '2' })]).toEqual(['one', '2']);
  expect(tty.output()).not.toContain('canary');
});

it('is left by Ctrl-C, and the terminal is as it was', async () => {
  await using tty = await openPseudoTerminal(paper());
  const dialogue = await openDialogue({ path: tty.path, signal });
  const asked = dialogue.ask('Name');
  await tty.shows('Name:');
  expect(tty.modes()).toContain('-echo');
  tty.type('\u0003');
  await expect(asked).rejects.toThrow('you stopped before the last question');
  await dialogue[Symbol.asyncDispose]();
  expect(tty.modes()).toEqual(expect.arrayContaining(['echo', 'icanon']));
});
