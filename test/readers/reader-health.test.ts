/** One reader's condition and counters. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { hours, minutes, seconds } from '../../src/core/duration.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { createFloodGate } from '../../src/readers/intake/debounce.ts';
import { createReaderHealth } from '../../src/readers/intake/reader-health.ts';
import { createConditions } from '../../src/status/conditions.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

function watched({ silentAfter }: { silentAfter?: ReturnType<typeof hours> } = {}) {
  const clock = createSteeredClock();
  const conditions = createConditions({ clock, log: recordLog().log });
  const health = createReaderHealth({
    name: 'front',
    kind: 'serial',
    terminal: 'lobby',
    conditions,
    clock,
    silentAfter,
  });
  const stop = new AbortController();
  const running = health.run(stop.signal);
  onTestFinished(() => {
    stop.abort();
    return running;
  });
  const codes = () => conditions.list('lobby').map(({ code, subject }) => `${code} ${subject}`);
  return { clock, health, codes };
}

const front = { name: 'front', kind: 'serial' };
const gone = new Problem('reader-unavailable', 'unplugged');

describe('the health of a reader', () => {
  it('counts what came, and how often the reader came back', () => {
    const { health } = watched();
    expect(health.status()).toEqual({ ...front, state: 'down', frames: 0, garbage: 0, reconnects: 0 });
    health.onUp();
    for (const verdict of ['accepted', 'still-there', 'garbage'] as const) health.onFrame(verdict);
    health.onDown(gone);
    health.onUp();
    expect(health.status()).toEqual({ ...front, state: 'up', frames: 3, garbage: 1, reconnects: 1 });
  });

  it('is a condition while the reader is away', () => {
    const { health, codes } = watched();
    health.onDown(gone);
    expect(codes()).toEqual(['reader-unavailable front']);
    health.onUp();
    expect(codes()).toEqual([]);
  });

  it('is a condition while a key of the reader is stuck', () => {
    const { health, codes } = watched();
    health.onUp();
    health.onKey?.('stuck');
    expect(codes()).toEqual(['reader-stuck-key front']);
    health.onKey?.('free');
    expect(codes()).toEqual([]);
  });

  it('is a condition while the reader floods, until it has been quiet for a second', async () => {
    const { clock, health, codes } = watched();
    health.onUp();
    health.onFrame('flood');
    await clock.advance(seconds(0.9));
    health.onFrame('flood');
    await clock.advance(seconds(0.9));
    expect(codes()).toEqual(['reader-floods front']);
    await clock.advance(seconds(0.2));
    expect(codes()).toEqual([]);
  });

  it('is a condition while a badge lies on the reader, until none has been read there for 30 s', async () => {
    const { clock, health, codes } = watched();
    health.onUp();
    health.onFrame('card-left');
    await clock.advance(seconds(20));
    health.onFrame('card-left');
    await clock.advance(seconds(20));
    health.onFrame('accepted');
    expect(codes()).toEqual(['reader-card-left front']);
    await clock.advance(seconds(10));
    expect(codes()).toEqual([]);
  });

  it('is a condition when no badge came for the span that is set, until one comes; noise is none', async () => {
    const { clock, health, codes } = watched({ silentAfter: hours(4) });
    health.onUp();
    await clock.advance(hours(3));
    health.onFrame('accepted');
    await clock.advance(hours(3));
    health.onFrame('garbage');
    expect(codes()).toEqual([]);
    await clock.advance(minutes(90));
    expect(codes()).toEqual(['reader-silent front']);
    health.onFrame('accepted');
    expect(codes()).toEqual([]);
  });

  it('says nothing of silence unless it is asked to', async () => {
    const { clock, health, codes } = watched();
    health.onUp();
    await clock.advance(hours(1000));
    expect(codes()).toEqual([]);
  });

  it('says first that the reader is away', async () => {
    const { clock, health, codes } = watched({ silentAfter: hours(1) });
    health.onDown(gone);
    await clock.advance(hours(2));
    expect(codes()).toEqual(['reader-unavailable front']);
    health.onUp();
    expect(codes()).toEqual(['reader-silent front']);
  });
});

describe('a flood', () => {
  const floodsIn = (moments: readonly number[]): boolean[] => {
    const gate = createFloodGate();
    return moments.map((at) => gate.isFlood(at));
  };
  const every = (span: number, count: number): number[] => Array.from({ length: count }, (_, i) => i * span);

  it('is no badge that is read twenty times a second for a day', () => {
    expect(floodsIn(every(50, 20 * 3600))).not.toContain(true);
  });

  it('is the hundred-and-first frame of a second, and all after it until a second of silence', () => {
    const moments = [...every(1, 101), 1000, 1999, 2999];
    expect(floodsIn(moments).slice(99)).toEqual([false, true, true, true, false]);
  });
});
