/** What a person sees of a list that is kept up to date while they look at it. */
import { expect, it } from 'vitest';
import { needsPeer } from '../support/needs.ts';
import { choosing, documentOf, longList } from './frames.ts';
import { drawn } from './page-time.ts';
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

  it('tells that it could not be fetched, what became of the rest, and is fetched again when a finger asks for it', async () => {
    const { page, terminal } = await open({
      frame: {
        ...longList(2),
        notice: { code: 'list-stale' },
        progress: [
          { documentUuid: 'document-9', name: 'Plan.pdf', stage: 'printed' },
          { documentUuid: 'document-1', name: 'Document 1', stage: 'failed', code: 'cloud-unreachable' },
        ],
      },
    });
    await page.getByRole('main').getByText('Your documents are shown as they were before.').waitFor();
    await page.getByText('Not printed. The document still waits for you.').waitFor();
    await page.locator('.row.result').getByText('Printed').waitFor();
    await page.getByRole('button', { name: 'Try again' }).tap();
    await expect.poll(() => terminal.commands.at(-1)?.command).toBe('look-again');
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

  it('keeps a deleted row in its place: a second tap there deletes no other document', async () => {
    const { page, terminal, forward, heartbeat } = await open({ frame: longList(4) });
    const place = (n: number) => page.locator('.row', { hasText: `Document ${n}` }).boundingBox();
    const before = [await place(2), await place(3)];
    const bin = await page.getByRole('button', { name: 'Delete Document 1' }).boundingBox();
    const [x, y] = [(bin?.x ?? 0) + 20, (bin?.y ?? 0) + 20];
    await page.touchscreen.tap(x, y);
    await page.getByRole('button', { name: 'Undo: Document 1' }).waitFor();
    await page.touchscreen.tap(x, y);
    await page.touchscreen.tap(x, y);
    expect(await page.locator('.row.deleted').count()).toBe(1);
    expect([await place(2), await place(3)]).toEqual(before);
    // What counts down begins when the screen has been drawn.
    await drawn(page);
    await forward(4_000);
    await heartbeat();
    await forward(3_000);
    const deletions = () => terminal.commands.filter(({ command }) => command === 'delete');
    await expect.poll(deletions).toMatchObject([{ documentUuids: ['document-1'] }]);
    await expect.poll(() => page.locator('.row').count()).toBe(3);
  });

  it('keeps the place of what is gone until no finger is near: a second "It is there" is said of no other', async () => {
    const doubtful = (n: number) => documentOf(n, { standing: 'may-have-printed' });
    const frame = { ...choosing, documents: [doubtful(1), doubtful(2), documentOf(3)], mayHavePrinted: [] };
    const { page, terminal, forward, shows } = await open({ frame });
    const answer = page.getByRole('button', { name: 'It is there: Document 1' });
    const box = await answer.boundingBox();
    const [x, y] = [(box?.x ?? 0) + 20, (box?.y ?? 0) + 20];
    await page.touchscreen.tap(x, y);
    await expect.poll(() => terminal.commands.at(-1)?.command).toBe('it-is-there');
    await shows({ ...frame, documents: frame.documents.slice(1) }, '.row[inert]');
    await page.touchscreen.tap(x, y);
    await forward(1_250);
    await expect.poll(() => page.locator('.row').count()).toBe(2);
    const answers = terminal.commands.filter(({ command }) => command === 'it-is-there');
    expect(answers).toMatchObject([{ documentUuid: 'document-1' }]);
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
