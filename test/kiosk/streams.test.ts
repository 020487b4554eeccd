import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { TerminalView } from '../../src/domain/terminal/terminal-view.ts';
import { prompting } from './kiosk-stage.ts';
import { openKiosk } from './open-kiosk.ts';
import type { OpenStream } from './open-stream.ts';
import { listen } from './open-stream.ts';
import { eventually } from '../support/patience.ts';

const choosing: TerminalView = {
  generation: 2,
  state: 'choosing',
  sentence: 'Three documents wait.',
  waiting: 3,
  endsInSeconds: 60,
  fullName: 'Alice Archer',
  documents: [
    {
      uuid: 'd-1',
      name: 'Minutes.pdf',
      pages: 2,
      copies: 1,
      color: false,
      sides: 'one-sided',
      standing: 'releasable',
      cost: '1.40',
      fits: true,
    },
  ],
  mayHavePrinted: [{ documentUuid: 'd-1', at: '2026-11-21T12:00:00Z' }],
  progress: [
    { documentUuid: 'd-2', name: 'Offer.pdf', stage: 'printing', page: 1, pages: 3 },
    {
      documentUuid: 'd-3',
      name: 'Plan.pdf',
      stage: 'failed',
      code: 'printer-not-ready',
      reference: '7f3a9c21',
    },
  ],
  balance: {
    balance: '3.20',
    cost: '2.80',
    fitting: 2,
    tooDear: 1,
    costs: [
      { cost: '1.40', fits: true },
      { cost: '9.00', fits: false },
      { cost: '1.40', fits: true },
    ],
  },
};

/** What every stream begins with. */
const build = (stream: OpenStream): string =>
  /^event: build\ndata: [\w-]{12}\n\n/.exec(stream.text())?.[0] ?? 'none';
const frames = (stream: OpenStream): readonly unknown[] =>
  [...stream.text().matchAll(/^id: \d+\ndata: (.*)\n\n/gm)].map(
    ([, data = '']) => JSON.parse(data) as unknown,
  );

/** What anybody on this machine is shown. */
const { waiting: _waiting, ...promptingForAll } = prompting;
const choosingForAll = { generation: 2, state: 'choosing', sentence: 'Somebody is signed in.' };

