/** Lists that are long, and names that are meant to do harm (INVARIANTS.md T06). */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Frame } from '../../src/kiosk/frame.ts';
import { titleOf } from '../../src/kiosk/page/words/document-title.ts';
import { needsPeer } from '../support/needs.ts';
import { documentOf, idle, longList, screens } from './frames.ts';
import { hostileNames } from './hostile-names.ts';
import { noticing } from './noticing.ts';
import { executablePath, useStages } from './stage.ts';

const listOf = (wanted: readonly string[], generation: number): Frame => ({
  ...longList(0),
  generation,
  documents: wanted.map((name, place) => documentOf(place, { name })),
});

const { listing = idle } = screens;

needsPeer(executablePath, 'chromium')('a long list', () => {
  const open = useStages();

  it('shows hostile names as what they are, text, even those that no agent lets through (T06)', async () => {
    const { page, terminal, faults } = await open({ frame: idle });
    const lists = fc.sample(hostileNames, { numRuns: 2, seed: 6 });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    for (const [place, list] of lists.entries()) {
      const shown = await noticing(page, (count) => document.querySelectorAll('.row').length === count, 500);
      terminal.show(listing);
      await page.locator('.dots').waitFor();
      terminal.show(listOf(list, 10 + place));
      await shown();
      const written = await page.evaluate(() =>
        [...document.querySelectorAll('.called')].map((one) =>
          [...one.children].map(({ textContent }) => textContent.toWellFormed()),
        ),
      );
      expect(written).toEqual(
        list.map(titleOf).map(({ title, kind }) => [title.toWellFormed(), ...(kind ? [kind] : [])]),
      );
    }
    const elements = await page.evaluate(() => [
      ...new Set([...document.querySelectorAll('.row *')].map((one) => one.localName)),
    ]);
    expect(elements.toSorted()).toEqual(['bdi', 'button', 'input', 'label', 'path', 'span', 'svg']);
    expect(faults).toEqual([]);
    expect(requests).toEqual([]);
    expect(terminal.strayRequests).toEqual([]);
  });

  it('of 500 documents is there at once, and scrolls smoothly on a slow processor', async () => {
    const { page, terminal } = await open({ frame: idle });
    const first: number[] = [];
    for (let generation = 10; generation < 20; generation += 1) {
      const begun = await noticing(page, () => document.querySelectorAll('.row').length >= 24, null);
      const drawn = await noticing(page, () => document.querySelectorAll('.row').length === 500, null);
      const sentAt = Date.now();
      terminal.show({ ...longList(500), generation });
      first.push((await begun()) - sentAt);
      await drawn();
      terminal.show(listing);
      await page.locator('.dots').waitFor();
    }
    terminal.show(longList(500));
    await page.locator('.row').first().waitFor();
    const chromium = await page.context().newCDPSession(page);
    await chromium.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    const frames = await page.evaluate(
      () =>
        new Promise<number[]>((resolve) => {
          const list = document.querySelector('.documents');
          const times: number[] = [];
          const step = (time: number): void => {
            times.push(time);
            list?.scrollBy(0, 40);
            if (times.length > 90) resolve(times.slice(1).map((one, place) => one - (times[place] ?? one)));
            else requestAnimationFrame(step);
          };
          requestAnimationFrame(step);
        }),
    );
    await chromium.detach();
    const rate = 1000 / middleOf(frames);
    // Generous, for a machine that does other things too; the figures are the bench's.
    expect(middleOf(first)).toBeLessThanOrEqual(200);
    expect(rate).toBeGreaterThanOrEqual(10);
  });
});

const middleOf = (spans: readonly number[]): number =>
  spans.toSorted((a, b) => a - b)[Math.floor(spans.length / 2)] ?? Number.NaN;
