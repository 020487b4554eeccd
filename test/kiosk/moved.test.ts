/** One page at a time shows what is of the person in front: the newest takes over (INVARIANTS.md I3, D2). */
import { once } from 'node:events';
import { request } from 'node:http';
import { expect, it } from 'vitest';
import { pageHeader } from '../../src/kiosk/frame.ts';
import { buildOf, filesOf, page, readStaticFiles } from '../../src/kiosk/server/kiosk-page.ts';
import type { KioskStage } from './kiosk-stage.ts';
import { ofThePage, prompting } from './kiosk-stage.ts';
import { openKiosk } from './open-kiosk.ts';
import type { OpenStream } from './open-stream.ts';
import { listen } from './open-stream.ts';
import { eventually } from '../support/patience.ts';

const choosing = { ...prompting, generation: 2, state: 'choosing', fullName: 'Alice Archer' };
const stillThere = { command: 'still-there', generation: 2 };
const moved = 'event: moved\ndata: {}\n\n';

/** Two windows of one browser, so with one cookie; the second was opened later. */
async function openTwo(stage: KioskStage) {
  const cookie = await stage.launch();
  const first = await listen(stage, cookie);
  const nameOfFirst = stage.shown.name;
  const second = await listen(stage, cookie);
  return { cookie, first, nameOfFirst, second };
}

const hasMoved = (stream: OpenStream) => eventually(() => expect(stream.ended()).toBe(true));

it('the older of two pages is told that it has moved, as the last it hears, and nothing of the person', async () => {
  const stage = await openKiosk();
  const { first, second } = await openTwo(stage);
  await hasMoved(first);
  stage.show(choosing);
  await eventually(() => expect(second.text()).toContain('Alice Archer'));
  expect(first.text().endsWith(moved)).toBe(true);
  expect(first.text()).not.toContain('Alice');
  expect(second.text()).not.toContain(moved);
  expect(stage.listeners()).toBe(1);
});

it('a page of another browser takes over too', async () => {
  const stage = await openKiosk();
  const first = await listen(stage, await stage.launch());
  await listen(stage, await stage.launch());
  await hasMoved(first);
  expect(first.text().endsWith(moved)).toBe(true);
});

it('who reads along takes over from nobody, and is not moved', async () => {
  const stage = await openKiosk();
  const passerBy = await listen(stage);
  const own = await listen(stage, await stage.launch());
  await listen(stage);
  stage.show(choosing);
  await eventually(() => expect(own.text()).toContain('Alice Archer'));
  await eventually(() => expect(passerBy.text()).toContain('choosing'));
  expect([own.ended(), passerBy.ended()]).toEqual([false, false]);
});

it('a command of the page that has moved does not count, though its cookie and generation are right', async () => {
  const stage = await openKiosk();
  const { cookie, nameOfFirst } = await openTwo(stage);
  stage.show(choosing);
  for (const name of [nameOfFirst, '', 'another']) {
    expect((await stage.command(stillThere, { cookie, [pageHeader]: name })).status).toBe(409);
  }
  expect(stage.told).toEqual([]);
  expect((await stage.command(stillThere, { cookie })).status).toBe(204);
});

it('a command that comes in while another page takes over does not count (D2)', async () => {
  const stage = await openKiosk();
  const cookie = await stage.launch();
  await listen(stage, cookie);
  stage.show(choosing);
  const body = JSON.stringify(stillThere);
  const headers = { ...ofThePage, cookie, [pageHeader]: stage.shown.name, 'content-length': body.length };
  const { port } = stage;
  const command = request({ port, host: '127.0.0.1', path: '/t/lobby/commands', method: 'POST', headers });
  command.write(body.slice(0, 1));
  // The kiosk has its head, and waits for the rest.
  await once(command, 'socket').then(([socket]) => once(socket, 'connect'));
  await stage.get('/t/lobby');
  await listen(stage, cookie);
  command.end(body.slice(1));
  const [answer] = await once(command, 'response');
  expect(answer.statusCode).toBe(409);
  expect(stage.told).toEqual([]);
});

it('a page that has left is not listened to any more', async () => {
  const stage = await openKiosk();
  const { cookie, second } = await openTwo(stage);
  stage.show(choosing);
  second.leave();
  await eventually(() => expect(stage.listeners()).toBe(0));
  expect((await stage.command(stillThere, { cookie })).status).toBe(409);
  expect(stage.told).toEqual([]);
});

it('a page finds the build of its files in the first event, and another one when any of them is another', async () => {
  const stage = await openKiosk();
  const files = new Map([...(await readStaticFiles()), ...filesOf({ bigButtons: false })]);
  const build = buildOf(files);
  expect((await listen(stage)).text()).toMatch(`event: build\ndata: ${build}\n\n`);
  const builds = [...files].map(([path, file]) =>
    buildOf(new Map([...files, [path, { ...file, body: `${String(file.body)} ` }]])),
  );
  expect(new Set([build, ...builds, buildOf(new Map([['/', page]]))]).size).toBe(files.size + 2);
});
