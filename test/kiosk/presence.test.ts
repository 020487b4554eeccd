/** What follows from a page's being there, or not: INVARIANTS.md B.4, 10; and whether anybody can type. */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { TerminalView } from '../../src/domain/terminal/terminal-view.ts';
import type { KioskStage } from './kiosk-stage.ts';
import { prompting } from './kiosk-stage.ts';
import { openKiosk } from './open-kiosk.ts';
import { listen } from './open-stream.ts';
import { eventually } from '../support/patience.ts';

const at = (generation: number, state: string): TerminalView => ({ ...prompting, generation, state });
const offering: TerminalView = { ...prompting, offers: ['short-id'] };
const logIn = { command: 'log-in', generation: 1, way: 'short-id', shortId: '4711' };

/** Somebody logs in on a page, as the terminal shows it. */
async function logInOnPage(stage: KioskStage) {
  const cookie = await stage.launch();
  const page = await listen(stage, cookie);
  stage.show(offering);
  await stage.command(logIn, { cookie });
  return { cookie, page };
}

/** The terminal itself goes on before the command is answered; this one has to be told to. */
async function openSession(stage: KioskStage) {
  const opened = await logInOnPage(stage);
  stage.show(at(2, 'choosing'));
  await stage.command({ command: 'still-there', generation: 2 }, { cookie: opened.cookie });
  return opened;
}

const isGone = (stage: KioskStage, count = 0) =>
  eventually(() => expect(stage.pages.filter((state) => state === 'down')).toHaveLength(count + 1));
const logouts = ({ told }: KioskStage) => told.filter(([word]) => word === 'log-out').map(([, said]) => said);

describe('a session whose page is lost', () => {
  it('ends 5 s later (B.4, 10)', async () => {
    const stage = await openKiosk();
    const { page } = await openSession(stage);
    page.leave();
    await isGone(stage);
    await stage.clock.advance(seconds(4.9));
    expect(logouts(stage)).toEqual([]);
    await stage.clock.advance(seconds(0.2));
    expect(logouts(stage)).toEqual([{ generation: 2 }]);
  });

  it('goes on where the page is back by then, as after a reload', async () => {
    const stage = await openKiosk();
    const { page, cookie } = await openSession(stage);
    page.leave();
    await isGone(stage);
    await stage.clock.advance(seconds(4));
    await listen(stage, cookie);
    await stage.clock.advance(seconds(60));
    expect(logouts(stage)).toEqual([]);
  });

  it('goes on where the page comes again before its old connection is gone', async () => {
    const stage = await openKiosk();
    const { page, cookie } = await openSession(stage);
    await listen(stage, cookie);
    page.leave();
    await eventually(() => expect(page.ended()).toBe(true));
    await stage.clock.advance(seconds(60));
    expect(logouts(stage)).toEqual([]);
  });

  it('goes on where a badge opened it, and nobody has touched the page', async () => {
    const stage = await openKiosk();
    const page = await listen(stage, await stage.launch());
    stage.show(at(2, 'choosing'));
    page.leave();
    await isGone(stage);
    await stage.clock.advance(seconds(60));
    expect(logouts(stage)).toEqual([]);
  });

  it('goes on where another page has taken over, and ends 5 s after that one is lost', async () => {
    const stage = await openKiosk();
    const { page, cookie } = await openSession(stage);
    const other = await listen(stage, cookie);
    await eventually(() => expect(page.ended()).toBe(true));
    await stage.clock.advance(seconds(60));
    expect(logouts(stage)).toEqual([]);
    expect(stage.pages).toEqual(['up']);
    other.leave();
    await isGone(stage);
    await stage.clock.advance(seconds(5));
    expect(logouts(stage)).toEqual([{ generation: 2 }]);
  });

  it('is not taken for that of the next person', async () => {
    const stage = await openKiosk();
    const { page } = await openSession(stage);
    page.leave();
    await isGone(stage);
    stage.show(at(3, 'authenticating'));
    stage.show(at(4, 'listing'));
    await stage.clock.advance(seconds(60));
    expect(logouts(stage)).toEqual([]);
    expect(stage.listeners()).toBe(0);
  });

  it('is the one that came of what was typed there, though it has another generation', async () => {
    const stage = await openKiosk();
    const cookie = await stage.launch();
    const page = await listen(stage, cookie);
    stage.show(at(2, 'enrolling'));
    await stage.command({ command: 'still-there', generation: 2 }, { cookie });
    stage.show(at(3, 'registering'));
    stage.show(at(3, 'listing'));
    stage.show(at(3, 'choosing'));
    page.leave();
    await isGone(stage);
    await stage.clock.advance(seconds(5));
    expect(logouts(stage)).toEqual([{ generation: 3 }]);
  });
});

it('a kiosk that ends itself waits for nobody, and ends no session (I7)', async () => {
  const stage = await openKiosk();
  await openSession(stage);
  await stage.kiosk[Symbol.asyncDispose]();
  expect(stage.clock.waits()).toEqual([]);
  expect(logouts(stage)).toEqual([]);
});

describe('a terminal', () => {
  it('has a page to type on from the first launched one to the last, and none by who only reads along', async () => {
    const stage = await openKiosk();
    const passerBy = await listen(stage);
    expect(stage.pages).toEqual([]);
    const cookie = await stage.launch();
    await listen(stage, cookie);
    const second = await listen(stage, cookie);
    passerBy.leave();
    await eventually(() => expect(stage.listeners()).toBe(1));
    expect(stage.pages).toEqual(['up']);
    second.leave();
    await isGone(stage);
    expect(stage.pages).toEqual(['up', 'down']);
  });
});
