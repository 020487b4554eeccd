/**
 * The administrators' page with a thousand gateways: how long from the last octet of the data to the list on the screen,
 * and the frames while it is scrolled; at full speed and on a processor made four times as slow.
 */
import type { Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { startScriptedGateway } from '../browser/operations-gateway.ts';
import { desk } from '../browser/operations-stage.ts';
import { browserArgs, executablePath } from '../browser/stage.ts';
import { sampleFleet } from '../support/operations/sample-digests.ts';
import type { Measurement } from './figures.ts';
import { inMilliseconds, percentile, perSecond } from './figures.ts';
import type { ScrollFrames } from './scroll-frames.ts';
import { scrolled } from './scroll-frames.ts';

const gateways = 1000;
const views = 30;
/** Pixels, and pixels a second: ten screens of the list. */
const distance = 8_000;
const speed = 2_500;

interface Look extends ScrollFrames {
  readonly what: string;
  /** Milliseconds. */
  readonly views: readonly number[];
}

declare global {
  /** Of the page's clock: the frame with the whole list in it was begun, and the next one. */
  var listDrawnAt: number | undefined;
}

export async function measureOperationsPage(): Promise<Measurement> {
  await using gateway = await startScriptedGateway({ gateways: sampleFleet(gateways) });
  await using browser = await chromium.launch({ executablePath, args: browserArgs });
  const page = await browser.newPage({ viewport: desk, locale: 'en-GB' });
  await page.addInitScript(watchList, gateways);
  const protocol = await page.context().newCDPSession(page);
  const looks: Look[] = [];
  for (const rate of [1, 4]) {
    await protocol.send('Emulation.setCPUThrottlingRate', { rate });
    const seen: number[] = [];
    for (let view = 0; view < views; view += 1) seen.push(await firstView(page, gateway.address));
    const [list, under] = [page.locator('html'), page.locator('.gateway').nth(5)];
    const frames = await scrolled({ browser, page, protocol, list, under, distance, speed });
    await protocol.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    looks.push({ what: rate === 1 ? 'as it is' : `${rate} times as slow`, views: seen, ...frames });
  }
  return report(looks);
}

function watchList(rows: number): void {
  new MutationObserver((_, watch) => {
    if (document.querySelectorAll('.gateway').length < rows) return;
    watch.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => (globalThis.listDrawnAt = performance.now())));
  }).observe(document, { childList: true, subtree: true });
}

async function firstView(page: Page, address: string): Promise<number> {
  await page.goto('about:blank');
  await page.goto(address);
  await page.waitForFunction(() => globalThis.listDrawnAt !== undefined);
  return page.evaluate(() => {
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const asked = entries.find(({ name }) => name.endsWith('/fleet'));
    return (globalThis.listDrawnAt ?? Number.NaN) - (asked?.responseEnd ?? Number.NaN);
  });
}

function report(looks: readonly Look[]): Measurement {
  const [usual] = looks;
  const slow = looks.at(-1);
  if (!usual || !slow) throw new Error('nothing was looked at');
  return {
    title: `The administrators' page with ${gateways} gateways`,
    how:
      `First view: from the last octet of the data to the second frame with all rows in it, ${views} loads. Scrolling: ` +
      `${distance} px at ${speed} px/s by Chromium's trace. Headless, no graphics processor.`,
    rows: [
      ['', 'first view p50', 'p95', 'frames', 'presented', 'dropped'],
      ...looks.map(({ what, views: seen, frames, presented, dropped }) => [
        what,
        inMilliseconds(percentile(seen, 0.5)),
        inMilliseconds(percentile(seen, 0.95)),
        perSecond(frames),
        `${presented}`,
        `${dropped}`,
      ]),
    ],
    goals: [
      { what: 'first view, p95', figure: Math.round(percentile(usual.views, 0.95)), limit: 300, unit: 'ms' },
      { what: 'four times as slow, frames', figure: Math.round(slow.frames), atLeast: 60, unit: '/s' },
    ],
  };
}
