/** Lists that are long, and names that are meant to do harm (INVARIANTS.md T06). */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Frame } from '../../src/kiosk/frame.ts';
import { titleOf } from '../../src/kiosk/page/words/document-title.ts';
import { needsPeer } from '../support/needs.ts';
import { documentOf, idle, longList, screens } from './frames.ts';
import { hostileNames, withoutEmoji } from './hostile-names.ts';
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
      const called = list
        .map(titleOf)
        .map(({ title, kind }) => [title.toWellFormed(), ...(kind ? [kind] : [])]);
      expect(written.map((one) => one.map(withoutEmoji))).toEqual(called.map((one) => one.map(withoutEmoji)));
    }
    const elements = await page.evaluate(() => [
      ...new Set([...document.querySelectorAll('.row *')].map((one) => one.localName)),
    ]);
    expect(elements.toSorted()).toEqual(['bdi', 'button', 'input', 'label', 'path', 'span', 'svg']);
    expect(faults).toEqual([]);
    expect(requests).toEqual([]);
    expect(terminal.strayRequests).toEqual([]);
  });

  it('of 500 documents begins with the rows that one sees, and all of them follow', async () => {
    const { page, terminal } = await open({ frame: listing });
    const counts = await page.evaluateHandle(() => {
      const seen: number[] = [];
      new MutationObserver(() => {
        const count = document.querySelectorAll('.row').length;
        if (count > 0 && count !== seen.at(-1)) seen.push(count);
      }).observe(document, { subtree: true, childList: true });
      return seen;
    });
    terminal.show(longList(500));
    await page.locator('.row').nth(499).waitFor({ state: 'attached' });
    const seen = await counts.jsonValue();
    expect(seen.at(-1)).toBe(500);
    expect(seen[0]).toBeGreaterThanOrEqual(24);
    expect(seen[0]).toBeLessThan(500);
  });
});
