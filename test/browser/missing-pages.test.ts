/** The answer of whoever was given half of a document: the pages that are missing, by name, beside the two others. */
import { expect, it } from 'vitest';
import type { Frame } from '../../src/kiosk/frame.ts';
import { languages } from '../../src/kiosk/page/languages/language.ts';
import { needsPeer } from '../support/needs.ts';
import { complaintsOf } from './accessibility.ts';
import { choosing, documentOf } from './frames.ts';
import { executablePath, keepPicture, kiosk, panel, tablet, upright, useStages } from './stage.ts';

const half = documentOf(1, { name: 'Thesis.pdf', pages: 12, standing: 'may-have-printed' });
const halfPrinted = (from: number): Frame => ({
  ...choosing,
  documents: [half, documentOf(2, { name: 'Minutes.pdf', pages: 2 })],
  mayHavePrinted: [{ documentUuid: half.uuid, missing: { from, to: 12 } }],
});

needsPeer(executablePath, 'chromium')('pages that are missing', () => {
  const stages = useStages();

  it('are named, and asked for by one touch', async () => {
    const { page, terminal } = await stages({ frame: halfPrinted(7) });
    await page.getByText('The printer counted 6 of 12 pages. Look at the tray.').waitFor();
    await page.getByRole('button', { name: 'Print pages 7 to 12' }).tap();
    const asked = () => terminal.commands.filter(({ command }) => command === 'print-missing');
    await expect
      .poll(asked)
      .toEqual([{ command: 'print-missing', documentUuid: half.uuid, from: 7, to: 12, generation: 3 }]);
    terminal.show(halfPrinted(12));
    await page.getByRole('button', { name: 'Print page 12: Thesis', exact: true }).waitFor();
    terminal.show({ ...halfPrinted(7), mayHavePrinted: [{ documentUuid: half.uuid }] });
    await page.getByRole('button', { name: /^Print page/ }).waitFor({ state: 'detached' });
  });

  it('say of which document they are to whoever only hears them', async () => {
    const { page } = await stages({ frame: halfPrinted(7) });
    const answers = page.locator('.doubt button');
    await answers.first().waitFor();
    const names = await answers.evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel));
    expect(names).toEqual(['It is there: Thesis', 'Print pages 7 to 12: Thesis', 'Print again: Thesis']);
  });

  it('stand beside the other answers in every language, on every panel', async () => {
    const { page, terminal, faults } = await stages({ frame: halfPrinted(7) });
    for (const { code, direction } of languages) {
      terminal.show({ ...halfPrinted(7), language: code });
      await page.locator(`html[lang=${code}][dir=${direction}]`).waitFor();
      for (const size of [upright, kiosk, tablet, panel]) {
        await page.setViewportSize(size);
        const where = `${code} at ${size.width}×${size.height}`;
        const misfits = await page.locator('.doubt button').evaluateAll((all) =>
          all.flatMap((one) => {
            const { left, right, height } = one.getBoundingClientRect();
            const isCut = one.scrollWidth > one.clientWidth + 1;
            return left < 0 || right > innerWidth + 1 || height < 44 || isCut ? [one.textContent] : [];
          }),
        );
        expect([where, ...misfits]).toEqual([where]);
        await keepPicture(page, `${code}-missing-pages-${size.width}`);
      }
      expect([code, ...(await complaintsOf(page, { colors: code === 'en' }))]).toEqual([code]);
    }
    expect(faults).toEqual([]);
  });
});
