/** Platen is killed while a lost card is dropped: the others come back when their owner next signs in, and lie open nowhere. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { Command } from '../../src/kiosk/commands.ts';
import { allPermissions } from '../../src/simulator/cloud/permissions.ts';
import { mountSmallDisk, needsMount } from '../support/small-disk.ts';
import { launchPage } from '../support/agent/kiosk-page.ts';
import type { Program } from '../support/program.ts';
import { startProgram } from '../support/program.ts';
import { watchScreen } from '../support/agent/screen.ts';
import type { Stage } from '../support/agent/stage.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';

const [lostCard, spareCard] = ['04DEADBEEF', '04CAFEBABE'];

/** Platen as a process of its own, and alice at its screen. */
async function atTheScreen(stage: Stage) {
  await using opened = new AsyncDisposableStack();
  const { configFile, folder } = stage;
  const program = opened.use(startProgram(['run', '-c', configFile], { cwd: folder }));
  const kiosk = `http://${String((await program.logged('agent started'))['kiosk'])}`;
  await program.logged('terminal ready');
  const page = await launchPage(stage, { kiosk });
  const screen = opened.use(await watchScreen({ kiosk }, page));
  const at = () => screen.views.at(-1);
  const say = async (word: object): Promise<void> => {
    const { generation = 0 } = at() ?? {};
    expect(await page.say({ generation, ...word } as Command)).toBe(204);
  };
  await expect.poll(() => at()?.offers).toContain('password');
  const held = opened.move();
  return {
    program,
    at,
    async signIn() {
      await say({ command: 'log-in', way: 'password', userName: 'alice', password: 'alice-right' });
      await expect.poll(() => at()?.offersAccount).toBe(true);
      await say({ command: 'open-account' });
    },
    async dropLost() {
      await expect.poll(() => at()?.account).toMatchObject({ stage: 'open', cards: [{}, {}, {}] });
      await say({ command: 'drop-card', card: 1, edition: at()?.account?.edition });
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

async function filesWith(secrets: RegExp, folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    if (!(await stat(path)).isFile()) continue;
    if (secrets.test(await readFile(path, 'latin1'))) found.push(name);
  }
  return found;
}

const alices = { cards: [aliceCard, lostCard, spareCard], password: 'alice-right' };

async function stageWithAlice(): Promise<Stage> {
  const stage = await setStage({
    terminal: { login: { password: true } },
    config: { kiosk: { account: 'full' } },
  });
  const { state } = stage.cloud;
  const has = { ...alices, cards: [...alices.cards], permissions: allPermissions };
  state.users = state.users.map((one) => (one.userName === 'alice' ? { ...one, ...has } : one));
  return stage;
}

/** Killed at that call of those that give the others back. */
async function killedAt(call: 1 | 2) {
  await using opened = new AsyncDisposableStack();
  const stage = opened.use(await stageWithAlice());
  const { cloud, folder } = stage;
  const inTime = { kind: 'slow-headers', wait: seconds(0) } as const;
  if (call === 2) cloud.answerNext({ path: '/cards' }, inTime);
  const isThere = cloud.always({ path: '/cards' }, { kind: 'never' });
  const secrets = new RegExp([...alices.cards, alices.password].join('|'));
  const nothingLeft = async ({ stdout, stderr }: Program) => {
    expect(stdout() + stderr()).not.toMatch(secrets);
    expect(await filesWith(secrets, join(folder, 'state'))).toEqual([]);
  };

  await using front = await atTheScreen(stage);
  const { program } = front;
  await front.signIn();
  await front.dropLost();
  await expect.poll(() => cloud.calls.filter(({ path }) => path.endsWith('/cards')).length).toBe(call);
  program.child.kill('SIGKILL');
  await program.exited;
  await nothingLeft(program);
  isThere();
  const held = opened.move();
  return {
    stage,
    nothingLeft,
    alice: () => cloud.state.users.find(({ userName }) => userName === 'alice'),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

it('killed when all are gone: the restarted one says whose they are, and gives them back at the next sign-in', async () => {
  await using killed = await killedAt(1);
  const { stage, alice, nothingLeft } = killed;
  expect(alice()?.cards).toEqual([]);
  await using front = await atTheScreen(stage);
  const { program } = front;
  const owner = `user ${alice()?.id} of provider ${alice()?.providerId}`;
  const { code, detail } = await program.logged('condition raised');
  expect([code, detail]).toEqual(['cards-owed', expect.stringContaining(owner)]);
  stage.reader.tap(aliceCard);
  expect(await program.logged('login failed')).toMatchObject({ code: 'login-refused' });
  await front.signIn();
  expect(await program.logged('cards given back')).toMatchObject({ cards: 2 });
  expect(alice()?.cards).toEqual([aliceCard, spareCard]);
  await nothingLeft(program);
});

it('killed when one of two is back: the other one comes with the first, which signs in', async () => {
  await using killed = await killedAt(2);
  const { stage, alice, nothingLeft } = killed;
  expect(alice()?.cards).toEqual([aliceCard]);
  await using front = await atTheScreen(stage);
  stage.reader.tap(aliceCard);
  await expect.poll(() => front.at()?.state).toBe('choosing');
  await front.program.logged('cards given back');
  expect(alice()?.cards).toEqual([aliceCard, spareCard]);
  await nothingLeft(front.program);
  expect(stage.cloud.deviations).toEqual([]);
});

describe('on a disk that is full', () => {
  needsMount();

  it('nothing is taken: the person is told that it is not possible now, and can do it when there is room', async () => {
    await using stage = await stageWithAlice();
    const { cloud, folder } = stage;
    using disk = mountSmallDisk(join(folder, 'state'), { size: '8m' });
    await using front = await atTheScreen(stage);
    const { at, program } = front;
    await front.signIn();
    disk.fill();
    await front.dropLost();
    await expect.poll(() => at()?.account?.notice?.code).toBe('card-not-dropped');
    expect(at()?.account?.cards).toHaveLength(3);
    expect(await program.logged('account not changed')).toMatchObject({ code: 'store-refused' });
    disk.free();
    await front.dropLost();
    await expect.poll(() => at()?.account?.notice?.code).toBe('card-dropped');
    const alice = cloud.state.users.find(({ userName }) => userName === 'alice');
    expect(alice?.cards).toEqual([aliceCard, spareCard]);
  });
});
