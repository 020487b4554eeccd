/** What a person saw of their own account is in the memory of the process no longer when they have gone, and on no other (I3, I5). */
import { expect, it } from 'vitest';
import { allPermissions } from '../../src/simulator/cloud/permissions.ts';
import type { Command } from '../../src/kiosk/commands.ts';
import { launchPage } from '../support/agent/kiosk-page.ts';
import { startProgram } from '../support/program.ts';
import { watchScreen } from '../support/agent/screen.ts';
import { setStage } from '../support/agent/stage.ts';
import { unmistakable as person, unmistakableSeed as seed } from '../support/agent/unmistakable-person.ts';
import { eventually } from '../support/patience.ts';
import { foundInMemory } from '../support/process-memory.ts';

const [otherCard, lostCard] = ['04C0FFEE99', '04C0FFEE77'];
const bought = 'Kontrabass-Gutschein';

it('neither cards, nor transactions, nor the new short id, a few seconds after the person', async () => {
  await using stage = await setStage({
    cloud: { seed },
    terminal: { login: { password: true } },
    config: { kiosk: { account: 'full' } },
  });
  const { cloud, configFile, folder } = stage;
  const { state } = cloud;
  state.users = state.users.map((one) =>
    one.userName === person['user name']
      ? { ...one, cards: [...one.cards, otherCard, lostCard], permissions: allPermissions }
      : one,
  );
  const owner = state.users.find(({ userName }) => userName === person['user name']);
  if (!owner) throw new Error('nobody is there');
  cloud.setPrices({ bwNormalPage: 0.05, bwLargePage: 0.1, colorNormalPage: 0.2, colorLargePage: 0.4 });
  cloud.setUserBalance(owner.userName, { quota: 3.2 });
  const { id: userId, userName, providerId, accountId } = owner;
  state.balanceTransactions.push({
    id: 900,
    userId,
    userName,
    providerId,
    accountId,
    quota: 1_000_000,
    wallet: 0,
    transactionType: 'TOP_UP',
    quotaAfter: 3_200_000,
    walletAfter: 0,
    description: bought,
    at: Date.parse('2026-11-20T10:00:00Z'),
  });
  await using program = startProgram(['run', '-c', configFile], { cwd: folder });
  const kiosk = `http://${String((await program.logged('agent started'))['kiosk'])}`;
  await program.logged('terminal ready');
  const page = await launchPage(stage, { kiosk });
  await using screen = await watchScreen({ kiosk }, page);
  const at = () => screen.views.at(-1);
  /** A frame that came in between makes the word one of a screen that is no more: it is said to the next one. */
  const say = (word: object) =>
    eventually(async () => {
      const { generation = 0 } = at() ?? {};
      expect(await page.say({ generation, ...word } as Command)).toBe(204);
    });
  await expect.poll(() => at()?.offers).toContain('password');
  await say({ command: 'log-in', way: 'password', userName, password: person.password });
  await expect.poll(() => at()?.offersAccount).toBe(true);
  await say({ command: 'open-account' });
  await expect.poll(() => at()?.account?.transactions?.length).toBeGreaterThan(0);
  await say({ command: 'drop-card', card: 2, edition: at()?.account?.edition });
  await expect.poll(() => at()?.account?.notice?.code).toBe('card-dropped');
  await say({ command: 'new-short-id' });
  await expect.poll(() => at()?.account?.shortId).toBeDefined();
  const shortId = at()?.account?.shortId ?? '';
  const found = () =>
    foundInMemory(program.child.pid, {
      'other card': otherCard,
      'lost card': lostCard,
      bought,
      'short id': shortId,
    });
  // Where to look is known: what is shown is there.
  expect(await found()).toEqual(expect.arrayContaining(['bought', 'other card']));
  await say({ command: 'log-out' });
  await expect.poll(found, { interval: 1000 }).toEqual([]);
});
