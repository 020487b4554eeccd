/** What a person sees of a list that is kept up to date while they look at it. */
import { expect, it } from 'vitest';
import { needsPeer } from '../support/needs.ts';
import { documentOf, longList } from './frames.ts';
import { executablePath, useStages } from './stage.ts';

needsPeer(executablePath, 'chromium')('an open list', () => {
  const open = useStages();
  const news = { code: 'new-documents', params: { n: 1 } } as const;

  it('shows what has come, with a word, where nothing was', async () => {
    const { page, terminal } = await open({ frame: { ...longList(1), documents: [] } });
    await page.getByText('It appears here.').waitFor();
    terminal.show({ ...longList(1), notice: news });
    await page.getByText('1 new document', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Print', exact: true }).waitFor();
  });

  it('leaves every row and what is ticked where it is, whatever comes and goes', async () => {
    const { page, terminal } = await open({ frame: longList(4) });
    await page.getByText('Document 2').tap();
    const place = () => page.getByText('Document 2').boundingBox();
    const before = await place();
    const [one, ...others] = [1, 2, 3, 4].map((n) => documentOf(n));
    const gone = { ...documentOf(1), ...one, standing: 'unavailable', why: 'gone' } as const;
    terminal.show({ ...longList(4), documents: [...others, documentOf(5), gone], notice: news });
    await page.getByText('1 new document', { exact: true }).waitFor();
    expect(await page.locator('.documents .name').allInnerTexts()).toEqual(
      [1, 2, 3, 4, 5].map((n) => `Document ${n}`),
    );
    expect(await place()).toEqual(before);
    await page.getByText('no longer waiting').waitFor();
    await page.getByRole('button', { name: 'Print 1' }).tap();
    await expect
      .poll(() => terminal.commands.at(-1))
      .toMatchObject({ command: 'release', documentUuids: ['document-2'] });
  });

  it('keeps the order that a person chose, and has what is new behind it', async () => {
    const { page, terminal } = await open({ frame: longList(12) });
    await page.getByRole('button', { name: 'Pages', exact: true }).tap();
    const names = () => page.locator('.documents .name').allInnerTexts();
    await expect.poll(async () => (await names())[0]).toBe('Document 7');
    const before = await names();
    const added = documentOf(14, { name: 'One page' });
    terminal.show({ ...longList(12), documents: [...(longList(12).documents ?? []), added], notice: news });
    await expect.poll(names).toEqual([...before, 'One page']);
  });
});
