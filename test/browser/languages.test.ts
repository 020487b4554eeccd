/** The words of a language come when they are wanted: one language is on the screen at a time, and always a whole one. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { languageFor } from '../../src/phrases/language.ts';
import { needsPeer } from '../support/needs.ts';
import { patience } from '../support/patience.ts';
import { idle } from './frames.ts';
import { startScriptedTerminal } from './scripted-terminal.ts';
import { executablePath, theBrowser, useStages } from './stage.ts';

/** A file of words that is asked for, and does not come until it is let. */
async function hold(page: Page, code: string): Promise<{ asked: Promise<void>; let(): Promise<void> }> {
  const asked = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  const path = `**/${code}-*.js`;
  await page.route(path, async (route) => {
    asked.resolve();
    await free.promise;
    await route.continue();
  });
  return {
    asked: asked.promise,
    async let() {
      const came = page.waitForResponse(path);
      free.resolve();
      // The same module once more: here it is when the page has it.
      await page.evaluate(`import('${(await came).url()}')`);
    },
  };
}

const shown = (page: Page) =>
  page.evaluate(() => ({
    lang: document.documentElement.lang,
    title: document.title,
    heading: document.querySelector('h1')?.textContent,
    pressed: document.querySelector('.languages [aria-pressed=true]')?.textContent,
  }));

const english = {
  lang: 'en',
  title: 'Print terminal',
  heading: 'Hold your card to the reader.',
  pressed: 'English',
};
const german = {
  lang: 'de',
  title: 'Druckterminal',
  heading: 'Halten Sie Ihre Karte an den Leser.',
  pressed: 'Deutsch',
};

const choose = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).tap();
const speaks = (page: Page, code: string) => page.locator(`html[lang=${code}]`).waitFor();

needsPeer(executablePath, 'chromium')('the language on the screen', () => {
  const open = useStages();

  it("is the browser's own from the first moment, and English where that does not come", async () => {
    const browser = await theBrowser();
    await using terminal = await startScriptedTerminal();
    terminal.show(idle);
    await using context = await browser.newContext({ locale: 'de-CH' });
    const page = await context.newPage();
    page.setDefaultTimeout(patience());
    const words = await hold(page, 'de');
    await page.goto(terminal.address);
    await words.asked;
    expect(await page.locator('body > :not(noscript)').count()).toBe(0);
    await words.let();
    await page.getByRole('heading', { name: german.heading }).waitFor();
    expect(await shown(page)).toEqual(german);
    await page.unroute('**/de-*.js');
    await page.route('**/de-*.js', (route) => route.abort());
    await page.reload();
    await page.getByRole('heading', { name: english.heading }).waitFor();
    expect(await shown(page)).toEqual(english);
  });

  it('stays until the next one is there, and then changes as a whole', async () => {
    const { page, terminal } = await open({ frame: idle });
    const words = await hold(page, 'de');
    terminal.show({ ...idle, language: 'de' });
    await words.asked;
    expect(await shown(page)).toEqual(english);
    await words.let();
    await speaks(page, 'de');
    expect(await shown(page)).toEqual(german);
  });

  it('is the one that was chosen last, whichever comes first', async () => {
    const { page } = await open({ frame: idle });
    const words = await hold(page, 'es');
    await choose(page, 'Español');
    await words.asked;
    await choose(page, 'Français');
    await speaks(page, 'fr');
    await words.let();
    expect((await shown(page)).heading).toBe((await languageFor(['fr']).load()).holdCard);
    await choose(page, 'Deutsch');
    await speaks(page, 'de');
    expect(await shown(page)).toEqual(german);
  });

  it('stays when the file of the next one does not come, and is asked for again by the next choice', async () => {
    const { page, faults } = await open({ frame: idle });
    const failed = page.waitForEvent('requestfailed');
    await page.route('**/ja-*.js', (route) => route.abort());
    await choose(page, '日本語');
    await failed;
    expect(await shown(page)).toEqual(english);
    await page.unroute('**/ja-*.js');
    await choose(page, '日本語');
    await speaks(page, 'ja');
    expect(faults).toEqual([]);
  });
});
