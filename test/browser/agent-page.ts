/** The kiosk page of a running agent in Debian's Chromium: nothing between the badge and the paper is played. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { Language } from '../../src/kiosk/page/languages/language.ts';
import { english, languages } from '../../src/kiosk/page/languages/language.ts';
import type { Words } from '../../src/kiosk/page/languages/words.ts';
import { englishWords, loadWords } from '../../src/kiosk/page/languages/words.ts';
import { launchAddress } from '../support/agent/kiosk-page.ts';
import type { Running, Stage } from '../support/agent/stage.ts';
import { browserArgs, executablePath, faultsOf, panel } from './stage.ts';

/** Milliseconds for what comes at once, on a machine that does other things too. */
const patience = 30_000;

/** For a test that does much, most of it one after the other. */
export const unhurried = { timeout: 120_000 };

export interface AgentPage {
  readonly page: Page;
  /** Errors of scripts and of the content security policy, and dialogs. */
  readonly faults: readonly string[];
}

export interface AgentPages {
  /** Launched with the terminal's secret, as the kiosk is. */
  launch(stage: Stage, agent: Pick<Running, 'kiosk'>): Promise<AgentPage>;
  /** Somebody who only knows the address. */
  passBy(agent: Pick<Running, 'kiosk'>): Promise<AgentPage>;
  /** Somebody at a desk. */
  lookOn(agent: Pick<Running, 'kiosk'>): Promise<AgentPage>;
}

/** One browser for the tests of a file; each page is a browser profile of its own. */
export function useAgentPages(): AgentPages {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: browserArgs });
  });
  afterAll(() => browser?.close());

  async function open(address: string): Promise<AgentPage> {
    if (!browser) throw new Error('the browser is not open yet');
    const context = await browser.newContext(asAtThePanel);
    onTestFinished(() => context.close());
    return openPage(context, address);
  }
  return {
    launch: async (stage, agent) => open(await launchAddress(stage, agent)),
    passBy: ({ kiosk }) => open(`${kiosk}/t/lobby`),
    lookOn: ({ kiosk }) => open(`${kiosk}/t/lobby?view`),
  };
}

export const asAtThePanel = {
  ...{ viewport: panel, hasTouch: true, locale: 'en-US', timezoneId: 'Europe/Berlin' },
  reducedMotion: 'reduce',
} as const;

export async function openPage(context: BrowserContext, address: string): Promise<AgentPage> {
  const page = await context.newPage();
  page.setDefaultTimeout(patience);
  const faults = faultsOf(page);
  await page.goto(address);
  await page.locator('h1').waitFor({ state: 'attached' });
  return { page, faults };
}

/** The screen whose heading has these words. */
export const showing = (page: Page, heading: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor({ state: 'attached' });

/** All that the document holds, typed values included. */
export const contentOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const values = [...document.querySelectorAll('input')].map(({ value }) => value);
    return document.documentElement.outerHTML + values.join();
  });

/** Puts the page through every language, English last, by its own buttons. */
export async function inEveryLanguage(page: Page, look: (words: Words) => Promise<unknown>): Promise<void> {
  let { say } = englishWords;
  for (const language of languages.toReversed()) {
    await choose(page, language, say);
    const words = await loadWords(language);
    await look(words);
    ({ say } = words);
  }
}

/** The countdown to the end of the session begins anew: a person has said something. */
export const saySomething = (page: Page): Promise<void> => choose(page, english, englishWords.say);

async function choose(page: Page, language: Language, say: Words['say']): Promise<void> {
  const choice = page.getByRole('button', { name: language.name, exact: true });
  const isIdle = await choice.isVisible();
  if (!isIdle) await page.getByRole('button', { name: say('settings'), exact: true }).tap();
  await choice.tap();
  await page.locator(`html[lang=${language.code}][dir=${language.direction}]`).waitFor();
}
