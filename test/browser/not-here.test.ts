/** At a printer that is not theirs: said first, nothing to tick or print, and deleting works. */
import { expect, it } from 'vitest';
import { needsPeer } from '../support/needs.ts';
import { choosing, screens } from './frames.ts';
import { executablePath, useStages } from './stage.ts';

needsPeer(executablePath, 'chromium')('a printer that is not theirs', () => {
  const open = useStages();

  it('says so, and offers nothing but to delete and to sign out', async () => {
    const { page, terminal, faults } = await open({ frame: screens['choosing-not-here'] ?? choosing });
    await page.locator('.head').getByText('You may not print at this printer.').waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    expect(await page.getByRole('button', { name: /^(Print|Select)/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'It is there' }).waitFor();
    await page.keyboard.press('F2');
    await page.getByRole('button', { name: 'Delete Lecture 7' }).tap();
    await page.getByRole('button', { name: 'Sign out' }).tap();
    const reported = () =>
      terminal.commands.map(({ command }) => command).filter((one) => one !== 'still-there');
    await expect.poll(reported).toEqual(['delete', 'log-out']);
    expect(faults).toEqual([]);
  });

  it('says so where nothing waits, too, and where it was told a moment late', async () => {
    const { page, terminal } = await open({ frame: choosing });
    await page.getByRole('checkbox').first().tap();
    terminal.show({ ...choosing, notHere: true });
    await page.locator('.notice', { hasText: 'You may not print at this printer.' }).waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    terminal.show({ ...choosing, notHere: true, documents: [], waiting: 0 });
    await page.getByRole('heading', { name: 'No documents are waiting for you.' }).waitFor();
    await page.locator('.notice', { hasText: 'You may not print at this printer.' }).waitFor();
  });
});
