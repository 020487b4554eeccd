/** Terminals come and go while the kiosk runs. */
import { expect, it } from 'vitest';
import { openKiosk } from './open-kiosk.ts';
import { listen } from './open-stream.ts';

it('a terminal that is gone has no page, and its streams end; another one of its name is found there again', async () => {
  const stage = await openKiosk();
  const { kiosk, served } = stage;
  const cookie = await stage.launch();
  const page = await listen(stage, cookie);
  const passerBy = await listen(stage);
  expect(stage.pages).toEqual(['up']);

  served[Symbol.dispose]();
  await expect.poll(() => [page.ended(), passerBy.ended()]).toEqual([true, true]);
  expect(stage.listeners()).toBe(0);
  // That its page lost its connection says nothing about who is there.
  expect(stage.pages).toEqual(['up']);
  const paths = ['/t/lobby', '/t/lobby/events', '/t/lobby?launch=x'];
  expect(await Promise.all(paths.map(async (path) => (await stage.get(path)).status))).toEqual([
    404, 404, 404,
  ]);
  expect((await stage.command({ command: 'log-out', generation: 1 }, { cookie })).status).toBe(404);

  kiosk.serve(stage.lobby);
  const again = await listen(stage, cookie);
  expect(again.answer.status).toBe(200);
});
