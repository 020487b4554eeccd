/** The panel in which a person changes how a document is printed: by touch, by keyboard, refused. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { DocumentView } from '../../src/domain/terminal/terminal-view.ts';
import type { Frame } from '../../src/kiosk/frame.ts';
import { needsPeer } from '../support/needs.ts';
import { longList } from './frames.ts';
import { allOptions, lecture, optionsList } from './list-frames.ts';
import type { Stage } from './stage.ts';
import { executablePath, useStages } from './stage.ts';

const changed = (more: Partial<DocumentView>): Frame => ({
  ...optionsList,
  documents: (optionsList.documents ?? []).map((one) =>
    one.uuid === lecture.uuid ? { ...one, ...more } : one,
  ),
});
const changesOf = ({ terminal }: Stage) => terminal.commands.filter(({ command }) => command === 'change');
const openPanel = ({ page }: Stage) => page.getByRole('button', { name: 'Options for Lecture 7' }).tap();
const focused = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
  );

needsPeer(executablePath, 'chromium')('the options of a document', () => {
  const open = useStages();

  it('are told at once, shown as asked for, and cost what the terminal says', async () => {
    const stage = await open({ frame: optionsList });
    const { page, terminal } = stage;
    await page.locator('.what', { hasText: 'Scan' }).tap();
    await openPanel(stage);
    const panel = page.getByRole('dialog', { name: 'Options for Lecture 7' });
    await panel.getByText('Cost 2.40').waitFor();
    await panel.getByLabel('Black and white').tap();
    await panel.getByRole('button', { name: 'More copies' }).tap();
    await panel.getByLabel('2 copies').waitFor();
    expect(await panel.getByText('Cost').count()).toBe(0);
    await expect
      .poll(() => changesOf(stage))
      .toEqual([
        expect.objectContaining({ documentUuid: lecture.uuid, copies: 1, color: false, sides: 'one-sided' }),
        expect.objectContaining({ copies: 2, color: false, sides: 'one-sided', generation: 3 }),
      ]);
    terminal.show(changed({ copies: 2, color: false, cost: '1.92' }));
    await panel.getByText('Cost 1.92').waitFor();
    await panel.getByRole('button', { name: 'Done' }).tap();
    await page.getByText('48 pages · 2 copies · Black and white · One-sided · A4').waitFor();
    // What was ticked is ticked still.
    await page.getByRole('button', { name: 'Print 1' }).waitFor();
    expect(await page.locator('.row:has(:checked)').innerText()).toMatch(/^Scan/);
  });

  it('are the pages, typed on the screen or by keyboard, and told if there are none such', async () => {
    const withPages = { ...allOptions, pages: 48 };
    const stage = await open({ frame: changed({ options: withPages }) });
    const { page, terminal } = stage;
    await openPanel(stage);
    const panel = page.getByRole('dialog');
    await panel.getByRole('button', { name: 'All', exact: true }).tap();
    for (const key of ['3', ',', '5', '–', '8'])
      await panel.getByRole('button', { name: key, exact: true }).tap();
    expect(await panel.getByRole('textbox').inputValue()).toBe('3,5–8');
    await panel.getByRole('button', { name: 'Continue' }).tap();
    const chosenPages = [
      { from: 3, to: 3 },
      { from: 5, to: 8 },
    ];
    await expect
      .poll(() => changesOf(stage).at(-1))
      .toMatchObject({ documentUuid: lecture.uuid, chosenPages });
    terminal.show(changed({ options: withPages, chosenPages }));
    const choice = panel.getByRole('button', { name: '3, 5–8' });
    await choice.waitFor();

    await choice.press('Enter');
    await panel.getByRole('textbox').fill('50');
    await page.keyboard.press('Enter');
    await panel.getByRole('alert').getByText('Type page numbers from 1 to 48').waitFor();
    expect(changesOf(stage)).toHaveLength(1);
    await panel.getByRole('button', { name: 'All', exact: true }).press('Enter');
    await expect.poll(() => changesOf(stage)).toHaveLength(2);
    expect(changesOf(stage).at(-1)).not.toHaveProperty('chosenPages');
    terminal.show(changed({ options: withPages }));
    await panel.getByRole('button', { name: 'Done' }).tap();
    await page.getByText('48 pages · Color').waitFor();
    terminal.show(changed({ options: withPages, chosenPages }));
    await page.getByText('48 pages · only 3, 5–8 · Color').waitFor();
  });

  it('make a document fit other paper where its own is missing; all the same it is asked about before it is printed', async () => {
    const stage = await open({
      frame: changed({ paper: 'A3', lacksPaper: true, options: { ...allOptions, otherPaper: 'A4' } }),
    });
    const { page, terminal } = stage;
    await page.getByText('No A3 paper in the printer').waitFor();
    await page.locator('.what', { hasText: 'Lecture 7' }).tap();
    await page.getByRole('button', { name: 'Print 1' }).tap();
    const question = page.getByRole('dialog', { name: 'There is no A3 paper in the printer.' });
    await question.getByRole('button', { name: 'Back' }).tap();
    expect(terminal.commands.filter(({ command }) => command === 'release')).toEqual([]);

    await openPanel(stage);
    await page.getByRole('dialog').getByLabel('Make it fit A4').tap();
    await expect.poll(() => changesOf(stage).at(-1)).toMatchObject({ onPaper: 'A4' });
    terminal.show(changed({ paper: 'A4', onPaper: 'A4', options: { ...allOptions, otherPaper: 'A4' } }));
    await page.getByRole('button', { name: 'Done' }).tap();
    await page.getByRole('button', { name: 'Print 1' }).tap();
    await expect
      .poll(() => terminal.commands.filter(({ command }) => command === 'release'))
      .toMatchObject([{ documentUuids: [lecture.uuid] }]);
  });

  it('are kept with the badge for every document, as far as this one lets choose, and forgotten by one touch', async () => {
    const defaults = { kept: { grey: false, twoSided: true } };
    const stage = await open({ frame: { ...optionsList, defaults } });
    const { page, terminal } = stage;
    await openPanel(stage);
    const panel = page.getByRole('dialog');
    await panel.getByLabel('Black and white').tap();
    await panel.getByLabel('Print on both sides').tap();
    await panel.getByRole('button', { name: 'Keep for me' }).tap();
    const kept = () => terminal.commands.filter(({ command }) => command.endsWith('-defaults'));
    await expect.poll(kept).toMatchObject([{ grey: true, twoSided: true }]);
    // All that was changed is told before.
    expect(changesOf(stage).at(-1)).toMatchObject({ color: false, sides: 'two-sided-long-edge' });
    const now = { ...changed({ color: false, sides: 'two-sided-long-edge' }) };
    terminal.show({ ...now, defaults: { kept: { grey: true, twoSided: true } } });
    await panel.getByRole('button', { name: 'Kept for you' }).waitFor();
    await panel.getByRole('button', { name: 'Done' }).tap();
    await page.getByText('Kept for you: Black and white · Two-sided').waitFor();
    await page.getByRole('button', { name: 'Forget what is kept for you' }).tap();
    await expect.poll(() => kept().at(-1)).toMatchObject({ command: 'forget-defaults' });
    terminal.show({ ...optionsList, defaults: {} });
    await page.locator('.kept').waitFor({ state: 'detached' });
  });

  it('show where the staple sits, in words and as a picture, and tell what was chosen', async () => {
    const work = {
      staple: ['staple-top-left', 'staple-dual-left'],
      punch: ['punch-quad-left'],
      'media-source': ['tray-1', 'tray-2'],
      'output-bin': ['lower', 'mailbox-1', 'bin-of-maria'],
    };
    const options = { ...allOptions, work };
    const stage = await open({ frame: changed({ options }) });
    const { page, terminal } = stage;
    await openPanel(stage);
    const panel = page.getByRole('dialog');
    const staples = panel.getByRole('group', { name: 'Staples' });
    await staples.getByLabel('As usual').waitFor();
    expect(await staples.getByRole('radio').count()).toBe(3);
    expect(await staples.getByLabel('As usual').isChecked()).toBe(true);
    expect(await staples.locator('svg .mark').count()).toBe(3);
    await panel.getByRole('group', { name: 'Holes' }).getByLabel('Left edge: 4').waitFor();
    await panel.getByRole('group', { name: 'Output tray' }).getByLabel('bin of maria').waitFor();
    await staples.getByLabel('Left edge: 2').tap();
    await panel.getByRole('group', { name: 'Output tray' }).getByLabel('Mailbox 1').tap();
    const chosen = { staple: 'staple-dual-left', 'output-bin': 'mailbox-1' };
    await expect.poll(() => changesOf(stage).at(-1)).toMatchObject({ work: chosen });
    terminal.show(changed({ options, work: chosen }));
    await staples.getByLabel('As usual').tap();
    await expect.poll(() => changesOf(stage).at(-1)).toMatchObject({ work: { 'output-bin': 'mailbox-1' } });
    terminal.show(changed({ options, work: { 'output-bin': 'mailbox-1' } }));
    await page.screenshot({ path: 'test-output/finishing.png' });
    await panel.getByRole('button', { name: 'Done' }).tap();
    await page.getByText('48 pages · Color · One-sided · A4 · Output tray: Mailbox 1').waitFor();
  });

  it('are those that the terminal allows, and never more', async () => {
    const { page } = await open({ frame: optionsList });
    expect(await page.getByRole('button', { name: /^Options/ }).count()).toBe(2);
    await page.getByRole('button', { name: 'Options for Minutes' }).tap();
    const panel = page.getByRole('dialog');
    expect(await panel.getByRole('switch').count()).toBe(0);
    const more = panel.getByRole('button', { name: 'More copies' });
    expect(await more.getAttribute('aria-disabled')).toBe('true');
    await more.click({ force: true });
    await panel.getByLabel('12 copies').waitFor();
    await panel.getByRole('button', { name: 'Fewer copies' }).tap();
    await panel.getByLabel('11 copies').waitFor();
  });

  it('are reached, changed and left by keyboard alone, and the focus returns', async () => {
    const stage = await open({ frame: optionsList });
    const { page } = stage;
    await page.getByRole('button', { name: 'Options for Lecture 7' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    for (let stop = 0; stop < 7; stop += 1) {
      // Nothing behind the panel has a turn.
      expect(await page.evaluate(() => document.activeElement?.matches('body, dialog *'))).toBe(true);
      await page.keyboard.press('Tab');
    }
    await page.getByRole('button', { name: 'More copies' }).focus();
    for (const copies of [2, 3]) {
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByLabel(`${copies} copies`).waitFor();
    }
    // At the end of the way the focus is where it was.
    expect(await focused(page)).toBe('More copies');
    await page.getByLabel('Print on both sides').focus();
    await page.keyboard.press('Space');
    await expect.poll(() => changesOf(stage).at(-1)).toMatchObject({ sides: 'two-sided-long-edge' });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focused(page)).toMatch(/^Options for Lecture 7/);
  });

  it('say what is so when the terminal refuses', async () => {
    const stage = await open({ frame: optionsList });
    const { page, terminal } = stage;
    terminal.answerWith(409);
    await openPanel(stage);
    const panel = page.getByRole('dialog');
    await panel.getByLabel('Black and white').tap();
    await panel.getByRole('alert').getByText('no longer possible').waitFor();
    expect(await panel.getByLabel('Black and white').isChecked()).toBe(false);
    await panel.getByText('Cost 2.40').waitFor();
    terminal.answerWith(204);
    await panel.getByLabel('Black and white').tap();
    await panel.getByRole('alert').waitFor({ state: 'detached' });
    expect(await panel.getByLabel('Black and white').isChecked()).toBe(true);
  });

  it('say it of the last of several quick touches too, which went together', async () => {
    const stage = await open({ frame: optionsList });
    const { page, terminal } = stage;
    await openPanel(stage);
    const more = page.getByRole('button', { name: 'More copies' });
    const line = await holdLine(page);
    terminal.answerWith(409);
    await more.tap();
    await more.tap();
    await page.getByRole('switch', { name: 'Black and white' }).tap();
    await line.evaluate(({ free }) => free());
    await expect.poll(() => changesOf(stage).length).toBe(2);
    await page.getByRole('dialog').getByLabel('1 copy').waitFor();
    await page.getByRole('alert').getByText('no longer possible').waitFor();
    await stage.heartbeat();
    expect(await page.getByRole('dialog').getByRole('alert').count()).toBe(1);
  });

  it.each([
    { status: 204, told: ['change', 'release'] },
    { status: 409, told: ['change'] },
  ] as const)(
    'are told before it is printed, and it is printed as shown or not at all ($status)',
    async (how) => {
      const stage = await open({ frame: optionsList });
      const { page, terminal } = stage;
      const line = await holdLine(page);
      terminal.answerWith(how.status);
      await page.locator('.row').first().locator('label').tap();
      await openPanel(stage);
      await page.getByRole('dialog').getByLabel('Black and white').tap();
      await page.getByRole('button', { name: 'Done' }).tap();
      await page.getByText('48 pages · Black and white').waitFor();
      await page.getByRole('button', { name: 'Print 1' }).tap();
      await line.evaluate(({ free }) => free());
      const reported = () =>
        terminal.commands.map(({ command }) => command).filter((command) => command !== 'still-there');
      await expect.poll(() => reported().length).toBe(how.told.length);
      if (how.status === 409) await page.getByText('48 pages · Color').waitFor();
      expect(reported()).toEqual(how.told);
    },
  );

  it('keep search, order and place of a long list', async () => {
    const { page, terminal } = await open({ frame: idleOf(30) });
    await page.getByRole('button', { name: 'Name', exact: true }).tap();
    const place = () => page.locator('.documents').evaluate((list) => list.scrollTop);
    await page.getByRole('button', { name: 'Options for Document 20' }).tap();
    await page.getByRole('dialog').waitFor();
    const before = await place();
    expect(before).toBeGreaterThan(300);
    await page.getByLabel('Black and white').tap();
    const { documents = [], ...rest } = idleOf(30);
    terminal.show({
      ...rest,
      documents: documents.map((one) => (one.name === 'Document 20' ? { ...one, color: false } : one)),
    });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await place()).toBe(before);
    await page.getByRole('button', { name: 'Name', exact: true, pressed: true }).waitFor();
    expect(await focused(page)).toBe('Options for Document 20');
  });

  it('close with the document, and the focus is at the head of the list', async () => {
    const stage = await open({ frame: optionsList });
    const { page, terminal } = stage;
    await openPanel(stage);
    await page.getByRole('dialog').waitFor();
    const [, ...others] = optionsList.documents ?? [];
    terminal.show({ ...optionsList, documents: others });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('Your documents');
  });
});

/** What the page sends waits until it is free. */
const holdLine = (page: Page) =>
  page.evaluateHandle(() => {
    const { fetch: send } = globalThis;
    const { promise: isFree, resolve: free } = Promise.withResolvers<void>();
    globalThis.fetch = (...request) => isFree.then(() => send(...request));
    return { free };
  });

const idleOf = (count: number): Frame => ({
  ...longList(count),
  documents: (longList(count).documents ?? []).map((one) => ({ ...one, color: true, options: allOptions })),
});
