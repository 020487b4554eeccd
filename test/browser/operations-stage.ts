/** The administrators' page in Debian's Chromium, served by the real listener. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { patience } from '../support/patience.ts';
import type { ScriptedGateway } from './operations-gateway.ts';
import { startScriptedGateway } from './operations-gateway.ts';
import { drawn, forwardPage, holdTime } from './page-time.ts';
import { faultsOf, keepPicture, theBrowser } from './stage.ts';

export const desk = { width: 1280, height: 800 };
export const phone = { width: 390, height: 844 };

export interface OperationsPage extends ScriptedGateway {
  readonly page: Page;
  /** Errors of scripts and of the content security policy, and dialogs; a page of ours has none. */
  readonly faults: readonly string[];
  /** Puts the page's time forward, which stands still otherwise. */
  forward(milliseconds: number): Promise<void>;
  /** Puts it forward to the page's next look at the gateways, and waits for the answer. */
  looksAgain(): Promise<void>;
}

type Changes = Parameters<typeof startScriptedGateway>[0] & {
  readonly at?: string;
  readonly window?: BrowserContextOptions;
};

/** By what they are like; each gateway is an origin of its own, with a storage of its own. */
const windows = new Map<string, Page>();

export const useOperationsPages =
  (): ((changes?: Changes) => Promise<OperationsPage>) =>
  async ({ at = '', window = {}, ...changes } = {}) => {
    const page = await windowLike(window);
    const stage = await startScriptedGateway(changes);
    const faults = faultsOf(page);
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') await keepPicture(page, `failed-${task.name}`);
      page.removeAllListeners();
      await stage[Symbol.asyncDispose]();
    });
    await page.goto(stage.address + at);
    await page.locator('h1').waitFor();
    return {
      ...stage,
      page,
      faults,
      forward: (milliseconds) => forwardPage(page, milliseconds),
      async looksAgain() {
        const answered = page.waitForEvent('requestfinished', (request) => request.url().endsWith('/fleet'));
        await forwardPage(page, 5_000);
        await answered;
        await drawn(page);
      },
    };
  };

async function windowLike(wanted: BrowserContextOptions): Promise<Page> {
  const browser = await theBrowser();
  const key = JSON.stringify(wanted);
  const known = windows.get(key);
  if (known && !known.isClosed()) return known;
  const context = await browser.newContext({
    viewport: desk,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    ...wanted,
  });
  await holdTime(context);
  const page = await context.newPage();
  page.setDefaultTimeout(patience());
  windows.set(key, page);
  return page;
}
