/**
 * A typo at 3 a.m.: the agent works by what it read before, and an administrator still sees how it is (contract,
 * section 1).
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandHere } from '../support/command-here.ts';
import { writeConfig } from '../support/agent/config-file.ts';
import type { Running, Stage } from '../support/agent/stage.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';

const mistakes = {
  'an unknown key': (right: string) => `colour: red\n${right}`,
  'a tab': (right: string) => right.replace('    baseUrl', '\tbaseUrl').replace('  baseUrl', '\tbaseUrl'),
  'an address that is none': (right: string) => right.replace('baseUrl: http://', 'baseUrl: htp://'),
};
const reported = {
  'an unknown key': /^platen: \S+platen\.yaml:1: colour: is not a key of this file$/,
  'a tab': /^platen: \S+platen\.yaml: Line 2: use spaces, not tabs\.$/,
  'an address that is none': /^platen: \S+platen\.yaml:2: cloud\.baseUrl: /,
};

describe.each(Object.keys(mistakes) as (keyof typeof mistakes)[])(
  'beside a running agent, with %s',
  (what) => {
    let stage: Stage;
    let agent: Running;
    let right: string;
    const command = (...args: readonly string[]) => commandHere([...args, '-c', stage.configFile]);

    beforeAll(async () => {
      stage = await setStage({ terminal: { session: { autoRelease: true }, card: { rule: 'Upper' } } });
      agent = await stage.start();
      await agent.told('terminal ready');
      await agent.told('reader up');
      stage.reader.tap(aliceCard);
      await agent.told('session closed');
      right = await readFile(stage.configFile, 'utf8');
      await writeConfig(stage, mistakes[what](right));
    });
    afterAll(async () => stage[Symbol.asyncDispose]());

    it.each([
      ['status', [], /lobby +ready/],
      ['status --json', ['--json'], /"id": "lobby"/],
    ])('%s shows the terminals', async (_name, more, shown) => {
      const said = await command('status', ...more);
      expect(said).toMatchObject({ code: 0, out: expect.stringMatching(shown) });
      expect(said.error).toMatch(reported[what]);
    });

    it('releases list and show tell of what printed', async () => {
      const list = await command('releases', 'list', '--json');
      const [release] = JSON.parse(list.out) as { releaseId: string }[];
      expect(list.error).toMatch(reported[what]);
      const shown = await command('releases', 'show', release?.releaseId ?? '');
      expect(shown).toMatchObject({ code: 0, out: expect.stringContaining('CONFIRMED') });
      expect(shown.error).toMatch(reported[what]);
    });

    it('outbox list, retry and export work', async () => {
      const list = await command('outbox', 'list');
      expect(list).toMatchObject({
        code: 0,
        out: 'no record waits',
        error: expect.stringMatching(reported[what]),
      });
      expect(await command('outbox', 'retry')).toMatchObject({ code: 0, out: 'There are no dead letters.' });
      const file = join(stage.folder, 'records.csv');
      expect(await command('outbox', 'export', file)).toMatchObject({ code: 0 });
    });

    it('log-level reaches the agent', async () => {
      const said = await command('log-level', 'debug');
      expect(said).toMatchObject({ code: 0, error: expect.stringMatching(reported[what]) });
      expect(said.out).toContain('debug for 15 min');
      expect(await command('log-level', 'configured')).toMatchObject({ code: 0 });
    });

    it('support-bundle is made, of the agent and its ledger', async () => {
      const file = join(stage.folder, 'bundle.tar.gz');
      const said = await command('support-bundle', '-o', file);
      expect(said).toMatchObject({ code: 0, error: expect.stringMatching(reported[what]) });
      for (const piece of ['status.json', 'releases.jsonl', 'mistakes.txt']) {
        expect(said.out).toMatch(new RegExp(`^${piece}`, 'm'));
      }
      expect(existsSync(file)).toBe(true);
    });

    it('card convert knows the rule of a terminal', async () => {
      const said = await command('card', 'convert', 'ab12', '--terminal', 'lobby');
      expect(said).toMatchObject({ code: 0, out: 'AB12', error: expect.stringMatching(reported[what]) });
    });

    it('check and run say the same, and refuse it with 78', async () => {
      expect(await command('check')).toMatchObject({
        code: 78,
        error: expect.stringMatching(reported[what]),
      });
      expect(await command('run')).toMatchObject({ code: 78, error: expect.stringMatching(reported[what]) });
    });

    it('mended, nothing is said of it any more', async () => {
      await writeConfig(stage, right);
      expect(await command('status')).toMatchObject({ code: 0, error: '' });
    });
  },
);

it('several mistakes are one line, which tells how many there are', async () => {
  await using stage = await setStage();
  const agent = await stage.start();
  await agent.told('terminal ready');
  await writeConfig(stage, `colour: red\nsize: 4\n${await readFile(stage.configFile, 'utf8')}`);
  const { error } = await commandHere(['log-level', 'configured', '-c', stage.configFile]);
  expect(error).toMatch(/^platen: \S+:1: colour: is not a key of this file, and 1 more: platen check$/);
});
