/** The administrator is asked in the morning: why did nothing print at 10:15? */
import { expect, it } from 'vitest';
import { isoWithOffset } from '../../src/core/clock.ts';
import { seconds } from '../../src/core/duration.ts';
import { commandHere } from '../commands/command-here.ts';
import { forwardClock } from '../faults/forward-clock.ts';
import { canariesIn } from './canaries.ts';
import { editConfig } from './config-file.ts';
import { bobCard, setStage } from './stage.ts';
import { unmistakable as person, unmistakableSeed as seed } from './unmistakable-person.ts';

const strangerCard = '04FFFFFFFF';
const badgeMayBeHeldAgain = seconds(2);

it('a terminal tells what happened at it, in order and without a name, and why nothing printed at this minute', async () => {
  const clock = forwardClock();
  await using stage = await setStage({ clock, cloud: { seed } });
  const { printer, reader } = stage;
  const timeline = (...args: string[]) => commandHere(['timeline', ...args, '-c', stage.configFile]);
  const agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');

  reader.tap(strangerCard);
  await agent.told('login failed');
  clock.forward(badgeMayBeHeldAgain);
  reader.tap(person['card number']);
  await agent.told('session opened');
  clock.forward(badgeMayBeHeldAgain);
  reader.tap(person['card number']);
  const { releaseId } = await agent.told('release ended');
  await agent.told('session closed');
  await printer.behave({ kind: 'refuse-connections' });
  clock.forward(seconds(70));
  await agent.told('condition raised', ({ code }) => code === 'printer-unreachable');
  await editConfig(stage, (config) => {
    config['log'] = { level: 'warn' };
  });
  await agent.reload();

  const { code, out, error } = await timeline('lobby');
  expect([code, error]).toEqual([0, '']);
  const told = [
    /\d\d:\d\d:\d\d  The agent started, version /,
    /Ready$/,
    /Sign-in refused.*login-refused/,
    /Session opened$/,
    new RegExp(`Release ${String(releaseId).slice(0, 8)} started$`),
    new RegExp(`Release ${String(releaseId).slice(0, 8)} completed$`),
    /Session closed: /,
    /printer: .*printer-unreachable/,
    /Configuration reloaded: log$/,
  ];
  const lines = out.split('\n');
  const places = told.map((line) => lines.findIndex((one) => line.test(one)));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((one, other) => one - other));

  const minute = isoWithOffset(clock.now()).slice(0, 16).replace('T', ' ');
  const why = await timeline('lobby', '--at', minute, '--json');
  const [state, ...entries] = why.out.split('\n').map((line) => JSON.parse(line) as object);
  expect(state).toMatchObject({
    what: 'state',
    terminal: 'lobby',
    agent: { state: 'running' },
    standing: expect.arrayContaining([
      expect.objectContaining({ code: 'printer-unreachable', subject: 'printer', terminal: 'lobby' }),
    ]),
    session: null,
    underWay: [],
  });
  expect(entries).toContainEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    what: 'release ended',
    ...{ terminal: 'lobby', releaseId, outcome: 'completed' },
  });
  expect((await timeline('lobby', '--at', minute)).out).toMatch(/printer: .* since \d\d:\d\d.*Check power/);

  await agent.stop();
  const after = await timeline('lobby', '--since', '1h', '--json');
  expect(after.out).toContain('"agent stopped"');
  expect(canariesIn([out, why.out, after.out].join('\n'), { ...person, stranger: strangerCard })).toEqual([]);
  expect(await timeline('attic')).toEqual({
    ...{ code: 1, out: '' },
    error: 'platen: there is no terminal attic; see platen status',
  });
});

it('what is over stands in another window, and what the bob of another terminal did is not told here', async () => {
  await using stage = await setStage({ others: [{ id: 'annex', serialNumber: 'SN-0002' }] });
  const timeline = (...args: string[]) => commandHere(['timeline', ...args, '-c', stage.configFile]);
  const agent = await stage.start();
  await agent.told('terminal ready', ({ terminal }) => terminal === 'lobby');
  await agent.told('reader up');
  stage.reader.tap(bobCard);
  await agent.told('session opened');

  expect((await timeline('lobby')).out).toContain('Session opened');
  expect((await timeline('annex')).out).not.toContain('Session opened');
  expect(await timeline('lobby', '--until', '2h')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Nothing is known of lobby between /),
  });
  expect(await timeline('lobby', '--at', '25:00')).toMatchObject({ code: 64 });
  expect(await timeline('lobby', '--at', '10:15', '--since', '1h')).toMatchObject({ code: 64 });
});
