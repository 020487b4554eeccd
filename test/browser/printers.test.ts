/** Several printers at one screen: how each is and which one is picked, by finger and by key; and the one that would do instead. */
import { expect, it } from 'vitest';
import { needsPeer } from '../support/needs.ts';
import { choosing, idle, releasing, screens } from './frames.ts';
import { executablePath, useStages } from './stage.ts';

needsPeer(executablePath, 'chromium')('several printers', () => {
  const open = useStages();
  const atTwo = screens['choosing-printers'] ?? choosing;
  const { 'choosing-instead': instead = choosing, 'choosing-instead-color': forColor = choosing } = screens;
  const said = ({ terminal }: Awaited<ReturnType<typeof open>>) =>
    terminal.commands.filter(({ command }) => command !== 'still-there');

  it('are a group of buttons, each with its name and how it is; a touch or a key picks one', async () => {
    const stage = await open({ frame: atTwo });
    const { page, terminal, faults } = stage;
    const buttons = page.getByRole('group', { name: 'Print at' }).getByRole('button');
    expect(await buttons.allInnerTexts()).toEqual([
      'Lobby\nPrinter ready',
      'Color, A3\nPrinter ready',
      'Second floor, in the kitchen beside the lifts\nThe printer is out of paper',
    ]);
    const pressed = page.locator('.printers [aria-pressed=true]');
    expect(await pressed.allInnerTexts()).toEqual(['Lobby\nPrinter ready']);
    await buttons.nth(1).tap();
    await expect.poll(() => said(stage)).toMatchObject([{ command: 'printer', printer: 'Color, A3' }]);
    terminal.show({ ...atTwo, chosenPrinter: 'Color, A3' });
    await expect.poll(() => pressed.innerText()).toContain('Color, A3');
    await buttons.nth(0).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => said(stage).length).toBe(2);
    expect(faults).toEqual([]);
  });

  it('leave what was ticked ticked', async () => {
    const { page, terminal } = await open({ frame: atTwo });
    await page.getByRole('checkbox').first().tap();
    terminal.show({ ...atTwo, chosenPrinter: 'Color, A3' });
    await page.locator('.printers [aria-pressed=true]', { hasText: 'Color' }).waitFor();
    expect(await page.getByRole('checkbox').first().isChecked()).toBe(true);
  });

  it('offer the next one where the picked one is away, once, and where it prints without color', async () => {
    const stage = await open({ frame: instead });
    const { page, terminal } = stage;
    await page.locator('.trouble').getByRole('button', { name: 'Use Color, A3' }).tap();
    await expect.poll(() => said(stage)).toMatchObject([{ command: 'printer', printer: 'Color, A3' }]);
    expect(await page.locator('.instead').count()).toBe(0);
    await page.getByText('Color, A3 can print now.').waitFor();

    terminal.show(forColor);
    await page
      .locator('.instead')
      .getByText('Here it comes out in black and white. At Color, A3 it does not.')
      .waitFor();
    await page.getByRole('button', { name: 'Use Color, A3' }).tap();
    await expect.poll(() => said(stage).length).toBe(2);
  });

  it('say where each document is printed and, where nobody is, which one stands in for the first', async () => {
    const stage = await open({ frame: screens['releasing-printers'] ?? releasing });
    const { page } = stage;
    const at = page.locator('.row.progress small bdi');
    await at.first().waitFor();
    expect(await at.allInnerTexts()).toEqual(['Lobby', 'Color, A3']);
    await stage.shows({ ...(screens['idle-printers'] ?? idle), generation: 9 }, '.farewell');
    await stage.forward(5_000);
    await page.getByText('Color, A3 can print now.').last().waitFor();
  });

  it('are nothing where there is one, nor where they may not print', async () => {
    const { page, terminal } = await open({ frame: choosing });
    await page.locator('.row').first().waitFor();
    expect(await page.locator('.printers').count()).toBe(0);
    terminal.show({ ...atTwo, notHere: true });
    await page.locator('.notice.bad').first().waitFor();
    expect(await page.locator('.printers').count()).toBe(0);
  });
});
