/** Frames while a list is scrolled, by a trace of Chromium: as its compositor reports them. */
import type { Browser, CDPSession, Locator, Page } from 'playwright-core';

export interface ScrollFrames {
  /** A second. */
  readonly frames: number;
  readonly presented: number;
  /** Wanted, and not there in time. */
  readonly dropped: number;
}

export interface Scrolling {
  readonly browser: Browser;
  readonly page: Page;
  readonly protocol: CDPSession;
  /** What scrolls, or the root of a page that scrolls as a whole. */
  readonly list: Locator;
  /** Where the hand is: what is on the window of the list. */
  readonly under: Locator;
  /** Pixels, and pixels a second. */
  readonly distance: number;
  readonly speed: number;
}

/** Of Chromium's category `cc,benchmark`: one for each frame that the compositor was asked for, or two. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  /** Microseconds. */
  readonly ts: number;
  readonly args?: {
    readonly frame_reporter?: {
      readonly state: string;
      readonly scroll_state: string;
      readonly frame_sequence: number;
    };
  };
}

export async function scrolled(of: Scrolling): Promise<ScrollFrames> {
  const { browser, page, protocol, list, under, distance, speed } = of;
  const box = await under.boundingBox();
  if (!box) throw new Error('there is no list to scroll');
  await browser.startTracing(page, { categories: ['cc', 'benchmark'] });
  await protocol.send('Input.synthesizeScrollGesture', {
    x: box.x + box.width / 2,
    y: box.y + box.height / 2,
    yDistance: -distance,
    speed,
    gestureSourceType: 'mouse',
  });
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  if ((await list.evaluate(({ scrollTop }) => scrollTop)) < distance) throw new Error('it did not scroll');
  return framesOf(traceEvents);
}

/** A frame may be reported twice: as what the compositor moved, and as what the page drew. */
function framesOf(events: readonly TraceEvent[]): ScrollFrames {
  const frames = events.flatMap(({ name, ph, ts, args }) => {
    const frame = args?.frame_reporter;
    return name === 'PipelineReporter' && ph === 'b' && frame && frame.scroll_state !== 'SCROLL_NONE'
      ? [{ ts, at: frame.frame_sequence, state: frame.state }]
      : [];
  });
  const those = (state: RegExp) => new Set(frames.filter((one) => state.test(one.state)).map(({ at }) => at));
  const presented = those(/^STATE_PRESENTED/);
  const dropped = those(/^STATE_DROPPED/).difference(presented);
  const times = frames.map(({ ts }) => ts);
  const microseconds = Math.max(...times) - Math.min(...times);
  return {
    frames: ((presented.size - 1) * 1_000_000) / microseconds,
    presented: presented.size,
    dropped: dropped.size,
  };
}
