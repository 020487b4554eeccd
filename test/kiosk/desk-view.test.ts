/** `/t/<id>?view`: what somebody at a desk is shown of a terminal, and that nothing can be done with it (T03, T28, I3). */
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { milliseconds, seconds } from '../../src/core/duration.ts';
import type { TerminalView } from '../../src/domain/terminal/terminal-view.ts';
import { pageHeader } from '../../src/kiosk/frame.ts';
import { commandTime } from './crowd.ts';
import type { KioskStage } from './kiosk-stage.ts';
import { ofThePage, prompting } from './kiosk-stage.ts';
import { openKiosk } from './open-kiosk.ts';
import type { OpenStream } from './open-stream.ts';
import { listen, openPage } from './open-stream.ts';
import { commandOf, verbs } from './verbs.ts';
import { eventually } from '../support/patience.ts';

const choosing: TerminalView = {
  generation: 2,
  state: 'choosing',
  sentence: 'One document waits.',
  waiting: 1,
  endsInSeconds: 60,
  fullName: 'Alice Archer',
  language: 'fr',
  documents: [
    {
      uuid: 'd-1',
      name: 'Minutes.pdf',
      pages: 2,
      copies: 1,
      color: false,
      sides: 'one-sided',
      standing: 'releasable',
    },
  ],
  mayHavePrinted: [{ documentUuid: 'd-1' }],
  progress: [{ documentUuid: 'd-1', name: 'Minutes.pdf', stage: 'printing' }],
};

const { waiting: _waiting, ...promptingForAll } = prompting;
const look = (stage: KioskStage, cookie?: string, query = 'view') => listen(stage, cookie, `?${query}`);
const last = (stream: OpenStream) => {
  const frames = [...stream.text().matchAll(/^data: (\{"generation".*)$/gm)];
  return JSON.parse(frames.at(-1)?.[1] ?? '{}') as Record<string, unknown>;
};
const shows = (stream: OpenStream, generation: number) =>
  eventually(() => expect(last(stream)['generation']).toBe(generation));

describe('the view from a desk', () => {
  it('needs no launch, and shows that somebody is signed in, and nothing of them', async () => {
    const stage = await openKiosk();
    const page = await stage.get('/t/lobby?view');
    expect([page.status, page.headers.get('set-cookie')]).toEqual([200, null]);
    const view = await look(stage);
    expect(last(view)).toEqual({ ...promptingForAll, looksOn: true });
    stage.show(choosing);
    await shows(view, 2);
    expect(last(view)).toEqual({
      generation: 2,
      state: 'choosing',
      looksOn: true,
      sentence: 'Somebody is signed in. This page only looks on.',
    });
  });

  it('asks for nothing to be typed, whatever the terminal does', async () => {
    const stage = await openKiosk();
    const view = await look(stage);
    stage.show({ ...prompting, generation: 2, offers: ['short-id', 'password'] });
    await shows(view, 2);
    expect(last(view)).not.toHaveProperty('offers');
    stage.show({ ...prompting, generation: 3, state: 'askingPin', asks: 'pin' });
    await shows(view, 3);
    expect(last(view)).not.toHaveProperty('asks');
  });

  it.each(['view', 'view=', 'view=0', 'view=false', '%76iew', 'launch=x&view', 'view&view', 'a=b&view=1'])(
    'is that also with the cookie of the launched page, asked for as ?%s',
    async (query) => {
      const stage = await openKiosk();
      const cookie = await stage.launch();
      const own = await listen(stage, cookie);
      const { name } = stage.shown;
      const view = await look(stage, cookie, query);
      stage.show(choosing);
      await shows(view, 2);
      expect(view.text()).not.toMatch(/event: page|Alice|Minutes|d-1|"fr"/);
      expect([own.ended(), stage.shown.name]).toEqual([false, name]);
    },
  );

  it('can say nothing: not with the cookie, not by the name of another page, no verb there is', async () => {
    const stage = await openKiosk();
    const cookie = await stage.launch();
    const view = await look(stage, cookie);
    stage.show(choosing);
    await shows(view, 2);
    for (const verb of verbs) {
      for (const name of ['', 'undefined', 'view', 'build']) {
        const said = await stage.command(commandOf(verb, 2), { cookie, [pageHeader]: name });
        expect([verb, name, said.status]).toEqual([verb, name, 409]);
        await stage.clock.advance(milliseconds(200));
      }
      expect((await stage.command(commandOf(verb, 2), {})).status).toBe(403);
      await stage.clock.advance(milliseconds(200));
    }
    for (const path of ['/t/lobby?view', '/t/lobby/events?view']) {
      const init = { method: 'POST', headers: { ...ofThePage, cookie }, body: '{}' };
      expect((await stage.get(path, init)).status).toBe(404);
    }
    expect(stage.told).toEqual([]);
  });

  it('becomes no launched page: a secret beside it is not spent, and brings no cookie', async () => {
    const stage = await openKiosk();
    const secret = stage.secrets.launch().reveal();
    for (const query of [`view&launch=${secret}`, `launch=${secret}&view`]) {
      const answer = await stage.get(`/t/lobby?${query}`, { redirect: 'manual' });
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null]);
    }
    expect(stage.secrets.launch().reveal()).toBe(secret);
    expect(stage.recorded.text()).toBe('');
  });

  it('is no page at the terminal: nothing typed is offered for it, and no session ends when it goes', async () => {
    const stage = await openKiosk();
    const cookie = await stage.launch();
    const view = await look(stage, cookie);
    stage.show(choosing);
    await shows(view, 2);
    expect(stage.pages).toEqual([]);
    view.leave();
    await eventually(() => expect(stage.listeners()).toBe(0));
    await stage.clock.advance(seconds(10));
    expect([stage.pages, stage.told]).toEqual([[], []]);
  });

  it('is no way to a terminal that is not there', async () => {
    const { get } = await openKiosk();
    for (const path of ['/t/attic?view', '/t/attic/events?view', '/?view', '/t/?view']) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
  });
});

/** Connections that look on, and stay as long as they may. */
async function crowd({ port }: KioskStage, id: string, count: number): Promise<void> {
  for (let one = 0; one < count; one += 1) {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    socket.write(`GET /t/${id}/events?view HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    socket.resume();
  }
}

describe('a crowd of views', () => {
  it('ends the oldest of its own, and no page that was not launched', async () => {
    const stage = await openKiosk();
    const passerBy = await listen(stage);
    const first = await look(stage);
    await crowd(stage, 'lobby', 20);
    await eventually(() => expect(first.ended()).toBe(true));
    expect(stage.listeners()).toBe(1 + 4);
    stage.show(choosing);
    await shows(passerBy, 2);
  });

  it('is the first to go where a connection is one too many: launched page, passer-by and commands stay', async () => {
    const stage = await openKiosk();
    const passerBy = await listen(stage);
    const cookie = await openPage(stage);
    stage.show(choosing);
    const own = await listen(stage, cookie);
    const ids = Array.from({ length: 12 }, (_, n) => `terminal-${n}`);
    const { current } = stage.lobby.terminal.view;
    for (const id of ids) {
      const view = { current, onChange: () => () => {} };
      stage.kiosk.serve({ ...stage.lobby, id, terminal: { ...stage.lobby.terminal, view } });
    }
    for (const id of ids) await crowd(stage, id, 5);
    for (let count = 0; count < 10; count += 1) await commandTime(stage, cookie);
    stage.show({ ...choosing, generation: 3 });
    await shows(own, 3);
    await shows(passerBy, 3);
    expect([own.ended(), passerBy.ended()]).toEqual([false, false]);
  });
});
