import { describe, expect, it, vi } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { TerminalView } from '../../src/domain/terminal-view.ts';
import type { KioskStage } from './kiosk-stage.ts';
import { openKiosk, prompting } from './kiosk-stage.ts';

const choosing: TerminalView = {
  generation: 2,
  state: 'choosing',
  sentence: 'Three documents wait.',
  waiting: 3,
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

interface OpenStream {
  readonly answer: Response;
  /** All that has come so far. */
  text(): string;
  ended(): boolean;
}

async function listen({ get }: KioskStage): Promise<OpenStream> {
  const answer = await get('/t/lobby/events');
  let text = '';
  let ended = false;
  const read = async (): Promise<void> => {
    for await (const part of answer.body ?? []) text += Buffer.from(part).toString();
  };
  // A connection that is cut ends the stream like one that is closed.
  void read()
    .catch(() => {})
    .then(() => (ended = true));
  return { answer, text: () => text, ended: () => ended };
}

const frame = (view: TerminalView): string => `data: ${JSON.stringify(view)}\n\n`;

describe('the event stream of a terminal', () => {
  it('begins with the present view and goes on with every change', async () => {
    const stage = await openKiosk();
    const stream = await listen(stage);
    expect(stream.answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.answer.headers.get('cache-control')).toBe('no-store');
    await vi.waitFor(() => expect(stream.text()).toBe(frame(prompting)));
    stage.show(choosing);
    await vi.waitFor(() => expect(stream.text()).toBe(frame(prompting) + frame(choosing)));
  });

  it('carries the fields of the view and nothing else of the terminal (I3)', async () => {
    const stage = await openKiosk();
    const stream = await listen(stage);
    const costs = [{ cost: '1.40', fits: true, title: 'Salaries.pdf' }];
    const balance = { balance: '3.20', cost: '1.40', fitting: 1, tooDear: 0, owner: 'alice', costs };
    const leaky = { ...choosing, userName: 'alice', titles: ['Salaries.pdf'], balance };
    stage.show(leaky);
    await vi.waitFor(() => expect(stream.text()).toContain('"generation":2'));
    expect(stream.text()).not.toMatch(/alice|Salaries/);
  });

  it('says every 15 s that it is still there', async () => {
    const stage = await openKiosk();
    const stream = await listen(stage);
    await vi.waitFor(() => expect(stream.text()).toBe(frame(prompting)));
    await stage.clock.advance(seconds(15));
    await vi.waitFor(() => expect(stream.text()).toBe(`${frame(prompting)}: still here\n\n`));
  });

  it('lets the terminal go when the page is closed (I8)', async () => {
    const stage = await openKiosk();
    const page = new AbortController();
    await stage.get('/t/lobby/events', { signal: page.signal });
    await vi.waitFor(() => expect(stage.listeners()).toBe(1));
    page.abort();
    await vi.waitFor(() => expect(stage.listeners()).toBe(0));
  });

  it('is one of eight: a ninth page ends the oldest stream (T28)', async () => {
    const stage = await openKiosk();
    const streams: OpenStream[] = [];
    for (let count = 0; count < 9; count += 1) streams.push(await listen(stage));
    await vi.waitFor(() => expect(streams[0]?.ended()).toBe(true));
    expect(stage.listeners()).toBe(8);
    stage.show(choosing);
    for (const stream of streams.slice(1))
      await vi.waitFor(() => expect(stream.text()).toContain('choosing'));
  });

  it('ends at once when the kiosk is disposed', async () => {
    const stage = await openKiosk();
    const stream = await listen(stage);
    await stage.kiosk[Symbol.asyncDispose]();
    await vi.waitFor(() => expect(stream.ended()).toBe(true));
    expect(stage.listeners()).toBe(0);
    expect(stage.clock.waits()).toEqual([]);
  });
});
