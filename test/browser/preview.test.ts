/** The panel in which a person looks at pages before they print: what it asks for, shows, says, and leaves behind. */
import type { Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { expect, it } from 'vitest';
import type { PreviewView } from '../../src/domain/terminal/terminal-view.ts';
import type { Frame } from '../../src/kiosk/frame.ts';
import { languages } from '../../src/kiosk/page/languages/language.ts';
import { launchAddress } from '../support/agent/kiosk-page.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';
import { needsPeer } from '../support/needs.ts';
import { complaintsOf } from './accessibility.ts';
import { pngOf } from '../support/printer/png-writer.ts';
import { choosing, idle } from './frames.ts';
import { lecture, optionsList } from './list-frames.ts';
import type { Stage } from './stage.ts';
import {
  browserArgs,
  executablePath,
  faultsOf,
  keepPicture,
  kiosk,
  narrow,
  panel,
  tablet,
  upright,
  useStages,
} from './stage.ts';

/** A red page in the middle of a clear square. */
const side = 64;
const pixels = Array.from({ length: side * side }, (_, at) => {
  const isPage = Math.abs((at % side) - side / 2) < 22;
  return isPage ? [255, 0, 0, 255] : [0, 0, 0, 0];
});
const lines = Buffer.from(pixels.flat());
const redPage = pngOf({ width: side, height: side, kind: 6, bits: 8, lines });

const offered: Frame = { ...optionsList, offersPreview: true };
const showing = (preview: Partial<PreviewView>): Frame => ({
  ...offered,
  preview: { documentUuid: lecture.uuid, page: 1, stage: 'making', ...preview },
});
const shown = (page: number): Frame => showing({ page, stage: 'shown', picture: `picture-${page}` });

const looksOf = ({ terminal }: Stage) =>
  terminal.commands.filter(({ command }) => command.endsWith('preview'));
const open = ({ page }: Stage) => page.getByRole('button', { name: 'Look at Lecture 7' }).tap();
/** Of the middle of what is painted. */
const painted = (page: Page) =>
  page
    .locator('dialog canvas')
    .evaluate((canvas: HTMLCanvasElement) => [
      canvas.width,
      ...(canvas.getContext('2d')?.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data ?? []),
    ]);

needsPeer(executablePath, 'chromium')('the preview of a document', () => {
  const stages = useStages();

  it('is offered where the terminal offers it, and asked for by nobody but the person', async () => {
    const { page, terminal } = await stages({ frame: choosing });
    await page.locator('.row').first().waitFor();
    expect(await page.getByRole('button', { name: /^Look at/ }).count()).toBe(0);
    terminal.show(offered);
    await page.getByRole('button', { name: 'Look at Lecture 7' }).waitFor();
    expect([terminal.commands.filter(({ command }) => command === 'preview'), terminal.pictures]).toEqual([
      [],
      [],
    ]);
  });

  it.each([upright, panel, narrow])('has room in each row at $width×$height', async (size) => {
    const { page } = await stages({ frame: offered });
    await page.setViewportSize(size);
    await page.getByRole('button', { name: 'Look at Lecture 7' }).waitFor();
    const outside = await page
      .locator('.row button, .row .name')
      .evaluateAll((all) =>
        all
          .map((one) => one.getBoundingClientRect())
          .filter(({ left, right, width }) => left < 0 || right > innerWidth + 1 || width < 40),
      );
    expect(outside).toEqual([]);
    await keepPicture(page, `en-list-preview-${size.width}`);
  });

  it('paints the page it is told of, turns to the next, and is left empty-handed', async () => {
    const stage = await stages({ frame: offered });
    const { page, terminal, faults } = stage;
    terminal.servePicture(redPage);
    await open(stage);
    const dialog = page.getByRole('dialog', { name: 'Look at Lecture 7' });
    await dialog.getByText('The page is being drawn').waitFor();
    terminal.show(shown(1));
    await dialog.getByRole('img', { name: 'Picture of page 1' }).waitFor();
    await expect.poll(() => painted(page)).toEqual([side, 255, 0, 0, 255]);
    await dialog.getByText('Page 1 of 48').waitFor();
    await dialog.getByRole('button', { name: 'Next page' }).tap();
    // The old page is not the new one.
    await dialog.getByText('The page is being drawn').waitFor();
    terminal.show(shown(2));
    await dialog.getByRole('img', { name: 'Picture of page 2' }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).tap();
    await dialog.waitFor({ state: 'detached' });
    await expect
      .poll(() => looksOf(stage))
      .toMatchObject([
        { command: 'preview', documentUuid: lecture.uuid, page: 1, generation: 3 },
        { command: 'preview', documentUuid: lecture.uuid, page: 2, generation: 3 },
        { command: 'end-preview', generation: 3 },
      ]);
    expect(terminal.pictures).toEqual(['picture-1?generation=3', 'picture-2?generation=3']);
    expect(await page.locator('canvas').count()).toBe(0);
    expect([...faults, ...terminal.strayRequests]).toEqual([]);
  });

  it('goes with the session, whatever it shows (I3)', async () => {
    const stage = await stages({ frame: offered });
    stage.terminal.servePicture(redPage);
    await open(stage);
    stage.terminal.show(shown(1));
    await stage.page.locator('dialog canvas').waitFor();
    stage.terminal.show({ ...idle, generation: 4 });
    await stage.page.locator('dialog, canvas').first().waitFor({ state: 'detached' });
    expect(await stage.page.locator('dialog, canvas').count()).toBe(0);
  });

  it('goes with its document', async () => {
    const stage = await stages({ frame: offered });
    await open(stage);
    await stage.page.getByRole('dialog').waitFor();
    const [, ...others] = offered.documents ?? [];
    stage.terminal.show({ ...offered, documents: others });
    await stage.page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it.each([
    ['no-preview', 'There are no pictures of documents of this kind.'],
    ['no-such-page', 'The document has no more pages.'],
    ['not-fetched', 'The document cannot be fetched at the moment.'],
    ['gone', 'This document is no longer there.'],
    ['failed', 'No picture could be made of this page.'],
  ] as const)('says what is so when there is none: %s', async (why, sentence) => {
    const stage = await stages({ frame: offered });
    await open(stage);
    stage.terminal.show(showing({ stage: 'none', why }));
    await stage.page.getByRole('dialog').getByText(sentence).waitFor();
  });

  it('says it too when the terminal refuses, or the picture does not come', async () => {
    const stage = await stages({ frame: offered });
    const dialog = stage.page.getByRole('dialog');
    stage.terminal.answerWith(409);
    await open(stage);
    await dialog.getByText('That did not work').waitFor();
    stage.terminal.show(shown(1));
    await dialog.getByRole('alert').getByText('That did not work').waitFor();
  });

  it('is turned and left by keyboard alone, not beyond its ends, and the focus returns', async () => {
    const stage = await stages({ frame: { ...offered, documents: [{ ...lecture, pages: 2 }] } });
    const { page } = stage;
    await page.getByRole('button', { name: 'Look at Lecture 7' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.getByRole('button', { name: 'Previous page' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Next page' }).focus();
    for (const _ of [1, 2]) await page.keyboard.press('Enter');
    await page.getByText('Page 2 of 2').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => looksOf(stage).length).toBe(3);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toMatch(
      /^Look at Lecture 7/,
    );
  });

  it('is fit for everyone in every language, on every panel', async () => {
    const { page, terminal, faults } = await stages({ frame: offered });
    terminal.servePicture(redPage);
    for (const { code, direction } of languages) {
      terminal.show({ ...offered, language: code });
      await page.locator(`html[lang=${code}][dir=${direction}]`).waitFor();
      await page.locator('.row [aria-haspopup]').first().tap();
      await page.locator('dialog[open]').waitFor();
      for (const [name, frame] of Object.entries({
        shown: shown(1),
        none: showing({ stage: 'none', why: 'failed' }),
      })) {
        terminal.show({ ...frame, language: code });
        await page.locator(name === 'shown' ? 'dialog canvas' : '.sheet p').waitFor();
        for (const size of [upright, kiosk, tablet, panel]) {
          await page.setViewportSize(size);
          const where = `${code} ${name} at ${size.width}×${size.height}`;
          expect([where, ...(await misfitsOf(page))]).toEqual([where]);
          const complaints = size === panel ? await complaintsOf(page, { colors: code === 'en' }) : [];
          expect([where, ...complaints]).toEqual([where]);
          await keepPicture(page, `${code}-preview-${name}-${size.width}`);
        }
      }
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
    }
    expect(faults).toEqual([]);
  }, 60_000);

  needsPeer('gs', 'ghostscript')('before the running agent', () => {
    it('shows the very page that is printed later, and nothing of it is left in the page', async () => {
      await using stage = await setStage({ terminal: { preview: 'on' } });
      await using agent = await stage.start();
      await agent.told('terminal ready');
      await using browser = await chromium.launch({ executablePath, args: browserArgs });
      const page = await browser.newPage({ viewport: panel, hasTouch: true, locale: 'en-US' });
      page.setDefaultTimeout(20_000);
      const faults = faultsOf(page);
      await page.goto(await launchAddress(stage, agent));
      await page.getByText('Hold your card').first().waitFor();
      stage.reader.tap(aliceCard);
      await page.getByRole('button', { name: 'Look at Quarterly report' }).tap();
      await page.getByRole('img', { name: 'Picture of page 1' }).waitFor();
      await expect.poll(async () => (await painted(page)).slice(0, 1)).toEqual([1024]);
      await keepPicture(page, 'agent-preview');
      await page.getByRole('button', { name: 'Close' }).tap();
      await page.getByRole('button', { name: 'Sign out' }).tap();
      await agent.told('session closed');
      await page.locator('.row').first().waitFor({ state: 'detached' });
      expect(await page.locator('canvas').count()).toBe(0);
      expect([...faults, ...stage.printer.jobs, ...stage.cloud.deviations]).toEqual([]);
    });
  });
});

/** What leaves the panel, is cut off, or is too small for a finger (44 px). */
const misfitsOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('dialog, dialog button, dialog canvas, dialog p')].flatMap(
      (one) => {
        const { left, right, top, bottom, width, height } = one.getBoundingClientRect();
        const isOutside = left < 0 || right > innerWidth || top < 0 || bottom > innerHeight;
        const isCut = one.scrollWidth > one.clientWidth + 1;
        const isSmall = one.matches('button') && (width < 44 || height < 44);
        return isOutside || isCut || isSmall ? [`${one.tagName} ${one.className} ${one.textContent}`] : [];
      },
    ),
  );
