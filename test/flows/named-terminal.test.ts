/**
 * A terminal that is not there: exit 1, with its name and those there are; and no command but `run` has to be told the
 * file.
 */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { createProgram } from '../../src/commands/command-line.ts';
import { commandHere } from '../support/command-here.ts';
import { writeConfig } from '../support/agent/config-file.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';

it('is told by its name, by every command that takes one', async () => {
  await using stage = await setStage({
    terminal: { session: { autoRelease: true } },
    others: [{ id: 'hall', serialNumber: 'SN-0002' }],
  });
  const agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');
  stage.reader.tap(aliceCard);
  await agent.told('session closed');
  const commands = [
    ['status', '--terminal', 'attic'],
    ['status', '--terminal', 'attic', '--json'],
    ['check', '--print-test-page', 'attic'],
    ['releases', 'list', '--terminal', 'attic'],
    ['card', 'convert', 'ab12', '--terminal', 'attic'],
    ['trust', '--printer', 'attic'],
  ];
  for (const command of commands) {
    const said = await commandHere([...command, '-c', stage.configFile]);
    expect({ command, ...said }).toEqual({
      command,
      code: 1,
      out: '',
      error: 'platen: There is no terminal attic. Terminals: lobby, hall.',
    });
  }
  // One that has printed nothing is there all the same.
  const list = await commandHere([
    'releases',
    'list',
    '--terminal',
    'hall',
    '--json',
    '-c',
    stage.configFile,
  ]);
  expect(list).toMatchObject({ code: 0, out: '[]' });
});

it('was there once: what it has printed is still told', async () => {
  await using stage = await setStage({ terminal: { session: { autoRelease: true } } });
  const agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');
  stage.reader.tap(aliceCard);
  await agent.told('session closed');
  await agent.stop();
  await writeConfig(stage, (await readFile(stage.configFile, 'utf8')).replace('id: lobby', 'id: foyer'));
  const list = (id: string) =>
    commandHere(['releases', 'list', '--terminal', id, '--json', '-c', stage.configFile]);
  expect(JSON.parse((await list('lobby')).out)).toHaveLength(2);
  expect(await list('attic')).toMatchObject({ code: 1, error: expect.stringContaining('no terminal attic') });
});

it('-c has its default everywhere but at run', () => {
  const program = createProgram(
    { out() {}, error() {}, env: {}, clock: systemClock, stop: new AbortController().signal },
    () => {},
  );
  const leaves = (command: typeof program): (typeof program)[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap((one) => leaves(one));
  const wanting = leaves(program).flatMap((command) =>
    command.options
      .filter(
        ({ long, mandatory, defaultValue }) =>
          long === '--config' && (mandatory || defaultValue === undefined),
      )
      .map(() => command.name()),
  );
  expect(wanting).toEqual(['run']);
});

it.each([
  ['log-level', 'debug'],
  ['reload'],
  ['status'],
  ['releases', 'list'],
  ['card', 'convert', 'ab12', '--terminal', 'lobby'],
])('platen %s %s, as the guide prints it, is about the installed configuration', async (...args) => {
  const { code, error } = await commandHere(args);
  expect(error).toContain(
    args[0] === 'reload' ? 'The agent is not running. Start it: ' : '/etc/platen/platen.yaml',
  );
  expect(code).toBe(args[0] === 'reload' ? 3 : 78);
});

it('a number without a rule or a terminal stays as it is, with no configuration read', async () => {
  expect(await commandHere(['card', 'convert', 'ab12'])).toEqual({ code: 0, out: 'ab12', error: '' });
  expect(await commandHere(['card', 'convert', 'ab12', '--rule', 'Upper'])).toMatchObject({ out: 'AB12' });
});
