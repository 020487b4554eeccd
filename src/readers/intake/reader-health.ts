/**
 * What is known of one reader: whether it is there, what it sent so far, and the one condition that concerns it: it is
 * gone, else a key of it is stuck, else it floods, else a badge was left on it, else no badge was read at it for
 * unusually long.
 */
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { milliseconds } from '../../core/duration.ts';
import type { Service } from '../../core/service.ts';
import { aborted } from '../../core/service.ts';
import type { Conditions } from '../../domain/condition.ts';
import type { CardReaderEvents, FrameVerdict, ReaderStatus } from '../../domain/ports/readers.ts';
import type { Problem } from '../../domain/problem/problem.ts';
import type { ProblemCode } from '../../domain/problem/problem-kinds.ts';
import { leftUntilAwayFor } from './debounce.ts';
import { floodEndsAfter } from './flood.ts';
import { rest } from './reader-link.ts';

/** So often is looked whether the silence has grown too long. */
const looksWithinSilence = 12;

export interface ReaderHealth extends Service, Omit<CardReaderEvents, 'onCard'> {
  status(): ReaderStatus;
}

export function createReaderHealth(options: {
  readonly name: string;
  readonly kind: string;
  readonly terminal: string;
  readonly silentAfter: Duration | undefined;
  readonly conditions: Conditions;
  readonly clock: Clock;
}): ReaderHealth {
  const { name, kind, terminal, silentAfter, conditions, clock } = options;
  const counts = { frames: 0, garbage: 0, ups: 0 };
  let state: 'up' | 'down' = 'down';
  let problem: Problem | undefined;
  let isKeyStuck = false;
  let isSilent = false;
  let badgeAt = clock.monotonic();

  const raise = (code: ProblemCode, detail: string): void =>
    conditions.raise({ code, severity: 'warning', scope: terminal, subject: name, detail });
  const tell = (): void => {
    if (problem) raise(problem.code, problem.message);
    else if (isKeyStuck) raise('reader-stuck-key', `a key of ${name} is stuck`);
    else if (flood.lasts()) raise('reader-floods', `${name} sends more than a person can. It is ignored`);
    else if (cardLeft.lasts())
      raise('reader-card-left', `a card has been on ${name} for minutes. It is ignored`);
    else if (isSilent) raise('reader-silent', `no card was read at ${name} for a long time`);
    else conditions.clear(terminal, name);
  };

  const flood = createSpell({ endsAfter: floodEndsAfter, clock, onChange: tell });
  const cardLeft = createSpell({ endsAfter: leftUntilAwayFor, clock, onChange: tell });

  return {
    name: `health of ${name}`,
    status: () => ({
      ...{ name, kind, state, frames: counts.frames, garbage: counts.garbage },
      reconnects: Math.max(0, counts.ups - 1),
    }),
    onUp() {
      state = 'up';
      counts.ups += 1;
      problem = undefined;
      tell();
    },
    onDown(cause) {
      state = 'down';
      problem = cause;
      tell();
    },
    onKey(key) {
      isKeyStuck = key === 'stuck';
      tell();
    },
    onFrame(verdict) {
      counts.frames += 1;
      if (verdict === 'garbage') counts.garbage += 1;
      // It lasts as long as anything comes.
      if (verdict === 'flood' || flood.lasts()) flood.goesOn();
      if (verdict === 'card-left') cardLeft.goesOn();
      if (!isBadge(verdict)) return;
      badgeAt = clock.monotonic();
      if (!isSilent) return;
      isSilent = false;
      tell();
    },
    async run(signal) {
      if (silentAfter === undefined) return aborted(signal);
      while (!signal.aborted) {
        await rest(milliseconds(silentAfter / looksWithinSilence), clock, signal);
        if (signal.aborted || isSilent || clock.monotonic() - badgeAt < silentAfter) continue;
        isSilent = true;
        tell();
      }
    },
  };
}

const isBadge = (verdict: FrameVerdict): boolean => verdict !== 'garbage' && verdict !== 'flood';

/** Something that lasts from its first sign until there was none for a while. */
function createSpell({
  endsAfter,
  clock,
  onChange,
}: {
  readonly endsAfter: Duration;
  readonly clock: Clock;
  onChange(): void;
}) {
  let isOn = false;
  let signAt = Number.NEGATIVE_INFINITY;

  const lookForEnd = (): void => {
    const left = endsAfter - (clock.monotonic() - signAt);
    if (left > 0) return void clock.setTimeout(lookForEnd, left);
    isOn = false;
    onChange();
  };

  return {
    lasts: () => isOn,
    goesOn() {
      signAt = clock.monotonic();
      if (isOn) return;
      isOn = true;
      clock.setTimeout(lookForEnd, endsAfter);
      onChange();
    },
  };
}
