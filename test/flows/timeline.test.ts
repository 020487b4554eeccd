/** The administrator is asked in the morning: why did nothing print at 10:15? */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isoWithOffset } from '../../src/core/clock.ts';
import { seconds } from '../../src/core/duration.ts';
import { version } from '../../src/core/version.ts';
import { callerHere, commandHere } from '../support/command-here.ts';
import { forwardClock } from '../support/forward-clock.ts';
import { canariesIn } from '../support/agent/canaries.ts';
import { editConfig } from '../support/agent/config-file.ts';
import { runProgram } from '../support/program.ts';
import { bobCard, setStage } from '../support/agent/stage.ts';
import { unmistakable as person, unmistakableSeed as seed } from '../support/agent/unmistakable-person.ts';

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
  const reported = [
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
  expect(out.split('\n').filter((line) => line.length > 80)).toEqual([]);
  const lines = unfolded(out).split('\n');
  const places = reported.map((line) => lines.findIndex((one) => line.test(one)));
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
    terminal: 'lobby',
    releaseId,
    outcome: 'completed',
  });
  expect((await timeline('lobby', '--at', minute)).out.replace(/\s+/g, ' ')).toMatch(
    /printer: .* since \d\d:\d\d.*Check the power/,
  );

  const { out: status } = await commandHere(['status', '--json', '-c', stage.configFile]);
  expect(JSON.parse(status)).toMatchObject({
    version,
    lastSevenDays: [{ version, releases: 2, failed: 0, unknown: 0, medianSeconds: expect.any(Number) }],
  });

  await agent.stop();
  const after = await timeline('lobby', '--since', '1h', '--json');
  expect(after.out).toContain('"agent stopped"');
  expect(canariesIn([out, why.out, after.out].join('\n'), { ...person, stranger: strangerCard })).toEqual([]);
  expect(await timeline('attic')).toEqual({
    code: 1,
    out: '',
    error: expect.stringContaining('platen: There is no terminal attic. Terminals: '),
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
    out: expect.stringMatching(/^Nothing is recorded for lobby between /),
  });
  expect(await timeline('lobby', '--at', '25:00')).toMatchObject({ code: 64 });
  expect(await timeline('lobby', '--at', '10:15', '--since', '1h')).toMatchObject({ code: 64 });
});

it('a terminal at which nothing happens writes nothing: reports, looks and tokens are no matter of the timeline', async () => {
  const clock = forwardClock();
  await using stage = await setStage({ clock, config: { status: { intervalSeconds: 20 } } });
  const agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');
  const folder = join(stage.folder, 'state', 'timeline');
  const written = () => readdirSync(folder).map((name) => statSync(join(folder, name)).size);
  await agent.told('terminal back in service');
  const before = written();
  for (let report = 0; report < 4; report += 1) await clock.hurry(agent.told('status reported'));
  expect(written()).toEqual(before);
  expect(before).toHaveLength(1);
});

it('what administrators did is told with who by uid: by the agent, by a command without it, and by a signal with nobody', async () => {
  await using stage = await setStage();
  const platen = (...args: string[]) => commandHere([...args, '-c', stage.configFile]);
  const agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');
  expect(await platen('log-level', 'debug', '--minutes', '5')).toMatchObject({ code: 0 });
  expect(await platen('log-level', 'configured')).toMatchObject({ code: 0 });
  const file = join(stage.folder, 'records.csv');
  expect(await platen('outbox', 'export', file)).toMatchObject({ code: 0, error: '' });
  await editConfig(stage, (config) => {
    config['log'] = { level: 'warn' };
  });
  await agent.reload();
  await agent.stop();
  expect(await platen('outbox', 'retry')).toMatchObject({ code: 0, error: '' });

  const { out } = await platen('timeline', '--admin', '--json');
  const by = callerHere;
  expect(out.split('\n').map((line) => withoutTime(line))).toEqual([
    { what: 'log level lowered', to: 'debug', minutes: 5, by },
    { what: 'log level as configured', by },
    { what: 'administrator acted', action: 'outbox export', changed: ['0 records'], by },
    { what: 'config reloaded', changed: ['log'], pending: [] },
    { what: 'dead letters retried', records: 0, by },
  ]);
  expect((await platen('timeline', 'lobby', '--admin')).out).toMatch(
    /Log level debug for 5 min, by uid 4242$/m,
  );
});

it('behind sudo the one who called it is told', async () => {
  await using stage = await setStage();
  const agent = await stage.start();
  await agent.told('agent started');
  const args = ['log-level', 'trace', '-c', stage.configFile];
  expect(await runProgram(args, { env: { SUDO_UID: '1017' } })).toMatchObject({ code: 0 });
  expect(await agent.told('log level lowered')).toMatchObject({ to: 'trace', by: 1017 });
});

function withoutTime(line: string): object {
  const { time: _, ...rest } = JSON.parse(line) as { readonly time: string };
  return rest;
}

/** A sentence that goes on below is one line again. */
const unfolded = (text: string): string => text.replace(/\n {10,}(?=\S)/g, ' ');
