/** The answer of whoever was given half of a document: the pages that are missing, by name, beside the two others. */
import { expect, it } from 'vitest';
import { needsPeer } from '../support/needs.ts';
import { halfPrinted } from './list-frames.ts';
import { executablePath, useStages } from './stage.ts';

needsPeer(executablePath, 'chromium')('pages that are missing', () => {
  const stages = useStages();

  it('are named, and asked for by one touch', async () => {
    const { page, terminal } = await stages({ frame: halfPrinted(7) });
    await page.getByText('The printer counted 6 of 12 pages. Look at the tray.').waitFor();
    await page.getByRole('button', { name: 'Print pages 7 to 12' }).tap();
    const asked = () => terminal.commands.filter(({ command }) => command === 'print-missing');
    await expect
      .poll(asked)
      .toEqual([{ command: 'print-missing', documentUuid: 'document-1', from: 7, to: 12, generation: 3 }]);
    terminal.show(halfPrinted(12));
    await page.getByRole('button', { name: 'Print page 12: Thesis', exact: true }).waitFor();
    terminal.show({ ...halfPrinted(7), mayHavePrinted: [{ documentUuid: 'document-1' }] });
    await page.getByRole('button', { name: /^Print page/ }).waitFor({ state: 'detached' });
  });

  it('say of which document they are to whoever only hears them', async () => {
    const { page } = await stages({ frame: halfPrinted(7) });
    const answers = page.locator('.doubt button');
    await answers.first().waitFor();
    const names = await answers.evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel));
    expect(names).toEqual(['It is there: Thesis', 'Print pages 7 to 12: Thesis', 'Print again: Thesis']);
  });
});
