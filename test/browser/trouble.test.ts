/** What a person reads when something is in the way: one cause, one remedy, one button. */
import { expect, it } from 'vitest';
import { needsPeer } from '../support/needs.ts';
import { longList, releasing, screens } from './frames.ts';
import { executablePath, useStages } from './stage.ts';

needsPeer(executablePath, 'chromium')('a trouble', () => {
  const open = useStages();
  const { 'choosing-trouble': trouble = releasing } = screens;

  it('is told once above the list, with what did not come out on top of it, and one way to try again', async () => {
    const { page, terminal } = await open({ frame: trouble });
    const names = page.locator('.documents .name:visible');
    await expect.poll(() => names.allInnerTexts()).toEqual(['Document 2', 'Document 3', 'Document 1']);
    const said = await page.locator('main').innerText();
    expect(said.match(/Paper is jammed/g)).toHaveLength(1);
    expect(said.match(/Not printed/g)).toHaveLength(2);
    expect(said).not.toMatch(/out of paper|needs attention/);
    await page.getByText('2 printed').waitFor();
    await page.getByRole('button', { name: 'Try again' }).tap();
    await expect
      .poll(() => terminal.commands.at(-1))
      .toEqual({ command: 'release', generation: 3, documentUuids: ['document-2', 'document-3'] });
  });

  it('that somebody has ended is followed by the word that the printer is ready', async () => {
    const need = { lamp: 'needs-attention', needs: 'paper' } as const;
    const { page, terminal } = await open({ frame: longList(3) });
    await page.locator('.row').first().waitFor();
    const bar = page.locator('header .lamp');
    // What is for those alone who listen is a pixel wide.
    const isSeen = async (words: string) => {
      const box = await bar.filter({ hasText: words }).boundingBox();
      return (box?.width ?? 0) > 1;
    };
    expect(await isSeen('Printer ready')).toBe(false);
    terminal.show({ ...longList(3), printer: need });
    await bar.getByText('The printer is out of paper').waitFor();
    terminal.show(longList(3));
    await bar.getByText('Printer ready').waitFor();
    expect(await isSeen('Printer ready')).toBe(true);
    terminal.show({ ...longList(3), generation: 4 });
    await expect.poll(() => isSeen('Printer ready')).toBe(false);
  });

  it('of one document is told in its row alone', async () => {
    const progress = [
      { documentUuid: 'document-3', name: 'Document 3', stage: 'failed', code: 'document-damaged' },
    ] as const;
    const { page } = await open({
      frame: { ...longList(3), progress, notice: { code: 'document-damaged' } },
    });
    await page.getByText('This document is damaged.').first().waitFor();
    expect((await page.locator('main').innerText()).match(/is damaged/g)).toHaveLength(1);
    expect(await page.locator('.row .name').first().innerText()).toBe('Document 3');
  });

  it('never hides what runs: that is the first row, and what is done folds', async () => {
    const { page } = await open({
      frame: {
        ...releasing,
        documents: [],
        progress: [1, 2, 3, 4, 5].map((n) => ({
          documentUuid: `document-${n}`,
          name: `Document ${n}`,
          stage: n < 4 ? 'printed' : n === 4 ? 'printing' : 'waiting',
        })),
      },
    });
    await page.getByText('3 printed').waitFor();
    const visible = page.locator('.documents .name:visible');
    expect(await visible.allInnerTexts()).toEqual(['Document 4', 'Document 5']);
    await page.getByText('3 printed').tap();
    await expect.poll(() => visible.count()).toBe(5);
  });
});
