/** A page of the kiosk in Debian's Chromium, on the panel it is made for, and the scripted terminal behind it. */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { Frame } from '../../src/kiosk/frame.ts';
import type { ScriptedTerminal } from './scripted-terminal.ts';
import { startScriptedTerminal } from './scripted-terminal.ts';

export const executablePath = '/usr/bin/chromium';

export const panel = { width: 800, height: 480 };
export const tablet = { width: 1280, height: 800 };
/** The panel on its side, and a screen as tall as a person. */
export const upright = { width: 480, height: 800 };
export const kiosk = { width: 1080, height: 1920 };
/** What is left of a window of 1280 at 400 % (WCAG 2.2, 1.4.10). */
export const narrow = { width: 320, height: 640 };

export const browserArgs = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

export interface Stage {
  readonly page: Page;
  readonly terminal: ScriptedTerminal;
  /** Errors of scripts and of the content security policy, and dialogs; a page of ours has none. */
  readonly faults: readonly string[];
  /** Resolves when the page has heard it. */
  heartbeat(): Promise<void>;
}

declare global {
  /** How many signs of life the page has heard. */
  var heartbeats: number;
}

export interface StageOptions {
  readonly frame: Frame;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
  /** `active`: the colours are the system's. */
  readonly forcedColors?: 'active' | 'none';
  /** Of the browser; American English unless said. */
  readonly locale?: string;
  /** `steered`: the test may put the page's clock forward. */
  readonly clock?: 'real' | 'steered';
}

type Window = Required<Omit<StageOptions, 'frame'>>;

/** One browser for the file's tests, and one window for those that want the same: a new one takes a third of a second. */
export function useStages(): (options: StageOptions) => Promise<Stage> {
  let browser: Browser | undefined;
  const windows = new Map<string, Page>();
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: browserArgs });
  });
  afterAll(() => browser?.close());

  return async ({
    frame,
    viewport = panel,
    colorScheme = 'light',
    forcedColors = 'none',
    clock = 'real',
    locale = 'en-US',
  }) => {
    if (!browser) throw new Error('the browser is not open yet');
    const wanted = { viewport, colorScheme, forcedColors, clock, locale };
    const key = JSON.stringify(wanted);
    const page = windows.get(key) ?? (await openWindow(browser, wanted));
    windows.set(key, page);
    await page.setViewportSize(viewport);
    const terminal = await startScriptedTerminal();
    onTestFinished(async () => {
      page.removeAllListeners();
      await page.goto('about:blank');
      await terminal[Symbol.asyncDispose]();
    });
    const faults = faultsOf(page);
    terminal.show(frame);
    await page.goto(terminal.address);
    await page.locator('h1').waitFor({ state: 'attached' });
    return {
      ...{ page, terminal, faults },
      async heartbeat() {
        const before = await page.evaluate(() => heartbeats);
        terminal.heartbeat();
        await page.waitForFunction((count) => heartbeats > count, before);
      },
    };
  };
}

async function openWindow(browser: Browser, { clock, ...options }: Window): Promise<Page> {
  const context = await browser.newContext({
    ...options,
    ...{ hasTouch: true, timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  if (clock === 'steered') await page.clock.install();
  await page.addInitScript(() => {
    globalThis.heartbeats = 0;
    globalThis.EventSource = class extends EventSource {
      constructor(address: string | URL) {
        super(address);
        this.addEventListener('heartbeat', () => (globalThis.heartbeats += 1));
      }
    };
  });
  return page;
}

export function faultsOf(page: Page): readonly string[] {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    const isOfNetwork = /ERR_|Failed to load resource/.test(message.text());
    if (message.type() === 'error' && !isOfNetwork) faults.push(message.text());
  });
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return faults;
}

/** How the page looks and speaks stands behind one button. */
export const openSettings = (page: Page): Promise<void> => page.locator('header .settings-opener').tap();

export async function turnOn(page: Page, setting: string): Promise<void> {
  await openSettings(page);
  await page.getByRole('button', { name: setting, exact: true }).tap();
  await page.keyboard.press('Escape');
}

const pictures = fileURLToPath(new URL('../../test-output/screens/', import.meta.url));
mkdirSync(pictures, { recursive: true });

/** Kept as test output, for people to look at. */
export const keepPicture = (page: Page, name: string): Promise<unknown> =>
  page.screenshot({ path: `${pictures}${name}.png`, animations: 'disabled' });
