/** A configuration is changed at the worst moment, or into the worst file (INVARIANTS.md B.4, 11; I1, I2). */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bobCard } from '../support/agent/stage.ts';
import { startProgram } from '../support/program.ts';
import { editConfig, statusOf, writeConfig } from '../support/agent/config-file.ts';
import type { RunningStage } from '../support/agent/running-stage.ts';
import { enter, expectPrintedOnce, prepareStage, setRunningStage } from '../support/agent/running-stage.ts';
import { eventually } from '../support/patience.ts';

const stalling = (stallSeconds: number) => (running: RunningStage) =>
  editConfig(running, ({ terminals: [lobby = {}] }) => {
    lobby['printer'] = { uri: running.printer.uri, stallSeconds };
  });
/** As `/readyz` says. */
async function untilReady({ agent, clock }: RunningStage): Promise<void> {
  const ready = async () => {
    await eventually(async () => expect((await fetch(`${agent.operations}/readyz`)).status).toBe(200));
  };
  await clock.hurry(ready());
}
const toldOf = ({ agent }: RunningStage, msg: string) => agent.records.filter((record) => record.msg === msg);

describe('a terminal is changed', () => {
  it.each(['card read', 'session opened', 'release started'])(
    'at the moment of "%s": the person goes on, the document comes out once, the change comes after (I1)',
    async (moment) => {
      await using running = await setRunningStage();
      await stalling(7)(running);
      await running.badge();
      await running.agent.told(moment);
      expect(await running.agent.reload()).toMatchObject({
        pending: ['lobby: the change waits: somebody is using it'],
      });
      await running.clock.hurry(running.agent.told('terminal changed'));
      expect(toldOf(running, 'release ended')).toMatchObject([{ outcome: 'completed' }]);
      await expectPrintedOnce(running);
      expect((await statusOf(running.agent)).config.pending).toEqual([]);
    },
  );

  it('and put back while that waits: nothing is touched', async () => {
    await using running = await setRunningStage({ terminal: { session: { autoRelease: false } } });
    await running.badge();
    await running.agent.told('session opened');
    await stalling(7)(running);
    await running.agent.reload();
    await stalling(5)(running);
    expect(await running.agent.reload()).toEqual({
      state: 'reloaded',
      changed: ['terminals.lobby'],
      pending: [],
      restart: [],
    });
    await running.badge();
    await running.clock.hurry(running.agent.told('session closed'));
    await expectPrintedOnce(running);
    expect(toldOf(running, 'terminal changed')).toEqual([]);
    expect(toldOf(running, 'reader up')).toHaveLength(1);
  });

  it('in three signals at once: they are one after the other, and it is changed once', async () => {
    await using running = await setRunningStage();
    await stalling(7)(running);
    const outcomes = await Promise.all([1, 2, 3].map(() => running.agent.reload()));
    expect(outcomes).toEqual(Array.from({ length: 3 }, () => outcomes[0]));
    // What came while the first was at work is one more round.
    expect(toldOf(running, 'config reloaded')).toHaveLength(2);
    expect(toldOf(running, 'terminal changed')).toHaveLength(1);
    await untilReady(running);
    await running.release();
    await expectPrintedOnce(running);
  });
});

describe('a terminal is removed', () => {
  it('while the printer prints for it: its document comes out once, its record goes out, then it is gone (I1, I2)', async () => {
    await using running = await setRunningStage();
    const { agent, printer } = running;
    await printer.behave({ kind: 'hold' });
    await running.badge();
    await printer.waitFor(() => printer.jobs[0]?.state === 'processing');
    await editConfig(running, ({ terminals }) => void terminals.pop());
    await agent.reload();
    await printer.clear();
    await running.clock.hurry(agent.told('terminal removed'));
    await expectPrintedOnce(running);
    expect((await fetch(`${agent.kiosk}/t/lobby`)).status).toBe(404);
    expect((await statusOf(agent)).terminals).toEqual([]);
    expect((await fetch(`${agent.operations}/healthz`)).status).toBe(200);
  });

  it('while the agent is down: another one settles what it left open, by the printer they share (I1, I2)', async () => {
    await using stage = await prepareStage();
    const { clock, printer } = stage;
    const before = await enter(stage);
    await printer.behave({ kind: 'hold' });
    await before.badge();
    await printer.waitFor(() => printer.jobs[0]?.state === 'processing');
    await clock.hurry(before.agent.stop());
    await editConfig(stage, ({ terminals: [lobby = {}] }) => void (lobby['id'] = 'foyer'));
    await using after = await enter(stage);
    expect(await after.agent.told('release resumed')).toMatchObject({ terminal: 'foyer', state: 'SENT' });
    await printer.clear();
    expect(await clock.hurry(after.agent.told('release ended'))).toMatchObject({ outcome: 'completed' });
    await clock.hurry(after.agent.told('history accepted'));
    expect(printer.jobs).toHaveLength(1);
  });

  it('and its reader goes to another one: that waits until the person at the first is gone', async () => {
    await using running = await setRunningStage({ terminal: { session: { autoRelease: false } } });
    const { agent, reader } = running;
    await running.badge();
    await agent.told('session opened');
    await editConfig(running, ({ terminals: [lobby = {}] }) => void (lobby['id'] = 'foyer'));
    expect((await agent.reload()).state).toBe('reloaded');
    expect((await statusOf(agent)).config.pending).toEqual([
      'lobby: the removal waits: somebody is using it',
      'foyer: the terminal waits: its reader or TTY is still at lobby',
    ]);
    await running.badge();
    await running.clock.hurry(agent.told('terminal added', ({ terminal }) => terminal === 'foyer'));
    await expectPrintedOnce(running);
    await agent.told('reader up');
    await agent.told('terminal ready', ({ terminal }) => terminal === 'foyer');
    reader.tap(bobCard);
    await agent.told('session opened', ({ terminal }) => terminal === 'foyer');
  });
});

