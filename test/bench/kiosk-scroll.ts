/**
 * 500 rows of the kiosk page are scrolled, at full speed and on a processor made four times as slow: frames by a trace
 * of Chromium, as its compositor reports them. Beside it the same rows as plain HTML.
 */
import type { Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { longList } from '../browser/frames.ts';
import { startScriptedTerminal } from '../browser/scripted-terminal.ts';
import { browserArgs, executablePath, panel } from '../browser/stage.ts';
import type { Measurement } from './figures.ts';
import { perSecond } from './figures.ts';
import type { ScrollFrames } from './scroll-frames.ts';
import { scrolled } from './scroll-frames.ts';

const rows = 500;
/** Pixels, and pixels a second: ten screens of the list. */
const distance = 4_500;
const speed = 1_500;
/** Milliseconds: as often as the agent gives a sign of life. */
const heartbeat = 2_000;

interface Scroll extends ScrollFrames {
  readonly what: string;
}

export async function measureKioskScroll(): Promise<Measurement> {
  await using terminal = await startScriptedTerminal();
  terminal.show(longList(rows));
  const alive = setInterval(() => terminal.heartbeat(), heartbeat);
  await using browser = await chromium.launch({ executablePath, args: browserArgs });
  const page = await browser.newPage({ viewport: panel, locale: 'en-US' });
  const protocol = await page.context().newCDPSession(page);
  const scrolls: Scroll[] = [];
  for (const [what, open] of [
    ['plain HTML', () => openPlain(page)],
    ['kiosk page', () => openKiosk(page, terminal.address)],
  ] as const) {
    for (const rate of [1, 4]) {
      await open();
      await protocol.send('Emulation.setCPUThrottlingRate', { rate });
      const list = page.locator('main ul').first();
      const frames = await scrolled({ browser, page, protocol, list, under: list, distance, speed });
      scrolls.push({ what: rate === 1 ? what : `${what}, ${rate} times as slow`, ...frames });
      await protocol.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    }
  }
  clearInterval(alive);
  return report(scrolls);
}

async function openKiosk(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.waitForFunction((count) => document.querySelectorAll('main li').length === count, rows);
}

async function openPlain(page: Page): Promise<void> {
  const items = (longList(rows).documents ?? []).map(
    ({ name }) => `<li style="height: 76px"><label><input type="checkbox">${name}</label></li>`,
  );
  await page.goto('about:blank');
  await page.setContent(`<main><ul style="height: 300px; overflow: auto">${items.join('')}</ul></main>`);
}

function report(scrolls: readonly Scroll[]): Measurement {
  const slow = scrolls.at(-1);
  if (!slow) throw new Error('nothing was scrolled');
  return {
    title: `Scrolling ${rows} documents at the kiosk page`,
    how:
      `${distance} px at ${speed} px/s; what Chromium's trace says of its frames. Headless and without a graphics ` +
      'processor: its own clock gives 60 frames a second, and the processors draw them.',
    rows: [
      ['', 'frames', 'presented', 'dropped'],
      ...scrolls.map(({ what, frames, presented, dropped }) => [
        what,
        perSecond(frames),
        `${presented}`,
        `${dropped}`,
      ]),
    ],
    goals: [{ what: 'four times as slow, frames', figure: Math.round(slow.frames), atLeast: 60, unit: '/s' }],
  };
}
