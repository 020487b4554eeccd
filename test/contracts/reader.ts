/**
 * What every card reader must do, whatever it is: text on a wire, keys of a keyboard wedge, reports of a raw reader, or
 * a smart card. What only framed text must do besides stands in `text-reader.ts`.
 */
import { expect, it, onTestFinished } from 'vitest';
import type { Clock } from '../../src/core/clock.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { Duration } from '../../src/core/duration.ts';
import { milliseconds, seconds } from '../../src/core/duration.ts';
import type {
  CardReader,
  CardReaderEvents,
  FrameVerdict,
  ReaderSignal,
} from '../../src/domain/ports/readers.ts';
import type { TextReaderDeps } from '../../src/readers/intake/badge-intake.ts';
import type { FramingRule } from '../../src/readers/intake/framing.ts';
import type { SignalCommands } from '../../src/readers/intake/reader-signals.ts';
import type { RecordedLog } from '../support/recorded-log.ts';
import { recordLog } from '../support/recorded-log.ts';
import { eventually } from '../support/patience.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { createVirtualTime } from '../support/virtual-time.ts';

/** What is read of no text takes no notice of the framing. */
export type OpenReader = (options: TextReaderDeps) => CardReader;

/** The badge's side of the reader, and what opens the other one. */
export interface ReaderStage extends AsyncDisposable {
  readonly open: OpenReader;
  /** Each number is read once, one directly after the other; four bytes in hexadecimal digits. */
  badge(...numbers: readonly string[]): Promise<void>;
}

export interface RunningReader {
  /** The numbers read so far, in order. */
  readonly cards: readonly string[];
  readonly verdicts: readonly FrameVerdict[];
  /** How often it came up, and how often it went down since. */
  readonly counts: { up: number; down: number; garbage: number };
  readonly recorded: RecordedLog;
  /** Does nothing where the reader has no signals. */
  signal(what: ReaderSignal): void;
  /** Resolves when the reader has ended after the abort. */
  stop(): Promise<void>;
}

/** Runs a reader until the test ends. */
export function runReader(
  open: OpenReader,
  {
    clock = systemClock,
    framing = { kind: 'line' },
    signals,
  }: { clock?: Clock; framing?: FramingRule; signals?: SignalCommands } = {},
): RunningReader {
  const cards: string[] = [];
  const verdicts: FrameVerdict[] = [];
  const counts = { up: 0, down: 0, garbage: 0 };
  let isDown = false;
  const recorded = recordLog();
  const events: CardReaderEvents = {
    onCard: ({ card }) => cards.push(card.reveal()),
    onUp() {
      counts.up += 1;
      isDown = false;
    },
    // One that is down is told of again for each further reason: how many there are is the machine's affair.
    onDown() {
      counts.down += isDown ? 0 : 1;
      isDown = true;
    },
    onFrame(verdict) {
      verdicts.push(verdict);
      if (verdict === 'garbage') counts.garbage += 1;
    },
  };
  const reader = open({ name: 'front', framing, signals, clock, log: recorded.log, events });
  const abort = new AbortController();
  const running = reader.run(abort.signal);
  const stop = (): Promise<void> => {
    abort.abort();
    return running;
  };
  onTestFinished(stop);
  const signal = (what: ReaderSignal): void => reader.signal?.(what);
  return { cards, verdicts, counts, recorded, signal, stop };
}

export const until = (assertion: () => void): Promise<void> => eventually(assertion);

/** The time of a reader, which is the test's: no number is torn because the machine was busy between two of its bytes. */
export interface ReaderTime {
  readonly clock: Clock;
  /** Waits for what is on its way already. */
  until(assertion: () => void): Promise<void>;
  /** Waits for what the reader does by its clock: it looks again, or tries again. */
  later(assertion: () => void): Promise<void>;
  pass(span: Duration): Promise<void>;
  /** Resolves when the reader has asked for the time since this was called: what is written then has come to it. */
  heard(): Promise<void>;
}

/** Any wait of a reader is over after some of these. */
const stride = milliseconds(250);

/** A clock, and how often somebody has asked it how late it is. */
function counted(clock: Clock) {
  let looks = 0;
  const monotonic = () => {
    looks += 1;
    return clock.monotonic();
  };
  return { clock: { ...clock, monotonic }, looks: () => looks };
}

/** Time that stands still but where the test lets it pass. The other end may be in another process. */
export function standingTime(): ReaderTime {
  const steered = createSteeredClock();
  const { clock, looks } = counted(steered);
  return {
    clock,
    until,
    later: (assertion) =>
      eventually(async () => {
        try {
          assertion();
        } catch (failure) {
          await steered.advance(stride);
          throw failure;
        }
      }, quickly),
    pass: steered.advance,
    heard() {
      const before = looks();
      return until(() => expect(looks()).toBeGreaterThan(before));
    },
  };
}

