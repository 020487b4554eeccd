/** Platen is killed while a lost card is dropped: the others come back when their owner next signs in, and lie open nowhere. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { Command } from '../../src/kiosk/commands.ts';
import { allPermissions } from '../../src/simulator/cloud/permissions.ts';
import { launchPage } from './kiosk-page.ts';
import type { Program } from './program.ts';
import { startProgram } from './program.ts';
import { watchScreen } from './screen.ts';
import type { Stage } from './stage.ts';
import { aliceCard, setStage } from './stage.ts';

const [lostCard, spareCard] = ['04DEADBEEF', '04CAFEBABE'];
const patience = { timeout: 20_000, interval: 20 };

/** Platen as a process of its own, and alice at its screen, signed in with her password. */
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
  await expect.poll(() => at()?.offers, patience).toContain('password');
  const held = opened.move();
  return {
    ...{ program, at, say },
    async signIn() {
      await say({ command: 'log-in', way: 'password', userName: 'alice', password: 'alice-right' });
      await expect.poll(() => at()?.offersAccount, patience).toBe(true);
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

/** Killed at that call of those that give the others back; its stage, and what is secret there. */
async function killedAt(call: 1 | 2) {
  await using opened = new AsyncDisposableStack();
  const options = { terminal: { login: { password: true } }, config: { kiosk: { account: 'full' } } };
  const stage = opened.use(await setStage(options));
  const { cloud, folder } = stage;
  const has = {
    cards: [aliceCard, lostCard, spareCard],
    password: 'alice-right',
    permissions: allPermissions,
  };
  cloud.state.users = cloud.state.users.map((one) => (one.userName === 'alice' ? { ...one, ...has } : one));
  const inTime = { kind: 'slow-headers', wait: seconds(0) } as const;
  if (call === 2) cloud.answerNext({ path: '/cards' }, inTime);
  const isThere = cloud.always({ path: '/cards' }, { kind: 'never' });
  const secrets = new RegExp([...has.cards, has.password].join('|'));
  const nothingLeft = async ({ stdout, stderr }: Program) => {
    expect(stdout() + stderr()).not.toMatch(secrets);
    expect(await filesWith(secrets, join(folder, 'state'))).toEqual([]);
  };

  await using front = await atTheScreen(stage);
  const { program, at, say } = front;
  await front.signIn();
  await say({ command: 'open-account' });
  await expect.poll(() => at()?.account?.cards?.length, patience).toBe(3);
  await say({ command: 'drop-card', card: 1, edition: at()?.account?.edition });
  await expect
    .poll(() => cloud.calls.filter(({ path }) => path.endsWith('/cards')).length, patience)
    .toBe(call);
  program.child.kill('SIGKILL');
  await program.exited;
  await nothingLeft(program);
  isThere();
  const held = opened.move();
  return {
    ...{ stage, nothingLeft },
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
  const whose = `user ${alice()?.id} of provider ${alice()?.providerId}`;
  const { code, detail } = await program.logged('condition raised');
  expect([code, detail]).toEqual(['cards-owed', expect.stringContaining(whose)]);
  stage.reader.tap(aliceCard);
  expect(await program.logged('login failed')).toMatchObject({ code: 'login-refused' });
  await front.signIn();
  expect(await program.logged('cards given back')).toMatchObject({ cards: 2 });
  expect(alice()?.cards).toEqual([aliceCard, spareCard]);
  await nothingLeft(program);
}, 60_000);

it('killed when one of two is back: the other one comes with the first, which signs in', async () => {
  await using killed = await killedAt(2);
  const { stage, alice, nothingLeft } = killed;
  expect(alice()?.cards).toEqual([aliceCard]);
  await using front = await atTheScreen(stage);
  stage.reader.tap(aliceCard);
  await expect.poll(() => front.at()?.state, patience).toBe('choosing');
  await front.program.logged('cards given back');
  expect(alice()?.cards).toEqual([aliceCard, spareCard]);
  await nothingLeft(front.program);
  expect(stage.cloud.deviations).toEqual([]);
}, 60_000);
