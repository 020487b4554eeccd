/** Search and order of a long list on the small panel, with the keys on the screen and without. */
import { expect, it } from 'vitest';
import type { Frame } from '../../src/kiosk/frame.ts';
import { needsPeer } from '../support/needs.ts';
import { longList } from './frames.ts';
import type { Stage } from './stage.ts';
import { executablePath, turnOn, useStages } from './stage.ts';

const sentInTurn = (count: number): Frame => ({
  ...longList(count),
  documents: (longList(count).documents ?? []).map((one, place) => ({
    ...one,
    sentAt: `2026-03-0${(place % 3) + 1}T10:00:00Z`,
  })),
});

needsPeer(executablePath, 'chromium')('the search', () => {
  const open = useStages();
  const names = ({ page }: Stage) => page.locator('.row .name').allInnerTexts();

  it.each(['normal', 'large'])(
    'shows a result above its keys, and what prints as soon as it is done (%s)',
    async (text) => {
      const stage = await open({ frame: sentInTurn(40) });
      const { page } = stage;
      if (text === 'large') await turnOn(page, 'Large text');
      await page.getByRole('button', { name: 'Search' }).tap();
      await page.locator('.keys').waitFor();
      await page.keyboard.type('39');
      await page.getByText('1 document found').waitFor();
      // All of its name and its box are in sight.
      await page.locator('.row').tap();
      const heights = await page.evaluate(() => {
        const bottom = document.querySelector('.documents')?.getBoundingClientRect().bottom ?? 0;
        const box = document.querySelector('.row input')?.getBoundingClientRect().bottom ?? Infinity;
        const keys = document.querySelector('.keys')?.getBoundingClientRect().bottom ?? Infinity;
        return { isBoxShown: box <= bottom, areKeysShown: keys <= innerHeight };
      });
      expect(heights).toEqual({ isBoxShown: true, areKeysShown: true });
      await page.getByRole('button', { name: 'Done' }).tap();
      await page.getByRole('button', { name: 'Print 1' }).waitFor();
      expect(await names(stage)).toEqual(['Document 39']);
      // The field keeps the focus, and gives the keys back.
      await page.getByLabel('Search by name').tap();
      await page.locator('.keys').waitFor();
    },
  );

  it('is done with the first scroll', async () => {
    const { page } = await open({ frame: sentInTurn(40) });
    await page.getByRole('button', { name: 'Search' }).tap();
    await page.locator('.keys').waitFor();
    const chromium = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
      chromium.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: y === undefined ? [] : [{ x: 300, y }],
      });
    await touch('touchStart', 220);
    for (const y of [200, 180, 160]) await touch('touchMove', y);
    await touch('touchEnd');
    await chromium.detach();
    await page.locator('.keys').waitFor({ state: 'detached' });
    await page.getByLabel('Search by name').waitFor();
    expect(await page.locator('.documents').evaluate((list) => list.scrollTop)).toBeGreaterThan(0);
  });

  it('is done with Enter, and given up with Escape', async () => {
    const { page } = await open({ frame: sentInTurn(40) });
    const keys = page.locator('.keys');
    await page.getByRole('button', { name: 'Search' }).tap();
    await keys.waitFor();
    await page.keyboard.type('7');
    await page.getByText('4 documents found').waitFor();
    await page.keyboard.press('Enter');
    await keys.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.row').count()).toBe(40);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Search');
  });

  it('leaves what was ticked before, and ticks what it has found', async () => {
    const { page } = await open({ frame: sentInTurn(40) });
    await page.getByText('Document 1', { exact: true }).tap();
    await page.getByRole('button', { name: 'Search' }).tap();
    await page.keyboard.type('39');
    await page.getByText('1 document found').waitFor();
    await page.getByRole('button', { name: 'Select all' }).tap();
    await page.getByRole('button', { name: 'Done' }).tap();
    await page.getByRole('button', { name: 'Print 2' }).waitFor();
    await page.getByRole('button', { name: 'Select none' }).tap();
    await page.getByRole('button', { name: 'Print 1' }).waitFor();
  });

  it('goes with an order: the newest first, where it is known when they were sent', async () => {
    const stage = await open({ frame: sentInTurn(12) });
    await stage.page.getByRole('button', { name: 'Newest' }).tap();
    await expect
      .poll(async () => (await names(stage)).slice(0, 5))
      .toEqual(['Document 3', 'Document 6', 'Document 9', 'Document 12', 'Document 2']);
    stage.terminal.show({ ...longList(12), generation: 4 });
    await expect.poll(() => stage.page.getByRole('button', { name: 'Newest' }).count()).toBe(0);
  });
});
