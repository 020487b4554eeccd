/** A page of the kiosk in Debian's Chromium, on the panel it is made for, and the scripted terminal behind it. */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { Frame } from '../../src/kiosk/frame.ts';
import type { LookConfig } from '../../src/kiosk/server/kiosk-page.ts';
import { patience } from '../support/patience.ts';
import { theBrowser } from './chromium.ts';
import { drawn, forwardPage, holdTime } from './page-time.ts';
import type { ScriptedTerminal } from './scripted-terminal.ts';
import { startScriptedTerminal } from './scripted-terminal.ts';

export { browserArgs, executablePath, theBrowser } from './chromium.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const panel: Size = { width: 800, height: 480 };
export const broad: Size = { width: 1024, height: 600 };
export const tablet: Size = { width: 1280, height: 800 };
/** The panel on its side, and a screen as tall as a person. */
export const upright: Size = { width: 480, height: 800 };
export const kiosk: Size = { width: 1080, height: 1920 };
/** What is left of a window of 1280 at 400 % (WCAG 2.2, 1.4.10). */
export const narrow: Size = { width: 320, height: 640 };

export interface Stage {
  readonly page: Page;
  readonly terminal: ScriptedTerminal;
  /** Errors of scripts and of the content security policy, and dialogs; a page of ours has none. */
  readonly faults: readonly string[];
  /**
   * Resolves when the page has taken it in, speaks its language, has what the selector finds, and has drawn all this: a row
   * that no frame has shown yet has no text (`content-visibility`).
   */
  shows(frame: Frame, mark?: string): Promise<void>;
  /** Resolves when the page has heard it, and all that was sent before. */
  heartbeat(): Promise<void>;
  /** Puts the page's time forward, which stands still otherwise. */
  forward(milliseconds: number): Promise<void>;
}

declare global {
  /** The number of the last sign of life that the page has heard. */
  var heartbeat: number;
  /** All that the page has opened, the last one last. */
  var streams: EventSource[];
}

export interface StageOptions {
  readonly frame: Frame;
  readonly viewport?: Size;
  readonly colorScheme?: 'light' | 'dark';
  /** `active`: the colours are the system's. */
  readonly forcedColors?: 'active' | 'none';
  /** Of the browser; American English unless said. */
  readonly locale?: string;
  /** As the administrator has it. */
  readonly look?: LookConfig;
}

type Window = Pick<BrowserContextOptions, 'colorScheme' | 'forcedColors' | 'locale'>;

/** By what they are like: those of a worker's tests share them, because a new one takes a third of a second. */
const windows = new Map<string, Page>();

/** A stage whose owner ends it. */
export async function openStage({
  frame,
  viewport = panel,
  colorScheme = 'light',
  forcedColors = 'none',
  locale = 'en-US',
  look,
}: StageOptions): Promise<Stage & AsyncDisposable> {
  const page = await windowLike({ colorScheme, forcedColors, locale });
  await page.setViewportSize(viewport);
  const terminal = await startScriptedTerminal();
  const faults = faultsOf(page);
  terminal.show(frame);
  if (look) terminal.serveLook(look);
  await page.goto(terminal.address);
  await page.locator('h1').waitFor({ state: 'attached' });
  async function catchUp(): Promise<void> {
    await terminal.listenedTo();
    await page.waitForFunction((nth) => heartbeat >= nth, terminal.heartbeat());
    await drawn(page);
  }
  // There is a heading before there is a frame.
  await catchUp();
  return {
    page,
    terminal,
    faults,
    heartbeat: catchUp,
    async shows(next, mark = 'h1') {
      await terminal.listenedTo();
      terminal.show(next);
      await page.waitForFunction(
        ({ beat, language, wanted }) =>
          heartbeat >= beat &&
          (language === undefined || document.documentElement.lang === language) &&
          document.querySelector(wanted) !== null,
        { beat: terminal.heartbeat(), language: next.language, wanted: mark },
      );
      await drawn(page);
    },
    forward: (milliseconds) => forwardPage(page, milliseconds),
    async [Symbol.asyncDispose]() {
      page.removeAllListeners();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.goto('about:blank');
      await terminal[Symbol.asyncDispose]();
    },
  };
}

/** Of a test, which leaves a picture of its page where it fails. */
export const useStages = (): ((options: StageOptions) => Promise<Stage>) => async (options) => {
  const stage = await openStage(options);
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await keepPicture(stage.page, `failed-${task.name}`);
    await stage[Symbol.asyncDispose]();
  });
  return stage;
};

async function windowLike(wanted: Window): Promise<Page> {
  const browser = await theBrowser();
  const key = JSON.stringify(wanted);
  const known = windows.get(key);
  if (known && !known.isClosed()) return known;
  const context = await browser.newContext({
    ...wanted,
    hasTouch: true,
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  });
  await holdTime(context);
  await context.addInitScript(() => {
    globalThis.heartbeat = 0;
    globalThis.streams = [];
    globalThis.EventSource = class extends EventSource {
      constructor(address: string | URL) {
        super(address);
        streams.push(this);
        this.addEventListener('heartbeat', ({ data }) => (globalThis.heartbeat = Number(data)));
      }
    };
  });
  const page = await context.newPage();
  page.setDefaultTimeout(patience());
  windows.set(key, page);
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

/** Kept as test output, for people to look at. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  const path = `${pictures}${name.replaceAll(/[^\w.-]+/g, '-')}.png`;
  await page.screenshot({ path, animations: 'disabled' });
}
