/** What is said to who does not see the screen: the live region, and the voice, for which others have ears too (I3). */
import type { JSHandle, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { Frame } from '../../src/kiosk/frame.ts';
import { needsPeer } from '../support/needs.ts';
import { choosing, idle, releasing, screens } from './frames.ts';
import { executablePath, openSettings, turnOn, useStages } from './stage.ts';

/** A browser with a voice, and what that says. Debian's has none. */
async function withVoice(page: Page, lang: string): Promise<JSHandle<string[]>> {
  const said = await page.evaluateHandle((language) => {
    const texts: string[] = [];
    const voice = { lang: language } as SpeechSynthesisVoice;
    speechSynthesis.getVoices = () => [voice];
    // No voice of a system stands behind it.
    globalThis.SpeechSynthesisUtterance = class {
      readonly text: string;
      constructor(text: string) {
        this.text = text;
      }
    } as typeof SpeechSynthesisUtterance;
    speechSynthesis.speak = ({ text }) => void texts.push(text);
    return texts;
  }, lang);
  await page.evaluate(() => speechSynthesis.dispatchEvent(new Event('voiceschanged')));
  return said;
}

const names = /Ada|Lovelace|Travel|Minutes|Boarding|Quarterly|Lecture|4711/;

needsPeer(executablePath, 'chromium')('read aloud', () => {
  const open = useStages();

  it('is offered where there is a voice for the language, and nowhere else', async () => {
    const { page } = await open({ frame: idle });
    await openSettings(page);
    await page.getByRole('button', { name: 'High contrast' }).waitFor();
    expect(await page.getByRole('button', { name: 'Read aloud' }).count()).toBe(0);
    await withVoice(page, 'de-DE');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await openSettings(page);
    await page.getByRole('button', { name: 'Vorlesen' }).waitFor();
  });

  it('leads who cannot see from the badge to the pages by F1, Tab and Enter, and says no name and no title', async () => {
    const { page, terminal, forward } = await open({ frame: idle });
    const said = await withVoice(page, 'en-GB');
    const hears = async (text: string | RegExp): Promise<void> => {
      await expect.poll(async () => (await said.jsonValue()).join(' | ')).toMatch(text);
    };
    await page.keyboard.press('F1');
    await hears(/Read aloud is on\..*Hold your card/);
    terminal.show(screens['pin'] ?? idle);
    await hears(/Enter your PIN\. \| PIN/);
    await page.keyboard.type('4711');
    await page.keyboard.press('Tab');
    await hears('Back');
    await page.getByRole('button', { name: '4', exact: true }).focus();
    terminal.show(choosing);
    await hears('Your documents');
    await page.getByRole('checkbox', { name: /Travel/ }).focus();
    await hears(/Document 1 of \d\. 2 pages.*0 selected/);
    // F1 was a key too: what chooses right after one is a card reader's.
    await forward(200);
    await page.keyboard.press('Space');
    await hears(/Document 1 of \d\. 2 pages.*1 selected/);
    await page.getByLabel('Delete Travel').focus();
    await hears(/Delete Document 1 of \d/);
    terminal.show(releasing);
    await hears('1 of 4 done · 1 not printed · 1 not confirmed');
    const all = (await said.jsonValue()).join(' | ');
    expect(all).not.toMatch(names);
    // Others hear it, and where the finger goes on the keys is the PIN.
    expect(all).not.toMatch(/\| [0-9]( \||$)/);
  });

  it('takes leave of who turned it on, and is off for the next person', async () => {
    const { page, terminal } = await open({ frame: choosing });
    const said = await withVoice(page, 'en-GB');
    await turnOn(page, 'Read aloud');
    terminal.show({ ...idle, generation: 9 });
    await expect
      .poll(async () => (await said.jsonValue()).at(-1))
      .toBe('Goodbye. You are signed out. Please take your card.');
    terminal.show({ ...(screens['busy'] ?? idle), generation: 10 });
    await page.locator('[aria-pressed=false]', { hasText: 'Read aloud' }).waitFor({ state: 'attached' });
    await page.getByRole('heading', { name: 'One moment' }).waitFor();
    expect((await said.jsonValue()).at(-1)).toMatch('Goodbye');
  });
});

needsPeer(executablePath, 'chromium')('the live region', () => {
  const open = useStages();

  it('says each end, and no page', async () => {
    const printing = (page: number, first: 'printed' | 'printing'): Frame => ({
      ...releasing,
      progress: [
        { documentUuid: 'document-1', name: 'Travel request March.pdf', stage: first },
        { documentUuid: 'document-2', name: 'Lecture 7', stage: 'printing', page, pages: 48 },
      ],
    });
    const { page, terminal } = await open({ frame: printing(1, 'printing') });
    const region = page.locator('p[role=status].unseen');
    await expect.poll(() => region.textContent()).toBe('Printing. Please wait for your pages.');
    const changes = await page.evaluateHandle(() => {
      const texts: (string | null)[] = [];
      const live = document.querySelector('p[role=status].unseen');
      if (live)
        new MutationObserver(() => texts.push(live.textContent)).observe(live, {
          childList: true,
          characterData: true,
          subtree: true,
        });
      return texts;
    });
    for (const at of [2, 3, 4]) terminal.show(printing(at, 'printing'));
    terminal.show(printing(5, 'printed'));
    terminal.show(printing(6, 'printed'));
    await page.getByText('Printing page 6 of 48').first().waitFor();
    expect(await changes.jsonValue()).toEqual(['1 of 2 done']);
  });

  it('spells the codes of a terminal that serves nobody', async () => {
    const { page } = await open({ frame: screens['out-of-service'] ?? idle });
    const region = page.locator('p[role=status].unseen');
    await expect.poll(() => region.textContent()).toMatch(/W D J B - M J H T.*K 7 Q 2 F M/);
  });
});
