/** A person's own account at the kiosk page: read by a bare badge, changed after their password, and left nowhere (I3). */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allPermissions, everydayPermissions } from '../../src/simulator/cloud/permissions.ts';
import { standInFront } from './front.ts';
import type { StageOptions } from '../support/agent/stage.ts';
import { aliceCard, bobCard, setStage } from '../support/agent/stage.ts';

const lostCard = '04DEADBEEF';
const newCard = '04CAFEBABE';

async function atTheList(kiosk: object, permissions = allPermissions) {
  await using opened = new AsyncDisposableStack();
  const options: StageOptions = { config: { kiosk } };
  const stage = opened.use(await setStage(options));
  const { cloud } = stage;
  cloud.state.users = cloud.state.users.map((one) =>
    one.userName === 'alice' ? { ...one, cards: [aliceCard, lostCard], password: 'right', permissions } : one,
  );
  cloud.setPrices({ bwNormalPage: 0.05, bwLargePage: 0.1, colorNormalPage: 0.2, colorLargePage: 0.4 });
  cloud.setUserBalance('alice', { quota: 3.2, wallet: 10 });
  const agent = await stage.start();
  const { page, passerBy, at, is } = await standInFront(stage, agent, opened);
  const showing = async (wanted: string): Promise<void> => {
    await expect.poll(() => at()?.account?.stage).toBe(wanted);
  };
  stage.reader.tap(aliceCard);
  await is('choosing');
  const held = opened.move();
  return {
    stage,
    agent,
    passerBy,
    at,
    is,
    showing,
    say: (word: object) =>
      page.say({ generation: at()?.generation ?? 0, ...word } as Parameters<typeof page.say>[0]),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

it('is read by a badge, and changed after the password: a lost card goes, a new one comes', async () => {
  await using front = await atTheList({ account: 'full' });
  const { stage, agent, passerBy, at, is, showing, say } = front;
  const { cloud, reader, folder } = stage;
  const alice = () => cloud.state.users.find(({ userName }) => userName === 'alice');
  const before = cloud.calls.length;
  expect(await say({ command: 'drop-card', card: 1, edition: 1 })).toBe(409);
  expect(await say({ command: 'open-account' })).toBe(204);
  await showing('open');
  expect(at()?.account).toMatchObject({
    balance: { total: '13.20', quota: '3.20', wallet: '10.00' },
    prices: { bwNormal: '0.05', colorLarge: '0.40' },
    cards: [{ end: 'C3D4', isHeld: true }, { end: 'BEEF' }],
    may: { drop: true, register: true, shortId: true },
  });
  // Nobody asked for any of it before.
  const paths = cloud.calls.slice(before).map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining(['/api/v1/balance', '/api/v1/users', '/api/v1/balance/config']),
  );

  const drop = { command: 'drop-card', card: 1, edition: at()?.account?.edition };
  expect(await say(drop)).toBe(204);
  await showing('proving');
  expect(alice()?.cards).toEqual([aliceCard, lostCard]);
  expect(await say({ command: 'prove', password: 'wrong' })).toBe(204);
  await expect.poll(() => at()?.account?.notice?.code).toBe('login-refused');
  await showing('proving');
  expect(await say({ command: 'prove', password: 'right' })).toBe(204);
  await expect.poll(() => at()?.account?.notice?.code).toBe('card-dropped');
  await showing('open');
  expect(alice()?.cards).toEqual([aliceCard]);
  // The same touch once more would mean the card that is held.
  expect(await say({ ...drop, card: 0 })).toBe(409);
  await showing('open');
  expect(alice()?.cards).toEqual([aliceCard]);

  expect(await say({ command: 'register-card' })).toBe(204);
  await showing('awaiting-card');
  stage.awaitAnotherBadge();
  reader.tap(newCard);
  await expect.poll(() => alice()?.cards).toEqual([aliceCard, newCard]);
  await showing('open');
  expect(await say({ command: 'new-short-id' })).toBe(204);
  await expect.poll(() => at()?.account?.shortId).toMatch(/^[1-9]\d{7}$/);
  const shortId = at()?.account?.shortId ?? '';
  expect(alice()?.shortId).toBe(shortId);

  expect(await say({ command: 'close-account' })).toBe(204);
  await is('choosing');
  expect(at()).not.toHaveProperty('account');
  await say({ command: 'log-out' });
  await is('prompting');
  expect(JSON.stringify(passerBy.views)).not.toMatch(/account":|BEEF|C3D4|card-|short-id-|login-refused/);
  expect(JSON.stringify(passerBy.views)).not.toContain(shortId);
  const log = JSON.stringify(agent.records);
  for (const secret of [lostCard, newCard, 'right', shortId]) expect(log).not.toContain(`"${secret}"`);
  const state = join(folder, 'state');
  for (const name of await readdir(state, { recursive: true })) {
    if (!(await stat(join(state, name))).isFile()) continue;
    const bytes = await readFile(join(state, name));
    expect([lostCard, newCard, shortId].filter((one) => bytes.includes(one))).toEqual([]);
  }
  expect(cloud.deviations).toEqual([]);
});

it('somebody else’s badge is never registered: they are signed in', async () => {
  await using front = await atTheList({ account: 'full' });
  const { stage, at, is, showing, say } = front;
  await say({ command: 'open-account' });
  await showing('open');
  await say({ command: 'register-card' });
  await showing('proving');
  await say({ command: 'prove', password: 'right' });
  await showing('awaiting-card');
  stage.awaitAnotherBadge();
  stage.reader.tap(bobCard);
  await is('choosing');
  expect(at()?.fullName).not.toMatch(/alice/i);
  const bob = stage.cloud.state.users.find(({ userName }) => userName === 'bob');
  expect(bob?.cards).toContain(bobCard);
});

it('what the user may not see or change is not offered; what is only to be read is not changed', async () => {
  const permissions = everydayPermissions.filter((one) => one !== 'ViewUserBalance');
  await using front = await atTheList({}, permissions);
  const { at, showing, say } = front;
  await say({ command: 'open-account' });
  await showing('open');
  expect(at()?.account).toMatchObject({ may: { drop: false, register: false, shortId: false } });
  expect(at()?.account).not.toHaveProperty('balance');
  expect(at()?.account?.cards).toHaveLength(2);
  for (const word of [{ command: 'register-card' }, { command: 'new-short-id' }]) {
    expect(await say(word)).toBe(409);
  }
});

it('off: it is offered to nobody', async () => {
  await using front = await atTheList({ account: 'off' });
  expect(front.at()).not.toHaveProperty('offersAccount');
  expect(await front.say({ command: 'open-account' })).toBe(409);
});
