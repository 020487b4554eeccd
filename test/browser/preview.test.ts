/** The panel in which a person looks at pages before they print: what it asks for, shows, says, and leaves behind. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { aliceCard, setStage } from '../support/agent/stage.ts';
import { needsPeer } from '../support/needs.ts';
import { unhurried, useAgentPages } from './agent-page.ts';
import { choosing, idle } from './frames.ts';
import { lecture } from './list-frames.ts';
import { pageShown, previewOffered, redPage, side, withPreview } from './panel-frames.ts';
import type { Stage } from './stage.ts';
import { executablePath, narrow, panel, upright, useStages } from './stage.ts';

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
    terminal.show(previewOffered);
    await page.getByRole('button', { name: 'Look at Lecture 7' }).waitFor();
    expect([terminal.commands.filter(({ command }) => command === 'preview'), terminal.pictures]).toEqual([
      [],
      [],
    ]);
  });

  it.each([upright, panel, narrow])('has room in each row at $width×$height', async (size) => {
    const { page } = await stages({ frame: previewOffered });
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
  });

  it('paints the page it is told of, turns to the next, and is left empty-handed', async () => {
    const stage = await stages({ frame: previewOffered });
    const { page, terminal, faults } = stage;
    terminal.servePicture(redPage);
    await open(stage);
    const dialog = page.getByRole('dialog', { name: 'Look at Lecture 7' });
    await dialog.getByText('The page is being drawn').waitFor();
    terminal.show(pageShown(1));
    await dialog.getByRole('img', { name: 'Picture of page 1' }).waitFor();
    await expect.poll(() => painted(page)).toEqual([side, 255, 0, 0, 255]);
    await dialog.getByText('Page 1 of 48').waitFor();
    await dialog.getByRole('button', { name: 'Next page' }).tap();
    // The old page is not the new one.
    await dialog.getByText('The page is being drawn').waitFor();
    terminal.show(pageShown(2));
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
    const stage = await stages({ frame: previewOffered });
    stage.terminal.servePicture(redPage);
    await open(stage);
    stage.terminal.show(pageShown(1));
    await stage.page.locator('dialog canvas').waitFor();
    stage.terminal.show({ ...idle, generation: 4 });
    await stage.page.locator('dialog, canvas').first().waitFor({ state: 'detached' });
    expect(await stage.page.locator('dialog, canvas').count()).toBe(0);
  });

  it('goes with its document', async () => {
    const stage = await stages({ frame: previewOffered });
    await open(stage);
    await stage.page.getByRole('dialog').waitFor();
    const [, ...others] = previewOffered.documents ?? [];
    stage.terminal.show({ ...previewOffered, documents: others });
    await stage.page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it.each([
    ['no-preview', 'There are no pictures of documents of this kind.'],
    ['no-such-page', 'The document has no more pages.'],
    ['not-fetched', 'The document cannot be fetched at the moment.'],
    ['gone', 'This document is no longer there.'],
    ['failed', 'No picture could be made of this page.'],
  ] as const)('says what is so when there is none: %s', async (why, sentence) => {
    const stage = await stages({ frame: previewOffered });
    await open(stage);
    stage.terminal.show(withPreview({ stage: 'none', why }));
    await stage.page.getByRole('dialog').getByText(sentence).waitFor();
  });

  it('says it too when the terminal refuses, or the picture does not come', async () => {
    const stage = await stages({ frame: previewOffered });
    const dialog = stage.page.getByRole('dialog');
    stage.terminal.answerWith(409);
    await open(stage);
    await dialog.getByText('That did not work').waitFor();
    stage.terminal.show(pageShown(1));
    await dialog.getByRole('alert').getByText('That did not work').waitFor();
  });

  it('is turned and left by keyboard alone, not beyond its ends, and the focus returns', async () => {
    const stage = await stages({ frame: { ...previewOffered, documents: [{ ...lecture, pages: 2 }] } });
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

  needsPeer('gs', 'ghostscript')('before the running agent', () => {
    const pages = useAgentPages();

    it('shows the very page that is printed later, and nothing of it is left in the page', async () => {
      await using stage = await setStage({ terminal: { ...unhurried, preview: 'on' } });
      await using agent = await stage.start();
      await agent.told('terminal ready');
      await agent.told('reader up');
      const { page, faults } = await pages.launch(stage, agent);
      await page.getByText('Hold your card').first().waitFor();
      stage.reader.tap(aliceCard);
      await page.getByRole('button', { name: 'Look at Quarterly report' }).tap();
      await page.getByRole('img', { name: 'Picture of page 1' }).waitFor();
      await expect.poll(async () => (await painted(page)).slice(0, 1)).toEqual([1024]);
      await page.getByRole('button', { name: 'Close' }).tap();
      await page.getByRole('button', { name: 'Sign out' }).tap();
      await agent.told('session closed');
      await page.locator('.row').first().waitFor({ state: 'detached' });
      expect(await page.locator('canvas').count()).toBe(0);
      expect([...faults, ...stage.printer.jobs, ...stage.cloud.deviations]).toEqual([]);
    });
  });
});
