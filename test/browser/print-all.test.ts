/** All that waits, in one touch; and how much that is, before it. */
import { expect, it } from 'vitest';
import { needsPeer } from '../support/needs.ts';
import { documentOf, longList } from './frames.ts';
import { executablePath, useStages } from './stage.ts';

needsPeer(executablePath, 'chromium')('Print', () => {
  const open = useStages();

  it('says how many documents and pages before it prints all of them in one touch', async () => {
    const { page, terminal } = await open({ frame: longList(6) });
    await page.locator('footer').getByText('6 documents · 27 pages').waitFor();
    await page.getByRole('button', { name: 'Print all 6' }).tap();
    await expect
      .poll(() => terminal.commands.at(-1))
      .toMatchObject({
        command: 'release',
        documentUuids: [1, 2, 3, 4, 5, 6].map((n) => `document-${n}`),
      });
  });

  it('counts copies, and says that it may be more where nobody knows the pages', async () => {
    const documents = [documentOf(1, { copies: 3 }), documentOf(2, { pages: undefined, copies: 2 })];
    const { page } = await open({ frame: { ...longList(2), documents } });
    await page.locator('footer').getByText('2 documents · 8 pages or more').waitFor();
  });

  it('asks above so many pages, and prints nothing but on a second word', async () => {
    const documents = [documentOf(1, { pages: 40 }), documentOf(2, { pages: 20 })];
    const frame = { ...longList(2), documents };
    const { page, terminal } = await open({ frame });
    const releases = () => terminal.commands.filter(({ command }) => command === 'release');
    const question = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Print all 2' }).tap();
    await question.getByText('2 documents · 60 pages').waitFor();
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    expect(releases()).toEqual([]);

    await page.getByRole('button', { name: 'Print all 2' }).tap();
    terminal.show({ ...frame, documents: [...documents, documentOf(3)] });
    await page.locator('footer').getByText('3 documents').waitFor();
    await question.getByRole('button', { name: 'Print 2' }).tap();
    await expect
      .poll(releases)
      .toMatchObject([{ command: 'release', documentUuids: ['document-1', 'document-2'] }]);
    await question.waitFor({ state: 'detached' });
  });

  it('asks nothing below that', async () => {
    const documents = [documentOf(1, { pages: 40 }), documentOf(2, { pages: 20 })];
    const { page, terminal } = await open({ frame: { ...longList(2), documents, askAbovePages: 60 } });
    await page.getByRole('button', { name: 'Print all 2' }).tap();
    await expect.poll(() => terminal.commands.at(-1)?.command).toBe('release');
  });
});
