/** One person after the other at the same screen (INVARIANTS.md I3, D2; B.4, 10), and a line that breaks. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Frame } from '../../src/kiosk/frame.ts';
import { needsPeer } from '../support/needs.ts';
import { choosing, idle, longList, releasing, screens } from './frames.ts';
import { noticing } from './noticing.ts';
import { executablePath, openSettings, turnOn, useStages } from './stage.ts';

/** All that the document holds, typed values included. */
const contentOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const values = [...document.querySelectorAll('input')].map(({ value }) => value);
    return document.documentElement.outerHTML + values.join();
  });

const goneSince = (page: Page, gone: RegExp): Promise<() => Promise<void>> =>
  noticing(page, (pattern) => !new RegExp(pattern).test(document.documentElement.outerHTML), gone.source);

const ofAda = /Ada Lovelace|Travel request|Boarding pass|Document \d|3\.20/;
const next: Frame = { ...idle, generation: 9 };

needsPeer(executablePath, 'chromium')('a session on the screen', () => {
  const open = useStages();

  it('leaves nothing of the person in the document after it (I3, G14)', async () => {
    const { page, shows, faults } = await open({ frame: idle });
    for (const frame of [
      choosing,
      releasing,
      longList(500),
      screens['still-there'] ?? choosing,
      longList(500),
    ]) {
      await shows(frame, '.row');
      await shows(next);
      expect(await contentOf(page)).not.toMatch(ofAda);
    }
    expect(faults).toEqual([]);
  });

  it('is off the screen with the touch of "Sign out", whatever the terminal says meanwhile (I3, G14)', async () => {
    const { page, terminal } = await open({ frame: { ...choosing, language: 'de' } });
    const signOut = page.getByRole('button', { name: 'Abmelden' });
    const seen = await goneSince(page, ofAda);
    await signOut.click();
    await seen();
    await page.evaluate((pattern) => {
      const look = () => {
        if (new RegExp(pattern).test(document.body.innerText))
          document.documentElement.dataset['again'] = document.body.innerText;
      };
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
    }, ofAda.source);
    terminal.show({ ...choosing, language: 'de', endsInSeconds: 40 });
    terminal.show({ ...next, generation: choosing.generation + 1 });
    await page.getByRole('heading', { name: 'Auf Wiedersehen.' }).waitFor();
    expect(await page.locator('html').getAttribute('data-again')).toBeNull();
    expect(terminal.commands).toEqual([{ command: 'log-out', generation: choosing.generation }]);
  });

  it('is on the screen again where the terminal did not take that', async () => {
    const { page, terminal } = await open({ frame: choosing });
    terminal.answerWith(409);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByText('Travel request').waitFor();
  });

  it('is not to be had back by the history of the browser', async () => {
    const { page, terminal } = await open({ frame: choosing });
    await page.getByText('Travel request').waitFor();
    terminal.show(next);
    await page.goto('about:blank');
    await page.goBack();
    await page.locator('.invitation, .centered').waitFor();
    expect(await contentOf(page)).not.toMatch(ofAda);
    expect(await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie])).toEqual([
      0,
      0,
      '',
    ]);
  });

  it('greets by a name that is cut at its own end, whichever way the page is read', async () => {
    const fullName = 'Smith, J. (Guest of the faculty of thermodynamics and of some others)';
    const { page, terminal } = await open({ frame: { ...choosing, fullName, language: 'ar' } });
    await page.locator('html[dir=rtl]').waitFor();
    const startOfName = () =>
      page.evaluate(() => {
        const name = document.querySelector('.person bdi');
        const range = document.createRange();
        if (name?.firstChild) range.setEnd(name.firstChild, 5);
        const { left, right } = range.getBoundingClientRect();
        const shown = name?.parentElement?.getBoundingClientRect() ?? new DOMRect();
        return shown.left <= left && right <= shown.right;
      });
    expect(await startOfName()).toBe(true);
    terminal.show({ ...choosing, fullName, language: 'ja' });
    await page.locator('html[lang=ja]').waitFor();
    expect(await startOfName()).toBe(true);
  });

  it('keeps no choice for the next person, even on the same list', async () => {
    const { page, terminal } = await open({ frame: choosing });
    await page.getByText('Travel request').click();
    await page.getByLabel('Delete Minutes').click();
    await page.getByText('1 document · 2 pages').waitFor();
    terminal.show({ ...choosing, generation: 4 });
    await expect.poll(() => page.locator('input:checked').count()).toBe(0);
    expect(await page.getByText('Minutes of the safety committee').count()).toBe(1);
    expect(await page.getByText('Undo').count()).toBe(0);
    expect(terminal.commands.filter(({ command }) => command === 'delete')).toEqual([]);
  });

  it('empties what was typed when the generation changes, and when it is sent', async () => {
    const pin = screens['pin'] ?? idle;
    const { page, terminal } = await open({ frame: pin });
    await page.getByLabel('PIN').fill('4711');
    terminal.show({ ...pin, generation: pin.generation + 1 });
    await expect.poll(() => page.getByLabel('PIN').inputValue()).toBe('');
    await page.getByLabel('PIN').fill('0815');
    await page.keyboard.press('Enter');
    await expect.poll(() => terminal.commands.at(-1)).toEqual({ command: 'pin', generation: 3, pin: '0815' });
    expect(await contentOf(page)).not.toMatch(/4711|0815/);
  });

  it('keeps the name of whoever is refused with an unknown card, and nothing else they typed', async () => {
    const enrolment = screens['enrolment'] ?? idle;
    const { page, terminal } = await open({ frame: enrolment });
    await page.getByLabel('User name').fill('ada');
    await page.getByLabel('Password').fill('wrong');
    await page.keyboard.press('Enter');
    await expect.poll(() => terminal.commands.at(-1)?.command).toBe('enrol');
    const { asks: _, ...signingIn } = enrolment;
    terminal.show({ ...signingIn, state: 'signingIn' });
    await page.locator('.dots').waitFor();
    terminal.show({ ...enrolment, notice: { code: 'login-refused' } });
    await page.getByText('That was not accepted.').first().waitFor();
    expect(await page.getByLabel('User name').inputValue()).toBe('ada');
    expect(await page.getByLabel('Password').inputValue()).toBe('');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
      .toBe('password');
    terminal.show({ ...enrolment, generation: 8 });
    await expect.poll(() => page.getByLabel('User name').inputValue()).toBe('');
  });

  it.each([20, 90])(
    'takes a sign-in that was left alone away after the %i s of the terminal',
    async (time) => {
      const { page, forward } = await open({ frame: { ...idle, typingSeconds: time } });
      await page.getByRole('button', { name: 'ID number' }).tap();
      await page.getByLabel('ID number').fill('4711');
      for (let passed = 0; passed < time - 5; passed += 5) await forward(5_000);
      expect(await contentOf(page)).toContain('4711');
      await forward(5_000);
      await forward(5_000);
      await page.getByText('No card with you?').waitFor();
      expect(await contentOf(page)).not.toContain('4711');
    },
  );

  it('shows at once what was pressed, however long the answer takes', async () => {
    const { page, terminal } = await open({ frame: longList(3) });
    let answer = (): void => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/commands', async (route) => {
      await held;
      await route.continue();
    });
    const print = page.getByRole('button', { name: 'Print all 3' });
    await print.tap();
    await page.locator('button.primary[aria-busy=true]').waitFor();
    answer();
    await expect.poll(() => terminal.commands.at(-1)?.command).toBe('release');
  });

  it('is gone from the screen when the line breaks, and comes back with it', async () => {
    const { page, terminal, forward } = await open({ frame: choosing });
    const gone = await goneSince(page, ofAda);
    terminal.goAway();
    await gone();
    await page.getByRole('heading', { name: 'Connection lost.' }).waitFor();
    terminal.show(idle);
    terminal.comeBack();
    const seen = async () => {
      // A page that was refused meanwhile connects again after two seconds of its own time.
      await forward(2_000);
      return page.locator('h1').textContent();
    };
    await expect.poll(seen).toContain('Hold your card');
  });

  it('is gone after 5 s without a sign of life (B.4, 10), and stays as long as there are some', async () => {
    const { page, forward, heartbeat } = await open({ frame: choosing });
    await page.getByText('Travel request').waitFor();
    for (let time = 0; time < 3; time += 1) {
      await forward(4_900);
      await heartbeat();
    }
    expect(await contentOf(page)).toMatch(ofAda);
    const gone = await goneSince(page, ofAda);
    await forward(5_000);
    await gone();
    // It asks anew, and the session is open still.
    await page.getByText('Travel request').waitFor();
  });

  it('ends with a farewell, and the next person finds the screen as it always is', async () => {
    const { page, terminal, forward } = await open({ frame: choosing });
    await turnOn(page, 'Large text');
    await openSettings(page);
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.locator('html[lang=de][data-text=large]').waitFor();
    await page.getByRole('button', { name: 'Abmelden' }).click();
    await expect.poll(() => terminal.commands.at(-1)?.command).toBe('log-out');
    terminal.show(next);
    // It is said to them as they had it.
    await page.getByRole('heading', { name: 'Auf Wiedersehen.' }).waitFor();
    await page.getByText('Sie sind abgemeldet.').first().waitFor();
    await page.locator('html[lang=de][data-text=large]').waitFor();
    await forward(4_000);
    await page.locator('html[lang=en][data-text=normal]').waitFor();
    await page.getByRole('heading', { name: 'Hold your card' }).waitFor();
  });

  it('tells who is thrown out in their language why, and the next person reads their own', async () => {
    const { page, terminal, shows, forward, heartbeat } = await open({ frame: idle });
    await shows({ ...choosing, language: 'de' }, '.row');
    const away: Frame = { ...next, notice: { code: 'cloud-unreachable' } };
    terminal.show(away);
    // A card cannot help, and nobody is asked for one.
    await page.getByRole('heading', { name: 'Drucken ist gerade nicht möglich.' }).waitFor();
    await forward(4_000);
    await heartbeat();
    await page.locator('html[lang=de]').waitFor();
    await forward(4_000);
    await heartbeat();
    await forward(2_000);
    await page.locator('html[lang=en]').waitFor();
    await page.getByRole('heading', { name: 'Printing is not possible right now.' }).waitFor();
    expect(await page.getByText('Hold your card').count()).toBe(0);
  });

  it('tells in the language of the card why its login failed', async () => {
    const { page, terminal, shows } = await open({ frame: idle });
    await shows({ ...idle, generation: 9, state: 'authenticating', language: 'fr' });
    terminal.show({ ...next, notice: { code: 'cloud-busy' } });
    await page.locator('html[lang=fr]').waitFor();
    await page.getByText('Le service d’impression est occupé.').first().waitFor();
  });

  it('says in large letters that all is done, counts to its end, and asks nobody whether they are there', async () => {
    const progress = [
      { documentUuid: 'document-1', name: 'Travel request March.pdf', stage: 'printed' },
    ] as const;
    const { page, terminal, shows } = await open({ frame: releasing });
    const frame = { ...choosing, documents: [], mayHavePrinted: [], waiting: 0, progress, endsInSeconds: 8 };
    await shows(frame, 'h1.huge');
    expect(await page.getByRole('heading').allInnerTexts()).toEqual(['All done. Please take your pages.']);
    expect(await page.locator('.row.result').innerText()).toMatch(/Travel request[^]*Printed/);
    expect(await page.getByRole('timer').innerText()).toBe('You are signed out in 8 seconds.');
    expect(await page.locator('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Done' }).tap();
    await expect.poll(() => terminal.commands.at(-1)?.command).toBe('log-out');
    terminal.show(next);
    await page.getByText('Please take your pages and your card.').first().waitFor();
  });

  it('says whoever leaves before their pages came that these still come', async () => {
    const { page, terminal } = await open({ frame: releasing });
    await page.getByText('Travel request').first().waitFor();
    terminal.show(next);
    await page.getByText('Your pages are still coming.').first().waitFor();
    expect(await contentOf(page)).not.toMatch(ofAda);
  });

  it('takes its settings along when the next badge comes at once', async () => {
    const { page, terminal } = await open({ frame: choosing });
    await turnOn(page, 'High contrast');
    await page.locator('html[data-contrast=high]').waitFor();
    terminal.show({ ...(screens['busy'] ?? next), generation: 9 });
    await page.locator('html[data-contrast=normal]').waitFor();
  });

  it('is kept by whoever is still there', async () => {
    const { page, terminal } = await open({ frame: { ...choosing, endsInSeconds: 12 } });
    await page.getByRole('button', { name: 'I am still here' }).click();
    await expect.poll(() => terminal.commands).toContainEqual({ command: 'still-there', generation: 3 });
    terminal.show(choosing);
    await expect.poll(() => page.locator('dialog').count()).toBe(0);
  });

  it('is left by a slow finger too: what it is on stays until it is lifted', async () => {
    const { page, terminal, forward, heartbeat } = await open({ frame: choosing });
    for (let time = 0; time < 3; time += 1) {
      await forward(4_000);
      await heartbeat();
    }
    terminal.show({ ...choosing, endsInSeconds: 12 });
    await page.locator('dialog').getByRole('button', { name: 'Sign out' }).hover();
    await page.mouse.down();
    await heartbeat();
    await page.mouse.up();
    await expect.poll(() => terminal.commands.at(-1)?.command).toBe('log-out');
    // A sign of life would have taken the question away, and the button with it.
    expect(terminal.commands).toHaveLength(1);
  });

  it('gives the focus back to what it was at when it was asked', async () => {
    const { page, terminal } = await open({ frame: choosing });
    await page.getByLabel('Delete Minutes').focus();
    terminal.show({ ...choosing, endsInSeconds: 12 });
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    terminal.show(choosing);
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await expect.poll(focused).toEqual(expect.stringContaining('Delete Minutes'));
    expect(await page.locator('dialog').count()).toBe(0);
  });
});
