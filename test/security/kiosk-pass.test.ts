/** A kiosk's cookie that somebody has copied is good at its own terminal alone, and not any longer than its browser (T03). */
import { expect, it } from 'vitest';
import { openKiosk } from '../kiosk/open-kiosk.ts';
import { listen } from '../kiosk/open-stream.ts';
import { ofThePage } from '../kiosk/kiosk-stage.ts';
import { pageHeader } from '../../src/kiosk/frame.ts';

const choosing = {
  generation: 2,
  state: 'choosing',
  sentence: '',
  waiting: 0,
  fullName: 'Canary Archer',
};
const stillThere = { command: 'still-there', generation: 2 };

it('is nothing at another terminal: it is neither listened to there, nor told anything private', async () => {
  const stage = await openKiosk();
  const { kiosk, lobby, get } = stage;
  kiosk.serve({ ...lobby, id: 'attic' });
  const cookie = await stage.launch();
  stage.show(choosing);
  await listen(stage, cookie);
  expect((await stage.command(stillThere, { cookie })).status).toBe(204);

  const page = new AbortController();
  const events = await get('/t/attic/events', { headers: { cookie }, signal: page.signal });
  const first = await events.body?.getReader().read();
  page.abort();
  expect(Buffer.from(first?.value ?? []).toString()).toMatch(/^event: build\n/);
  expect(Buffer.from(first?.value ?? []).toString()).not.toMatch(/^event: page$|Canary/m);
  const command = await get('/t/attic/commands', {
    method: 'POST',
    headers: { ...ofThePage, cookie, [pageHeader]: stage.shown.name },
    body: JSON.stringify(stillThere),
  });
  expect(command.status).toBe(403);
});

it('dies with the next launch, and so does the stream that was opened with it; that of another terminal lives', async () => {
  const stage = await openKiosk();
  const { kiosk, lobby, get, secrets } = stage;
  const stolen = await stage.launch();
  stage.show(choosing);
  const before = await listen(stage, stolen);
  const { name } = stage.shown;

  const { current } = lobby.terminal.view;
  const view = { current, onChange: () => () => {} };
  kiosk.serve({ ...lobby, id: 'attic', terminal: { ...lobby.terminal, view } });
  await get(`/t/attic?launch=${secrets.launch().reveal()}`, { redirect: 'manual' });
  expect((await stage.command(stillThere, { cookie: stolen })).status).toBe(204);
  expect(before.ended()).toBe(false);

  const fresh = await stage.launch();
  await expect.poll(before.ended).toBe(true);
  expect(before.text()).toMatch(/event: moved\n/);
  const said = await stage.command(stillThere, { cookie: stolen, [pageHeader]: name });
  expect(said.status).toBe(403);
  const again = await listen(stage, stolen);
  expect(again.text()).not.toContain('Canary');
  await listen(stage, fresh);
  expect((await stage.command(stillThere, { cookie: fresh })).status).toBe(204);
});