describe('the event stream of a terminal', () => {
  it('begins with the present view and goes on with every change', async () => {
    const stage = await openKiosk();
    const stream = await listen(stage);
    expect(stream.answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.answer.headers.get('cache-control')).toBe('no-store');
    expect(stream.text().startsWith(`${build(stream)}id: 1\ndata: {`)).toBe(true);
    stage.show(choosing);
    await eventually(() => expect(frames(stream)).toEqual([promptingForAll, choosingForAll]));
  });

  it('tells nobody without the cookie of a launched page what is of the person (I3, T03)', async () => {
    const stage = await openKiosk();
    const cookie = await stage.launch();
    const others = [undefined, 'platen-kiosk=', `${cookie}x`, cookie.replace('=', '=x'), `x${cookie}`];
    const streams = await Promise.all(others.map((other) => listen(stage, other)));
    const own = await listen(stage, `other=1; platen-kiosk=forged.sum; ${cookie}`);
    stage.show(choosing);
    await eventually(() => expect(own.text()).toContain('Minutes.pdf'));
    for (const stream of streams) {
      await eventually(() => expect(frames(stream).at(-1)).toEqual(choosingForAll));
      expect(stream.text()).not.toMatch(/Minutes|Archer|3\.20|d-1/);
    }
  });

  it('carries the fields of the view and nothing else of the terminal (I3)', async () => {
    const stage = await openKiosk();
    const stream = await listen(stage, await stage.launch());
    const costs = [{ cost: '1.40', fits: true, title: 'Salaries.pdf' }];
    const balance = { balance: '3.20', cost: '1.40', fitting: 1, tooDear: 0, owner: 'bob', costs };
    const [document] = choosing.documents ?? [];
    const documents = document ? [{ ...document, path: '/bob' }] : [];
    const leaky = { ...choosing, userName: 'bob', titles: ['Salaries.pdf'], balance, documents };
    stage.show(leaky);
    await eventually(() => expect(stream.text()).toContain('"generation":2'));
    expect(stream.text()).not.toMatch(/bob|Salaries/);
  });

  it('shows nothing of the person any more as soon as the session is over (I3, G14)', async () => {
    const stage = await openKiosk();
    const stream = await listen(stage, await stage.launch());
    stage.show(choosing);
    await eventually(() => expect(stream.text()).toContain('Minutes.pdf'));
    const over = { ...prompting, generation: 3 };
    stage.show(over);
    await eventually(() => expect(frames(stream).at(-1)).toEqual(over));
  });

  it('shows a page with 500 documents that reads slowly the newest state, and none of the steps between', async () => {
    const stage = await openKiosk();
    const stream = await listen(stage, await stage.launch());
    const documents = Array.from({ length: 500 }, () => choosing.documents ?? []).flat();
    for (let step = 0; step < 200; step += 1) stage.show({ ...choosing, documents, waiting: step });
    stage.show({ ...prompting, generation: 3 });
    await eventually(() => expect(frames(stream).at(-1)).toEqual({ ...prompting, generation: 3 }));
    expect(stream.ended()).toBe(false);
    expect(stream.text().split('id: 2').length).toBeLessThan(100);
  });

  it('says every 15 s that it is still there', async () => {
    const stage = await openKiosk();
    const stream = await listen(stage);
    await stage.clock.advance(seconds(15));
    await eventually(() => expect(stream.text().endsWith('}\n\n: still here\n\n')).toBe(true));
  });

  it('gives a launched page a sign of life every 2 s while somebody is there (B.4, 10)', async () => {
    const stage = await openKiosk();
    const [own, other] = [await listen(stage, await stage.launch()), await listen(stage)];
    const beats = (stream: OpenStream) => stream.text().split('event: heartbeat\ndata: {}\n\n').length - 1;
    await stage.clock.advance(seconds(14));
    expect(beats(own)).toBe(0);
    stage.show(choosing);
    await stage.clock.advance(seconds(6));
    await eventually(() => expect(beats(own)).toBe(3));
    expect(beats(other)).toBe(0);
  });

  it('lets the terminal go when the page is closed (I8)', async () => {
    const stage = await openKiosk();
    const page = new AbortController();
    await stage.get('/t/lobby/events', { signal: page.signal });
    await eventually(() => expect(stage.listeners()).toBe(1));
    page.abort();
    await eventually(() => expect(stage.listeners()).toBe(0));
  });

  it('is one of eight: a ninth page ends the oldest stream (T28)', async () => {
    const stage = await openKiosk();
    const streams: OpenStream[] = [];
    for (let count = 0; count < 9; count += 1) streams.push(await listen(stage));
    await eventually(() => expect(streams[0]?.ended()).toBe(true));
    expect(stage.listeners()).toBe(8);
    stage.show(choosing);
    for (const stream of streams.slice(1))
      await eventually(() => expect(stream.text()).toContain('choosing'));
  });

  it('keeps its place for a launched page, however many others read along (T28)', async () => {
    const stage = await openKiosk();
    const own = await listen(stage, await stage.launch());
    for (let count = 0; count < 9; count += 1) await listen(stage);
    stage.show(choosing);
    await eventually(() => expect(own.text()).toContain('choosing'));
    expect(own.ended()).toBe(false);
  });

  it('ends at once when the kiosk is disposed', async () => {
    const stage = await openKiosk();
    const streams = [await listen(stage, await stage.launch()), await listen(stage)];
    const disposed = stage.kiosk[Symbol.asyncDispose]();
    // The terminal still has things to say, in every moment between.
    for (let moment = 0; moment < 100; moment += 1) {
      stage.show(choosing);
      await Promise.resolve();
    }
    await disposed;
    for (const stream of streams) await eventually(() => expect(stream.ended()).toBe(true));
    expect(stage.listeners()).toBe(0);
    expect(stage.clock.waits()).toEqual([]);
  });
});
