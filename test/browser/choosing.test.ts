/** What a person does with the list, and what the terminal is told of it. */
import { expect, it } from 'vitest';
import { needsPeer } from '../support/needs.ts';
import { choosing, documentOf, longList, releasing, screens } from './frames.ts';
import { drawn } from './page-time.ts';
import { executablePath, useStages } from './stage.ts';

needsPeer(executablePath, 'chromium')('the list', () => {
  const open = useStages();

  it('prints what was ticked, and says what it costs', async () => {
    const { page, terminal } = await open({ frame: choosing });
    await page.getByText('Travel request').tap();
    await page.getByText('Lecture 7').tap();
    await page.getByText('2 documents · 50 pages · Cost 2.80 · Balance 3.20').waitFor();
    await page.getByRole('button', { name: 'Print 2' }).tap();
    await expect
      .poll(() => terminal.commands.at(-1))
      .toEqual({ command: 'release', generation: 3, documentUuids: ['document-1', 'document-5'] });
  });

  it('offers what the balance is enough for, and never more', async () => {
    const { page } = await open({ frame: choosing });
    await page.getByRole('button', { name: 'Select all' }).tap();
    await page.getByText('Your balance is enough for 2.').waitFor();
    await page.getByRole('button', { name: 'Select these 2' }).tap();
    await page.getByRole('button', { name: 'Print 2' }).waitFor();
    await page.getByText('Lecture 7').tap();
    await page.getByText('Travel request').tap();
    await page.getByText('Minutes of').tap();
    await page.getByText('Your balance is not enough for these.').waitFor();
    expect(await page.getByRole('button', { name: 'Print 1' }).isDisabled()).toBe(true);
  });

  it('prints all of a long list, in commands that each hold no more than is let in (T28)', async () => {
    const { page, terminal } = await open({ frame: longList(500) });
    await page.getByRole('button', { name: 'Print all 500' }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Print 500' }).tap();
    const releases = () => terminal.commands.filter((one) => one.command === 'release');
    await expect.poll(() => releases().flatMap((one) => one.documentUuids)).toHaveLength(500);
    for (const release of releases()) expect(JSON.stringify(release).length).toBeLessThan(4096);
  });

  it('deletes after the time to undo, not before', async () => {
    const { page, terminal, forward, heartbeat } = await open({ frame: choosing });
    await page.getByLabel('Delete Minutes').tap();
    await page.getByText('1 document will be deleted.').waitFor();
    await page.getByRole('button', { name: 'Undo: Minutes' }).tap();
    await page.getByRole('checkbox', { name: 'Minutes of' }).waitFor();
    await page.getByLabel('Delete Minutes').tap();
    await page.getByText('1 document will be deleted.').waitFor();
    // What counts down begins when the screen has been drawn.
    await drawn(page);
    const deletions = () => terminal.commands.filter(({ command }) => command === 'delete');
    await forward(4_000);
    await heartbeat();
    await forward(2_900);
    await heartbeat();
    expect(deletions()).toEqual([]);
    await forward(100);
    await expect
      .poll(deletions)
      .toEqual([{ command: 'delete', generation: 3, documentUuids: ['document-2'] }]);
  });

  it('deletes before it signs its person out', async () => {
    const { page, terminal } = await open({ frame: choosing });
    await page.getByLabel('Delete Minutes').tap();
    await page.getByText('1 document will be deleted.').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).tap();
    await expect
      .poll(() => terminal.commands.filter(({ command }) => command !== 'still-there'))
      .toEqual([
        { command: 'delete', generation: 3, documentUuids: ['document-2'] },
        { command: 'log-out', generation: 3 },
      ]);
  });

  it('shows again what the terminal would not delete, and says so', async () => {
    const { page, terminal } = await open({ frame: choosing });
    terminal.answerWith(409);
    await page.getByLabel('Delete Minutes').tap();
    await page.getByText('Travel request').tap();
    await page.getByRole('button', { name: 'Print 1' }).tap();
    await page.getByRole('alert').getByText('no longer possible').waitFor();
    await page.getByText('Minutes of').waitFor();
  });

  it('asks about what may have printed', async () => {
    const { page, terminal } = await open({ frame: choosing });
    await page.getByText('May have printed at 9:41 AM').waitFor();
    await page.getByRole('button', { name: 'It is there' }).tap();
    await page.getByRole('button', { name: 'Print again' }).tap();
    await expect
      .poll(() => terminal.commands.filter(({ command }) => command !== 'still-there'))
      .toEqual([
        { command: 'it-is-there', generation: 3, documentUuid: 'document-3' },
        { command: 'print-again', generation: 3, documentUuid: 'document-3' },
      ]);
  });

  it('can be searched and ordered where it is long', async () => {
    const { page } = await open({ frame: longList(40) });
    await page.getByRole('button', { name: 'Pages', exact: true }).tap();
    await expect.poll(() => page.locator('.name').first().textContent()).toBe('Document 7');
    await page.getByRole('button', { name: 'Search' }).tap();
    await page.getByRole('button', { name: 'Digits and symbols' }).tap();
    await page.getByRole('button', { name: '3', exact: true }).tap();
    await page.keyboard.type('9');
    await page.getByText('1 document found').waitFor();
    await page.keyboard.type('x');
    await page.getByText('No document has this in its name.').waitFor();
  });

  it('says "printed" of a confirmed document only (I12)', async () => {
    const { page, terminal } = await open({ frame: releasing });
    const rows = page.locator('.row .words');
    await rows.first().waitFor();
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringMatching(/Lecture 7[^]*Printing page 17 of 48$/),
      expect.stringMatching(/Boarding pass[^]*look at the tray\.$/),
      expect.stringMatching(/Poster A0[^]*Not printed[^]*PDF\.$/),
      expect.stringMatching(/Old contract[^]*May have printed[^]*tray\.$/),
      expect.stringMatching(/Travel request[^]*Printed$/),
    ]);
    terminal.show(screens['releasing-over'] ?? releasing);
    await page.getByRole('heading', { name: 'All done.' }).waitFor();
  });

  it('drops what is no longer there from the choice', async () => {
    const { page, terminal } = await open({ frame: longList(3) });
    await page.getByRole('button', { name: 'Select all' }).tap();
    await page.getByRole('button', { name: 'Print 3' }).waitFor();
    terminal.show({ ...longList(3), documents: [documentOf(2), documentOf(3)] });
    await page.getByRole('button', { name: 'Print 2' }).waitFor();
  });
});