/** Time that leaps on when nothing is on its way. The other end has to be in this process. */
export function leapingTime(): ReaderTime {
  const time = createVirtualTime();
  const { clock, looks } = counted(time.clock());
  return {
    clock,
    until: time.see,
    later: time.see,
    pass: (span) => time.until(clock.sleep(span)),
    // No time passes meanwhile: what was begun before must not be torn by it.
    heard() {
      const before = looks();
      return until(() => expect(looks()).toBeGreaterThan(before));
    },
  };
}

/** Milliseconds between two looks, where hundreds of them are waited for. */
const quickly = { interval: 2 };

/** Longer than a reader is waited for before it is tried again, and than a badge counts as lying there still. */
const aRound = seconds(5);

/** Goes away and comes back, so many times, and each time a badge is read (I7). */
export async function survives(
  rounds: number,
  {
    reader,
    time,
    comeBack,
    goAway,
    badge,
  }: {
    reader: RunningReader;
    time: ReaderTime;
    comeBack(): Promise<void>;
    goAway(): Promise<void>;
    badge(number: string): Promise<void>;
  },
): Promise<void> {
  const { cards, counts } = reader;
  for (let round = 1; round <= rounds; round += 1) {
    const number = String(10_000_000 + round);
    await comeBack();
    await time.later(() => expect(counts.up).toBe(round));
    await badge(number);
    await time.later(() => expect(cards.at(-1)).toBe(number));
    const downs = counts.down;
    await goAway();
    await time.later(() => expect(counts.down).toBe(downs + 1));
    await time.pass(aRound);
  }
  expect(counts.garbage).toBe(0);
}

/** A reader that has come up, and its stage; both end with the test. */
export async function openReaderOn<Stage extends ReaderStage>(
  setStage: (time: ReaderTime) => Promise<Stage>,
  newTime: () => ReaderTime = standingTime,
): Promise<RunningReader & { stage: Stage; time: ReaderTime }> {
  const time = newTime();
  const stage = await setStage(time);
  onTestFinished(() => stage[Symbol.asyncDispose]());
  const reader = runReader(stage.open, { clock: time.clock });
  await time.later(() => expect(reader.counts.up).toBe(1));
  return { ...reader, stage, time };
}

/** Defines the tests; stands within a `describe`. */
export function readerContract(
  setStage: (time: ReaderTime) => Promise<ReaderStage>,
  newTime: () => ReaderTime = standingTime,
): void {
  const openReader = () => openReaderOn(setStage, newTime);

  it('reads a badge, normalised', async () => {
    const { stage, time, cards } = await openReader();
    await stage.badge('04a1b2c3');
    await time.until(() => expect(cards).toEqual(['04A1B2C3']));
  });

  it('makes one event of a badge that lies on the reader, and lets the first of two badges win', async () => {
    const { stage, time, cards, recorded } = await openReader();
    await stage.badge('11111111', '11111111', '22222222', '11111111');
    await time.until(() => expect(recorded.records('second card ignored')).toHaveLength(1));
    expect(cards).toEqual(['11111111']);
  });

  it('lets the device go when it is stopped, so that another one can open it', async () => {
    const { time, ...first } = await openReader();
    await first.stop();
    const second = runReader(first.stage.open, { clock: time.clock });
    await time.later(() => expect(second.counts.up).toBe(1));
    await first.stage.badge('00004711');
    await time.until(() => expect(second.cards).toEqual(['00004711']));
    expect(first.cards).toEqual([]);
    expect(first.counts).toMatchObject({ up: 1, down: 0 });
  });

  it('writes no card number into its log (I5)', async () => {
    const { stage, time, cards, recorded } = await openReader();
    await stage.badge('11111111', '22222222');
    await time.until(() => expect(recorded.records('second card ignored')).toHaveLength(1));
    expect(cards).toHaveLength(1);
    expect(recorded.text()).not.toMatch(/11111111|22222222/);
  });
}

/** For readers that can send so many badges; besides the contract. */
export function floodContract(
  setStage: (time: ReaderTime) => Promise<ReaderStage>,
  newTime?: () => ReaderTime,
): void {
  it('takes nothing of a flood (I8)', async () => {
    const { stage, time, cards, verdicts } = await openReaderOn(setStage, newTime);
    const numbers = Array.from({ length: 300 }, (_, i) => String(10_000_000 + i));
    await stage.badge(...numbers);
    await time.until(() => expect(verdicts).toHaveLength(300));
    expect(verdicts.slice(100)).toEqual(Array.from({ length: 200 }, () => 'flood'));
    expect(cards).toEqual(['10000000']);
  });
}
