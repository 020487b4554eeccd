/** The administrators' page in Debian's Chromium, served by the real listener. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { ScriptedGateway } from './operations-gateway.ts';
import { startScriptedGateway } from './operations-gateway.ts';
import { browserArgs, executablePath, faultsOf } from './stage.ts';

export const desk = { width: 1280, height: 800 };
export const phone = { width: 390, height: 844 };

export interface OperationsPage extends ScriptedGateway {
  readonly page: Page;
  /** Errors of scripts and of the content security policy, and dialogs; a page of ours has none. */
  readonly faults: readonly string[];
  /** Puts the page's clock forward to its next look at the gateways, and waits for the answer. */
  looksAgain(): Promise<void>;
}

/** One browser for the tests of a file; each page has a profile of its own. */
export function useOperationsPages(): (
  changes?: Parameters<typeof startScriptedGateway>[0] & {
    readonly at?: string;
    readonly window?: BrowserContextOptions;
  },
) => Promise<OperationsPage> {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: browserArgs });
  });
  afterAll(() => browser?.close());

  return async ({ at = '', window = {}, ...changes } = {}) => {
    if (!browser) throw new Error('the browser is not open yet');
    const stage = await startScriptedGateway(changes);
    const context = await browser.newContext({
      ...{ viewport: desk, locale: 'en-GB', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' },
      ...window,
    });
    onTestFinished(async () => {
      await context.close();
      await stage[Symbol.asyncDispose]();
    });
    const page = await context.newPage();
    await page.clock.install();
    page.setDefaultTimeout(10_000);
    const faults = faultsOf(page);
    await page.goto(stage.address + at);
    await page.locator('h1').waitFor();
    return {
      ...{ ...stage, page, faults },
      async looksAgain() {
        const answered = page.waitForEvent('requestfinished', (request) => request.url().endsWith('/fleet'));
        await page.clock.runFor(5_000);
        await answered;
        await page.evaluate(drawn);
      },
    };
  };
}

/** In the page: resolves when what came is drawn. */
const drawn = () =>
  new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
