/** The kiosk page of a running agent in Debian's Chromium: nothing between the badge and the paper is played. */
import type { BrowserContext, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { Language } from '../../src/phrases/language.ts';
import type { Words } from '../../src/kiosk/page/languages/words.ts';
import { englishWords, loadWords } from '../../src/kiosk/page/languages/words.ts';
import { launchAddress } from '../support/agent/kiosk-page.ts';
import type { Running, Stage } from '../support/agent/stage.ts';
import { patience } from '../support/patience.ts';
import { perCommit } from './fit.ts';
import { noticing } from './noticing.ts';
import { forwardPage, holdTime } from './page-time.ts';
import { faultsOf, keepPicture, panel, theBrowser } from './stage.ts';

export interface AgentPage {
  readonly page: Page;
  /** Errors of scripts and of the content security policy, and dialogs. */
  readonly faults: readonly string[];
  /** Puts the page's time forward, which stands still otherwise. */
  forward(milliseconds: number): Promise<void>;
}

export interface AgentPages {
  /** Launched with the terminal's secret, as the kiosk is. */
  launch(stage: Stage, agent: Pick<Running, 'kiosk'>): Promise<AgentPage>;
  /** Somebody who only knows the address. */
  passBy(agent: Pick<Running, 'kiosk'>): Promise<AgentPage>;
  /** Somebody at a desk. */
  lookOn(agent: Pick<Running, 'kiosk'>): Promise<AgentPage>;
}

/** Each page is a browser profile of its own, and leaves a picture where its test fails. */
export function useAgentPages(): AgentPages {
  async function open(address: string): Promise<AgentPage> {
    const browser = await theBrowser();
    const context = await browser.newContext(asAtThePanel);
    onTestFinished(async ({ task }) => {
      const isFailed = task.result?.state === 'fail';
      for (const page of isFailed ? context.pages() : []) await keepPicture(page, `failed-${task.name}`);
      await context.close();
    });
    return await openPage(context, address);
  }
  return {
    launch: async (stage, agent) => open(await launchAddress(stage, agent)),
    passBy: ({ kiosk }) => open(`${kiosk}/t/lobby`),
    lookOn: ({ kiosk }) => open(`${kiosk}/t/lobby?view`),
  };
}

/** Laid over the settings of a terminal: nobody is signed out because the machine is slow. */
export const unhurried = { session: { logoutTimeoutSeconds: 600 } };

export const asAtThePanel = {
  viewport: panel,
  hasTouch: true,
  locale: 'en-US',
  timezoneId: 'Europe/Berlin',
  reducedMotion: 'reduce',
} as const;

export async function openPage(context: BrowserContext, address: string): Promise<AgentPage> {
  await holdTime(context);
  const page = await context.newPage();
  page.setDefaultTimeout(patience());
  const faults = faultsOf(page);
  await page.goto(address);
  await page.locator('h1').waitFor({ state: 'attached' });
  return { page, faults, forward: (milliseconds) => forwardPage(page, milliseconds) };
}

/** The same, after what goes by itself: a farewell, or a list of which nothing is heard any more. */
export async function showingAfterwards({ page, forward }: AgentPage, heading: string): Promise<void> {
  const seen = async () => {
    await forward(5_000);
    return page.locator('h1').textContent();
  };
  await expect.poll(seen).toBe(heading);
}

/** For a screen that may go before somebody asks for it; from now on, until the answer is waited for. */
export const passing = (page: Page, heading: string): Promise<() => Promise<void>> =>
  noticing(page, (words) => document.querySelector('h1')?.textContent === words, heading);

/** The screen whose heading has these words. */
export const showing = (page: Page, heading: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor({ state: 'attached' });

/** All that the document holds, typed values included. */
export const contentOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const values = [...document.querySelectorAll('input')].map(({ value }) => value);
    return document.documentElement.outerHTML + values.join();
  });

/** Puts the page through the languages of every commit, English last, by its own buttons. */
export async function inEachLanguage(page: Page, look: (words: Words) => Promise<unknown>): Promise<void> {
  let { say } = englishWords;
  for (const language of perCommit.languages.toReversed()) {
    await choose(page, language, say);
    const words = await loadWords(language);
    await look(words);
    ({ say } = words);
  }
}

async function choose(page: Page, language: Language, say: Words['say']): Promise<void> {
  const choice = page.getByRole('button', { name: language.name, exact: true });
  const isIdle = await choice.isVisible();
  if (!isIdle) await page.getByRole('button', { name: say('settings'), exact: true }).tap();
  await choice.tap();
  await page.locator(`html[lang=${language.code}][dir=${language.direction}]`).waitFor();
}
