/** How a document is to be printed, said by a page: within what the view offers, and nothing else (src/cloud/README.md 12, row 36). */
import { expect, it } from 'vitest';
import type { DocumentView, TerminalView } from '../../src/domain/terminal/terminal-view.ts';
import { openKiosk } from './open-kiosk.ts';
import { listen, openPage } from './open-stream.ts';

const plain = (uuid: string): DocumentView => ({
  uuid,
  name: `${uuid}.pdf`,
  pages: 4,
  copies: 3,
  color: true,
  sides: 'one-sided',
  standing: 'releasable',
});
const document = (uuid: string, facts: Partial<DocumentView>): DocumentView => ({
  ...plain(uuid),
  options: { grey: true, twoSided: true, mostCopies: 99 },
  ...facts,
});
const fixed = { grey: false, twoSided: false, mostCopies: 150 };
const choosing: TerminalView = {
  generation: 4,
  state: 'choosing',
  sentence: '',
  waiting: 3,
  documents: [
    document('d-1', {}),
    document('d-2', { color: false, sides: 'two-sided-short-edge', copies: 150, options: fixed }),
    document('d-3', { standing: 'may-have-printed', sides: undefined }),
    { ...plain('d-4'), standing: 'unavailable', why: 'too-long' },
  ],
};
const change = {
  command: 'change',
  generation: 4,
  documentUuid: 'd-1',
  copies: 1,
  color: false,
  sides: 'two-sided-long-edge',
};

async function opened(view = choosing) {
  const stage = await openKiosk();
  const cookie = await openPage(stage);
  stage.show(view);
  return { ...stage, cookie, say: (body: object) => stage.command(body, { cookie }) };
}

it.each([
  ['all that saves', {}],
  ['what it is already', { copies: 3, color: true, sides: 'one-sided' }],
  ['99 copies', { copies: 99 }],
  [
    'fewer copies, where the rest is fixed',
    { documentUuid: 'd-2', copies: 100, sides: 'two-sided-short-edge' },
  ],
  ['one that may have printed', { documentUuid: 'd-3' }],
  ['no sides, where none are known', { documentUuid: 'd-3', sides: undefined }],
])('%s is passed on', async (_what, body) => {
  const { say, told } = await opened();
  const wanted = { ...change, ...body };
  expect((await say(wanted)).status).toBe(204);
  const { command: _, ...said } = wanted;
  expect(told).toEqual([['change', JSON.parse(JSON.stringify(said))]]);
});

it.each([
  ['no copies', 400, { copies: 0 }],
  ['fewer than none', 400, { copies: -1 }],
  ['one copy and a half', 400, { copies: 1.5 }],
  ['copies in words', 400, { copies: '2' }],
  ['more copies than any document has', 400, { copies: 1000 }],
  ['sides that nobody knows', 400, { sides: 'three-sided' }],
  ['sides in a list', 400, { sides: ['one-sided'] }],
  ['a colour that is neither', 400, { color: 'grey' }],
  ['a path for a document', 400, { documentUuid: '../d-1' }],
  ['more than is asked for', 400, { paper: 'A3' }],
  ['100 copies', 409, { copies: 100 }],
  ['151 copies of what was sent with 150', 409, { documentUuid: 'd-2', copies: 151 }],
  ['the short edge', 409, { sides: 'two-sided-short-edge' }],
  ['colour, of what was sent grey', 409, { documentUuid: 'd-2', color: true, sides: 'two-sided-short-edge' }],
  ['one side, of what was sent two-sided', 409, { documentUuid: 'd-2', sides: 'one-sided' }],
  ['no sides, of what was sent two-sided', 409, { documentUuid: 'd-2', sides: undefined }],
  ['a document without options', 409, { documentUuid: 'd-4' }],
  ['a document of somebody else', 409, { documentUuid: 'd-9' }],
  ['an older view (D2)', 409, { generation: 3 }],
  ['a view to come', 409, { generation: 5 }],
])('%s is refused with %i, and the terminal hears nothing of it', async (_what, status, body) => {
  const { say, told } = await opened();
  expect((await say({ ...change, ...body })).status).toBe(status);
  expect(told).toEqual([]);
});

it('while documents print, nothing is changed', async () => {
  const { say, told } = await opened({ ...choosing, state: 'releasing' });
  expect((await say(change)).status).toBe(409);
  expect(told).toEqual([]);
});

it('a page is told what may be changed, the paper, the time, and why a document cannot be had', async () => {
  const facts = { paper: 'A4', sentAt: '2026-11-21T11:58:00.000Z' };
  const stage = await opened({
    ...choosing,
    documents: [document('d-1', facts), ...(choosing.documents ?? [])],
  });
  const page = await listen(stage, stage.cookie);
  await expect.poll(() => page.text()).toContain('"sentAt":"2026-11-21T11:58:00.000Z"');
  expect(page.text()).toContain('"paper":"A4"');
  expect(page.text()).toContain('"why":"too-long"');
  expect(page.text()).toContain('"options":{"grey":true,"twoSided":true,"mostCopies":99}');
  const passerBy = await listen(stage);
  await expect.poll(() => passerBy.text()).toContain('choosing');
  expect(passerBy.text()).not.toMatch(/options|sentAt|d-1/);
});
