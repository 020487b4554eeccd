/**
 * `platen reload`, which `systemctl reload` runs: it waits for what becomes of the file, and fails where it is refused.
 */
import { fstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isTelling, sentenceOf } from '../../src/commands/logs/sentences.ts';
import { commandHere } from '../support/command-here.ts';
import { editConfig, statusOf, writeConfig } from '../support/agent/config-file.ts';
import { runProgram } from '../support/program.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';

it('says what changed, with exit 0; of a bad file it tells every mistake, with exit 78, and the agent goes on', async () => {
  await using stage = await setStage();
  const agent = await stage.start();
  await agent.told('terminal ready');
  const reload = () => commandHere(['reload', '-c', stage.configFile]);

  expect(await reload()).toEqual({ code: 0, out: 'reloaded. Nothing has changed', error: '' });
  await editConfig(stage, (config) => void (config['history'] = { unknownAfterHours: 1 }));
  expect(await reload()).toEqual({ code: 0, out: 'reloaded: history', error: '' });

  const right = await readFile(stage.configFile, 'utf8');
  await writeConfig(stage, `colour: red\nsize: 4\n${right}`);
  const refused = await reload();
  expect([refused.code, refused.out]).toEqual([78, '']);
  expect(refused.error.split('\n')).toEqual([
    expect.stringMatching(/^platen: \S+:1: colour: is not a key of this file$/),
    expect.stringMatching(/^platen: \S+:2: size: is not a key of this file$/),
    'platen: Not reloaded. The earlier configuration is still used. Correct the file, then reload again.',
  ]);
  expect((await statusOf(agent)).conditions).toMatchObject([{ code: 'config-not-reloaded' }]);

  await writeConfig(stage, right);
  expect(await reload()).toMatchObject({ code: 0 });
  expect((await statusOf(agent)).conditions).toEqual([]);
});

it('tells one refusal once in the journal of systemd, where the agent’s log is too', async () => {
  await using stage = await setStage();
  const agent = await stage.start();
  await agent.told('terminal ready');
  await writeConfig(stage, `colour: red\n${await readFile(stage.configFile, 'utf8')}`);
  const { dev, ino } = fstatSync(2);
  const journal = { JOURNAL_STREAM: `${dev}:${ino}` };
  const refused = await commandHere(['reload', '-c', stage.configFile], undefined, journal);
  expect(refused).toEqual({ code: 78, out: '', error: '' });
  const reported = agent.records.filter((record) => isTelling(record)).map(sentenceOf);
  expect(reported.filter((sentence) => sentence.includes('colour'))).toEqual([
    expect.stringMatching(/^The changed configuration has a mistake/),
  ]);
});

it('tells what waits for a quiet moment, and what for a restart', async () => {
  await using stage = await setStage();
  const agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');
  stage.reader.tap(aliceCard);
  await agent.told('session opened');
  await editConfig(stage, (config) => {
    config['device'] = { description: 'Another gateway' };
    config.terminals[0] = { ...config.terminals[0], finish: 'keep' };
  });
  const { code, out } = await commandHere(['reload', '-c', stage.configFile]);
  expect(code).toBe(0);
  expect(out.split('\n')).toEqual([
    'reloaded: terminals.lobby',
    'lobby: the change waits: somebody is using it',
    'needs systemctl restart platen: device',
  ]);
});

it('finds the agent where systemd keeps its state, whatever the new file says of that', async () => {
  await using stage = await setStage();
  const agent = await stage.start();
  await agent.told('terminal ready');
  const right = await readFile(stage.configFile, 'utf8');
  const env = { STATE_DIRECTORY: join(stage.folder, 'state') };
  const reload = () => runProgram(['reload', '-c', stage.configFile], { env });

  await writeConfig(stage, right.replace(/^stateDir: .*$/m, 'stateDir: 7'));
  expect(await reload()).toMatchObject({ code: 78, stderr: expect.stringContaining('stateDir: must be') });
  await writeConfig(stage, right.replace(/^stateDir: .*$/m, 'stateDir: elsewhere'));
  expect(await reload()).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('restart platen: stateDir'),
  });
});

it('exits 3 where no agent runs', async () => {
  await using stage = await setStage();
  const said = await commandHere(['reload', '-c', stage.configFile]);
  expect(said).toMatchObject({
    code: 3,
    out: '',
    error: expect.stringContaining('The agent is not running. Start it: '),
  });
});
