/** The prompt on a real pseudo-terminal, its terminal played. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import type { Clock } from '../../src/core/clock.ts';
import { systemClock } from '../../src/core/clock.ts';
import { milliseconds } from '../../src/core/duration.ts';
import { createPrompt } from '../../src/prompt/prompt.ts';
import { openPseudoTerminal } from '../support/pseudo-terminal.ts';
import { recordLog } from '../support/recorded-log.ts';
import { documentView, greeting, listOf, promptedTerminal } from './prompted-terminal.ts';
import { eventually } from '../support/patience.ts';

/** Rests a tenth as long. */
const clock: Clock = {
  ...systemClock,
  sleep: (span, options) => systemClock.sleep(milliseconds(span / 10), options),
};

function promptOn(path: string) {
  const terminal = promptedTerminal({ ...greeting, offers: ['short-id'] });
  const log = recordLog();
  const news: string[] = [];
  const stop = new AbortController();
  const prompt = createPrompt({
    path,
    terminal,
    clock,
    chance: systemChance,
    log: log.log,
    language: 'en',
    onUp: () => void news.push('up'),
    onDown: ({ code }) => void news.push(code),
  });
  const running = prompt.run(stop.signal);
  const end = async () => {
    stop.abort();
    await running;
  };
  onTestFinished(end);
  return { terminal, log, news, end };
}

const until = (condition: () => boolean) =>
  eventually(() => {
    if (!condition()) throw new Error('not yet');
  });

it('keeps echo off while it runs, and leaves the terminal as it was, with nothing of a person on it', async () => {
  await using tty = await openPseudoTerminal();
  expect(tty.modes()).toEqual(expect.arrayContaining(['echo', 'icanon', 'isig']));
  const { terminal, end } = promptOn(tty.path);
  await tty.shows('ID number:');
  expect(tty.modes()).toEqual(expect.arrayContaining(['-echo', '-icanon', '-isig']));
  tty.type('4711\r');
  await until(() => terminal.told.length === 1);
  terminal.show(listOf([documentView({ name: 'Dismissal of Mr Smith.pdf' })]));
  await tty.shows('Dismissal of Mr Smith.pdf');
  expect(tty.output()).not.toContain('4711');
  await end();
  expect(tty.modes()).toEqual(expect.arrayContaining(['echo', 'icanon', 'isig']));
  await until(() => !tty.screen.modes.has('?1049'));
  expect(tty.screen.text().trim()).toBe('');
  expect([...tty.screen.modes].sort()).toEqual(['?25', '?7']);
});

it('clears screen and scrollback before the next generation is drawn (I3)', async () => {
  await using tty = await openPseudoTerminal();
  const { terminal } = promptOn(tty.path);
  await tty.shows('ID number:');
  terminal.show(listOf([documentView({ name: 'Dismissal of Mr Smith.pdf' })]));
  await tty.shows('Dismissal of Mr Smith.pdf');
  terminal.show({ ...greeting, generation: 3 });
  await tty.shows('Hold your card to the reader.');
  expect(tty.screen.text()).not.toMatch(/Smith|Anna/);
  const sinceCleared = tty.output().split('\u001b[2J\u001b[3J').at(-1);
  expect(sinceCleared).toContain('Hold your card to the reader.');
  expect(sinceCleared).not.toMatch(/Smith|Anna/);
});

it('says once that its terminal is not there, opens it when it comes, and again after it went', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'platen-prompt-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'tty');
  writeFileSync(path, 'a file');
  const { news, log } = promptOn(path);
  await until(() => log.records('prompt still down').length > 0);
  expect(news).toEqual(['prompt-unavailable']);
  {
    await using tty = await openPseudoTerminal();
    rmSync(path);
    symlinkSync(tty.path, path);
    await until(() => news.length === 2);
    await tty.shows('ID number:');
  }
  await until(() => news.length === 3);
  await using tty = await openPseudoTerminal();
  rmSync(path);
  symlinkSync(tty.path, path);
  await tty.shows('ID number:');
  expect(news).toEqual(['prompt-unavailable', 'up', 'prompt-unavailable', 'up']);
  expect(log.records('prompt down').map(({ tty: name }) => name)).toEqual([path, path]);
});