it('a file that cannot be used changes nothing and is told; the mended one clears it', async () => {
  await using running = await setRunningStage();
  const { agent, configFile } = running;
  const detailOf = async () =>
    (await statusOf(agent)).conditions.find(({ code }) => code === 'config-not-reloaded')?.detail;
  const good = readFileSync(configFile, 'utf8');
  const files: [string, () => void | Promise<void>, RegExp][] = [
    ['is missing', () => rmSync(configFile), /cannot be read \(ENOENT\)/],
    ['is a folder', () => mkdirSync(configFile), /cannot be read \(EISDIR\)/],
    ['is garbage', () => writeConfig(running, '\0\u0001{]: - \n\t:'), /platen\.yaml/],
    ['is 10 MB long', () => writeConfig(running, `# ${'x'.repeat(10_000_000)}`), /is larger than 1 MiB/],
    [
      'names a secret that is not there',
      () => writeConfig(running, good.replace(/apiKey: .*/, 'apiKey: { file: gone }')),
      /cloud\.apiKey: cannot read .*gone \(ENOENT\)/,
    ],
  ];
  for (const [what, spoil, expected] of files) {
    if (what === 'is garbage') rmSync(configFile, { recursive: true });
    await spoil();
    expect({ what, ...(await agent.reload()) }).toMatchObject({ what, state: 'refused' });
    expect(await detailOf()).toMatch(expected);
  }
  await writeConfig(running, good);
  expect(await agent.reload()).toMatchObject({ state: 'reloaded', changed: [], pending: [] });
  expect(await detailOf()).toBeUndefined();
  await running.release();
  await expectPrintedOnce(running);
});

it('what needs a restart is named, and everything else comes into force all the same', async () => {
  await using running = await setRunningStage();
  const needed = async () =>
    (await statusOf(running.agent)).conditions.find(({ code }) => code === 'config-restart-needed');
  await editConfig(running, (config) => {
    config['kiosk'] = { listen: '127.0.0.1:1' };
    config['device'] = { description: 'Another gateway' };
    config['history'] = { unknownAfterHours: 1 };
  });
  expect(await running.agent.reload()).toMatchObject({ changed: ['history', 'device', 'kiosk.listen'] });
  expect(await needed()).toMatchObject({
    severity: 'warning',
    detail:
      'device, kiosk.listen: changed in the file. Platen uses the change after systemctl restart platen',
  });
  await editConfig(running, (config) => {
    config['kiosk'] = { listen: '127.0.0.1:0' };
    config['device'] = { poll: { firstSeconds: 1 } };
  });
  expect(await running.agent.reload()).toMatchObject({ changed: [] });
  expect(await needed()).toBeUndefined();
});

it('an API key that was put right in its file lets the terminal in, without a restart', async () => {
  await using stage = await prepareStage();
  const { clock, cloud, folder } = stage;
  writeFileSync(join(folder, 'api-key'), 'wrong');
  await editConfig(stage, (config) => {
    config['cloud'] = { baseUrl: cloud.baseUrl, authUrl: cloud.authUrl, apiKey: { file: 'api-key' } };
  });
  const agent = await stage.start();
  await clock.hurry(agent.told('condition raised', ({ code }) => code === 'api-key-refused'));
  writeFileSync(join(folder, 'api-key'), cloud.apiKey);
  expect(await agent.reload()).toMatchObject({ state: 'reloaded', changed: ['cloud.apiKey'], pending: [] });
  await clock.hurry(agent.told('terminal ready'));
});

it('SIGHUP, and SIGTERM right behind it, end the program in order', async () => {
  await using stage = await prepareStage();
  await using program = startProgram(['run', '-c', stage.configFile]);
  await program.logged('terminal ready');
  await editConfig(stage, ({ terminals: [lobby = {}] }) => void (lobby['finish'] = 'keep'));
  program.child.kill('SIGHUP');
  await program.logged('config reloaded');
  await program.logged('terminal changed');
  program.child.kill('SIGHUP');
  program.child.kill('SIGTERM');
  expect(await program.exited).toEqual({ code: 0, signal: null });
  await program.logged('agent stopped');
});
