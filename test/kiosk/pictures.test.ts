/** The picture of a page that is looked at: for the one page that shows the terminal, while it is shown, and kept nowhere. */
import { expect, it } from 'vitest';
import type { TerminalView } from '../../src/domain/terminal/terminal-view.ts';
import { pageHeader } from '../../src/kiosk/frame.ts';
import { prompting, shownPicture } from './kiosk-stage.ts';
import { openKiosk } from './open-kiosk.ts';
import { listen, openPage } from './open-stream.ts';

const looking: TerminalView = {
  ...prompting,
  generation: 4,
  state: 'choosing',
  offersPreview: true,
  preview: { documentUuid: 'd-1', page: 1, stage: 'shown', picture: 'a-picture' },
};
const path = '/t/lobby/pictures/a-picture?generation=4';

async function shownKiosk() {
  const stage = await openKiosk();
  const cookie = await openPage(stage);
  stage.show(looking);
  const own = { cookie, 'sec-fetch-site': 'same-origin', [pageHeader]: stage.shown.name };
  const statusOf = async (headers: Readonly<Record<string, string>>, at = path) =>
    (await stage.get(at, { headers: { ...own, ...headers } })).status;
  return { stage, cookie, own, statusOf };
}

it('comes to the page that shows the terminal, and no browser is to keep it', async () => {
  const { stage, own } = await shownKiosk();
  const answer = await stage.get(path, { headers: own });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(shownPicture);
});

it('comes to nobody else: without the pass, from another page or site, or without saying which page asks', async () => {
  const { statusOf } = await shownKiosk();
  expect(await statusOf({ cookie: '' })).toBe(403);
  expect(await statusOf({ cookie: 'platen-kiosk=guessed' })).toBe(403);
  expect(await statusOf({ 'sec-fetch-site': 'none' })).toBe(403);
  expect(await statusOf({ 'sec-fetch-site': 'cross-site' })).toBe(403);
  expect(await statusOf({ [pageHeader]: 'another page' })).toBe(409);
  expect(await statusOf({ [pageHeader]: '' })).toBe(409);
});

it('is not there for another generation, under another name, or any more (D2, I3)', async () => {
  const { stage, statusOf } = await shownKiosk();
  for (const query of ['', '?generation=3', '?generation=5', '?generation=', '?generation=4&generation=4']) {
    expect(await statusOf({}, `/t/lobby/pictures/a-picture${query}`)).toBe(409);
  }
  expect(await statusOf({}, '/t/lobby/pictures/another?generation=4')).toBe(409);
  expect(await statusOf({}, '/t/attic/pictures/a-picture?generation=4')).toBe(404);
  expect(await statusOf({})).toBe(200);
  const { preview: _, ...lookedAway } = looking;
  stage.show(lookedAway);
  expect(await statusOf({})).toBe(409);
});

it('is the newest page’s alone: one that another took over from is refused', async () => {
  const { stage, cookie, own } = await shownKiosk();
  await listen(stage, cookie);
  expect((await stage.get(path, { headers: own })).status).toBe(409);
  expect((await stage.get(path, { headers: { ...own, [pageHeader]: stage.shown.name } })).status).toBe(200);
});

it('a crowd of requests for it is refused as one of commands is (T28)', async () => {
  const { statusOf } = await shownKiosk();
  const statuses: number[] = [];
  for (let n = 0; n < 60; n += 1) statuses.push(await statusOf({}));
  expect(statuses.filter((status) => status === 429)).toHaveLength(20);
});
