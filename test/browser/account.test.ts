/** The screen of one's own account: opened from the list, changed by touch, by keyboard, and never by a slip of the finger. */
import { expect, it } from 'vitest';
import { needsPeer } from '../support/needs.ts';
import { account, choosing, ownAccount } from './frames.ts';
import type { Stage } from './stage.ts';
import { executablePath, useStages } from './stage.ts';

const commandsOf = ({ terminal }: Stage) =>
  terminal.commands.filter(({ command }) => command !== 'still-there');

needsPeer(executablePath, 'chromium')('the account', () => {
  const open = useStages();

  it('is opened from the list where it is offered, and left for it again', async () => {
    const stage = await open({ frame: choosing });
    const { page, terminal } = stage;
    expect(await page.getByRole('button', { name: 'My account' }).count()).toBe(0);
    terminal.show({ ...choosing, offersAccount: true });
    await page.getByRole('button', { name: 'My account' }).tap();
    await expect.poll(() => commandsOf(stage)).toMatchObject([{ command: 'open-account' }]);
    terminal.show(account);
    await page.getByRole('heading', { name: 'My account' }).waitFor();
    await page.getByText('13.20').waitFor();
    await page.getByText('Card that ends in 77F0').waitFor();
    await page.getByRole('button', { name: 'Back to the documents' }).tap();
    await expect.poll(() => commandsOf(stage).at(-1)).toMatchObject({ command: 'close-account' });
    terminal.show(choosing);
    await page.getByText('Boarding pass').waitFor();
    expect(await page.content()).not.toMatch(/77F0|13\.20/);
  });

  it('is opened when what was deleted before is told: it would stand in the list again', async () => {
    const stage = await open({ frame: { ...choosing, offersAccount: true } });
    await stage.page.getByLabel('Delete Minutes').tap();
    await stage.page.getByText('1 document will be deleted.').waitFor();
    await stage.page.getByRole('button', { name: 'My account' }).tap();
    await expect
      .poll(() => commandsOf(stage))
      .toMatchObject([{ command: 'delete', documentUuids: ['document-2'] }, { command: 'open-account' }]);
  });

  it('leaves the focus on the button that was pressed while that is done', async () => {
    const stage = await open({ frame: account });
    const { page, terminal } = stage;
    const pressed = page.getByRole('button', { name: 'New ID number' });
    await pressed.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => commandsOf(stage)).toMatchObject([{ command: 'new-short-id' }]);
    terminal.show({ ...account, account: { ...ownAccount, stage: 'busy' } });
    await page.locator('main[aria-busy=true]').waitFor();
    await page.keyboard.press('Enter');
    terminal.show({ ...account, account: { ...ownAccount, shortId: '48151623' } });
    await page.getByText('48151623').waitFor();
    expect(await pressed.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(commandsOf(stage)).toHaveLength(1);
  });

  it('drops a card after a question that names it, and never the one that is held', async () => {
    const stage = await open({ frame: account });
    const { page } = stage;
    await page.getByRole('button', { name: /^I have lost it/ }).tap();
    await page.getByRole('dialog', { name: 'Drop the card that ends in 77F0?' }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Back' }).tap();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(commandsOf(stage)).toEqual([]);
    await page.getByRole('button', { name: /^I have lost it/ }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'I have lost it' }).tap();
    await expect.poll(() => commandsOf(stage)).toMatchObject([{ command: 'drop-card', card: 1, edition: 1 }]);
  });

  it('asks for the password, and empties it when it is sent or left', async () => {
    const proving = { ...account, account: { ...ownAccount, stage: 'proving' as const } };
    const stage = await open({ frame: proving });
    const { page, terminal } = stage;
    await page.getByLabel('Password').fill('secret');
    await page.keyboard.press('Enter');
    await expect.poll(() => commandsOf(stage)).toMatchObject([{ command: 'prove', password: 'secret' }]);
    expect(await page.getByLabel('Password').inputValue()).toBe('');
    terminal.show({ ...proving, account: { ...proving.account, notice: { code: 'login-refused' } } });
    await page.locator('.notice', { hasText: 'That was not accepted.' }).waitFor();
    await page.getByRole('button', { name: 'Back' }).tap();
    await expect.poll(() => commandsOf(stage).at(-1)).toMatchObject({ command: 'step-back' });
  });

  it('offers what may be done and no more, and nothing while something is under way', async () => {
    const may = { drop: false, register: false, shortId: false };
    const { page, terminal } = await open({ frame: { ...account, account: { ...ownAccount, may } } });
    await page.getByText('My cards').waitFor();
    expect(await page.getByRole('button', { name: /lost|Register|New ID/ }).count()).toBe(0);
    terminal.show({ ...account, account: { ...ownAccount, stage: 'busy' } });
    await page.getByRole('button', { name: 'New ID number', disabled: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Register another card' }).isDisabled()).toBe(true);
  });

  it('waits for a new card, which may be taken back', async () => {
    const awaiting = { ...account, account: { ...ownAccount, stage: 'awaiting-card' as const } };
    const stage = await open({ frame: awaiting });
    await stage.page.getByRole('heading', { name: 'Hold the new card to the reader.' }).waitFor();
    await stage.page.getByRole('button', { name: 'Back' }).tap();
    await expect.poll(() => commandsOf(stage)).toMatchObject([{ command: 'step-back' }]);
  });
});
