/** Debian's Chromium. */
import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';
import { patience } from '../support/patience.ts';

export const executablePath = '/usr/bin/chromium';

export const browserArgs = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

let opened: Promise<Browser> | undefined;

/** One for all tests of a worker: to start it takes a processor more than a second. */
export async function theBrowser(): Promise<Browser> {
  const browser = await (opened ??= launch());
  if (browser.isConnected()) return browser;
  return await (opened = launch());
}

async function launch(): Promise<Browser> {
  try {
    return await chromium.launch({ executablePath, args: browserArgs, timeout: patience() });
  } catch (error) {
    opened = undefined;
    throw new Error(`peer not ready: Chromium: ${String(error)}`, { cause: error });
  }
}
