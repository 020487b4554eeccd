/** Keys: all that can be touched can be done with them, and what is no answer to the page does nothing (T07, T08). */
import { expect, it } from 'vitest';
import { needsPeer } from '../support/needs.ts';
import type { Frame } from '../../src/kiosk/frame.ts';
import { choosing, idle, longList, screens } from './frames.ts';
import { executablePath, useStages } from './stage.ts';

needsPeer(executablePath, 'chromium')('the keyboard', () => {
  const open = useStages();

  it('is enough to sign in, choose, print and leave', async () => {
    const { page, terminal, forward } = await open({ frame: idle });
    const focused = () =>
      page.evaluate(
        () =>
          document.activeElement?.closest('label')?.textContent ?? document.activeElement?.textContent ?? '',
      );
    const tabTo = async (name: RegExp): Promise<void> => {
      const passed: string[] = [];
      do {
        await page.keyboard.press('Tab');
        passed.push(await focused());
      } while (!name.test(passed.at(-1) ?? '') && passed.length < 30);
      expect(passed.at(-1)).toMatch(name);
    };
    await tabTo(/^ID number$/);
    await page.keyboard.press('Enter');
    await page.keyboard.type('1234');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => terminal.commands.at(-1))
      .toEqual({ command: 'log-in', generation: 1, way: 'short-id', shortId: '1234' });
    terminal.show(choosing);
    await page.getByText('Travel request').waitFor();
    await tabTo(/^Travel request/);
    await page.keyboard.press('Space');
    await tabTo(/^Print 1$/);
    // Nobody presses two keys as fast as a card reader does.
    await forward(200);
    await page.keyboard.press('Enter');
    await expect.poll(() => terminal.commands.at(-1)?.command).toBe('release');
    await page.keyboard.press('Shift+Tab');
    await tabTo(/^Print 1$/);
    await tabTo(/^Sign out$/);
    await page.keyboard.press('Enter');
    await expect.poll(() => terminal.commands.at(-1)?.command).toBe('log-out');
  });

  it.each(['pin', 'enrolment'])('writes on the screen where there is none (%s)', async (name) => {
    const { page, terminal } = await open({ frame: screens[name] ?? idle });
    const press = (key: string) => page.getByRole('button', { name: key, exact: true }).tap();
    if (name === 'pin') {
      for (const key of ['4', '7', '7', 'Erase', '1', '0']) await press(key);
    } else {
      for (const key of ['Capital letters', 'A', 'd', 'a', '@']) await press(key);
      await page.getByLabel('Password').tap();
      await page.getByRole('button', { name: 'Digits and symbols' }).tap();
      for (const key of ['1', '?', '#']) await press(key);
    }
    await press('Continue');
    await expect
      .poll(() => terminal.commands.at(-1))
      .toEqual(
        name === 'pin'
          ? { command: 'pin', generation: 2, pin: '4710' }
          : { command: 'enrol', generation: 2, userName: 'Ada@', password: '1?#' },
      );
  });

  it('moves between the keys on the screen by arrows, and past them by one Tab', async () => {
    const { page } = await open({ frame: screens['pin'] ?? idle });
    await page.getByRole('button', { name: '1', exact: true }).focus();
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    await page.keyboard.press('Enter');
    expect(await page.getByLabel('PIN').inputValue()).toBe('0');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('.keys') === null)).toBe(true);
  });

  it('does nothing when a card reader types into the page (T08)', async () => {
    const [document] = choosing.documents ?? [];
    const frame: Frame = { ...longList(0), documents: document ? [document] : [] };
    const { page, terminal } = await open({ frame });
    for (const name of ['Sign out', 'Print', 'Select all']) {
      await page.getByRole('button', { name, exact: true }).focus();
      await page.keyboard.type('04A2C3D4E5\n');
      await page.keyboard.type(';1234567890?\r');
      expect(terminal.commands.filter(({ command }) => command !== 'still-there')).toEqual([]);
      expect(await page.locator('input:checked').count()).toBe(0);
    }
  });

  it('leads nowhere by shortcuts and gestures (T07)', async () => {
    const { page, terminal, faults } = await open({ frame: choosing });
    const { address } = terminal;
    const modifiers = ['', 'Control+', 'Alt+', 'Meta+', 'Control+Shift+'];
    const pressed = 'F1 F3 F5 F6 F7 F11 F12 p s o u f l j h r d ArrowLeft Backspace Delete'.split(' ');
    await page.getByRole('button', { name: 'Select all' }).focus();
    // What gets past the page's guard is free to do what a browser does with it.
    const passed = await page.evaluateHandle(() => {
      const keys: string[] = [];
      addEventListener('keydown', ({ key }) => keys.push(key));
      return keys;
    });
    for (const modifier of modifiers) for (const key of pressed) await page.keyboard.press(modifier + key);
    await page.getByText('Travel request').click({ button: 'right' });
    const modifierKeys = ['ArrowLeft', 'Control', 'Alt', 'Meta', 'Shift'];
    expect((await passed.jsonValue()).filter((key) => !modifierKeys.includes(key))).toEqual([]);
    expect(page.url()).toBe(address);
    expect(page.context().pages()).toHaveLength(1);
    expect(await page.getByText('Travel request').count()).toBe(1);
    expect(faults).toEqual([]);
    expect(terminal.strayRequests).toEqual([]);
  });
});
