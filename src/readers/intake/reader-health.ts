/**
 * The health of one reader: whether it is connected, its counters, and its one condition. The first that holds is
 * reported: reader gone, key stuck, flood, badge left on it, no badge for unusually long.
 */
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { milliseconds } from '../../core/duration.ts';
import type { Service } from '../../core/service.ts';
import { aborted } from '../../core/service.ts';
import type { Env } from '../../domain/env.ts';
import type { CardReaderEvents, FrameVerdict, ReaderStatus } from '../../domain/ports/readers.ts';
import type { Problem } from '../../domain/problem/problem.ts';
import type { ProblemCode } from '../../domain/problem/problem-kinds.ts';
import { floodEndsAfter, leftUntilAwayFor } from './debounce.ts';
import { rest } from './reader-link.ts';

/** The silence is checked so many times within its limit. */
const looksWithinSilence = 12;

export interface ReaderHealth extends Service, Omit<CardReaderEvents, 'onCard'> {
  status(): ReaderStatus;
  /** The reader is closed on purpose, so this is not a fault. */
  closed(): void;
}

interface HealthDeps extends Pick<Env, 'clock' | 'conditions'> {
  readonly name: string;
  readonly kind: string;
  readonly terminal: string;
  readonly silentAfter: Duration | undefined;
}

export const createReaderHealth = (deps: HealthDeps): ReaderHealth => new KnownReader(deps);

class KnownReader implements ReaderHealth {
  readonly name: string;
  readonly #deps: HealthDeps;
  readonly #flood: Spell;
  readonly #cardLeft: Spell;
  readonly #counts = { frames: 0, garbage: 0, ups: 0 };
  #state: 'up' | 'down' = 'down';
  #problem: Problem | undefined;
  #isKeyStuck = false;
  #isSilent = false;
  #badgeAt: number;

  constructor(deps: HealthDeps) {
    const { name, clock } = deps;
    const onChange = () => this.#tell();
    this.name = `health of ${name}`;
    this.#deps = deps;
    this.#flood = createSpell({ endsAfter: floodEndsAfter, clock, onChange });
    this.#cardLeft = createSpell({ endsAfter: leftUntilAwayFor, clock, onChange });
    this.#badgeAt = clock.monotonic();
  }

  status(): ReaderStatus {
    const { name, kind } = this.#deps;
    const { frames, garbage, ups } = this.#counts;
    return { name, kind, state: this.#state, frames, garbage, reconnects: Math.max(0, ups - 1) };
  }

  closed(): void {
    this.#state = 'down';
    this.#problem = undefined;
    this.#isKeyStuck = false;
    this.#tell();
  }

  onUp(): void {
    this.#state = 'up';
    this.#counts.ups += 1;
    this.#problem = undefined;
    this.#tell();
  }

  onDown(cause: Problem): void {
    this.#state = 'down';
    this.#problem = cause;
    this.#tell();
  }

  onKey(key: 'stuck' | 'free'): void {
    this.#isKeyStuck = key === 'stuck';
    this.#tell();
  }

  onFrame(verdict: FrameVerdict): void {
    this.#counts.frames += 1;
    if (verdict === 'garbage') this.#counts.garbage += 1;
    // A flood lasts as long as any frame comes.
    if (verdict === 'flood' || this.#flood.lasts()) this.#flood.goesOn();
    if (verdict === 'card-left') this.#cardLeft.goesOn();
    if (!isBadge(verdict)) return;
    this.#badgeAt = this.#deps.clock.monotonic();
    if (!this.#isSilent) return;
    this.#isSilent = false;
    this.#tell();
  }

  async run(signal: AbortSignal): Promise<void> {
    const { silentAfter, clock } = this.#deps;
    if (silentAfter === undefined) return aborted(signal);
    while (!signal.aborted) {
      await rest(milliseconds(silentAfter / looksWithinSilence), clock, signal);
      if (signal.aborted || this.#isSilent || clock.monotonic() - this.#badgeAt < silentAfter) continue;
      this.#isSilent = true;
      this.#tell();
    }
  }

  #tell(): void {
    const { name, terminal, conditions } = this.#deps;
    const problem = this.#problem;
    if (problem) this.#raise(problem.code, problem.message);
    else if (this.#isKeyStuck) this.#raise('reader-stuck-key', `a key of ${name} is stuck`);
    else if (this.#flood.lasts())
      this.#raise('reader-floods', `${name} sends more than a person can. It is ignored`);
    else if (this.#cardLeft.lasts())
      this.#raise('reader-card-left', `a card has been on ${name} for minutes. It is ignored`);
    else if (this.#isSilent) this.#raise('reader-silent', `no card was read at ${name} for a long time`);
    else conditions.clear(terminal, name);
  }

  #raise(code: ProblemCode, detail: string): void {
    const { name, terminal, conditions } = this.#deps;
    conditions.raise({ code, severity: 'warning', scope: terminal, subject: name, detail });
  }
}

const isBadge = (verdict: FrameVerdict): boolean => verdict !== 'garbage' && verdict !== 'flood';

/** A state that starts with its first sign and ends when no sign has come for a while. */
interface Spell {
  lasts(): boolean;
  goesOn(): void;
}

function createSpell({
  endsAfter,
  clock,
  onChange,
}: {
  readonly endsAfter: Duration;
  readonly clock: Clock;
  onChange(): void;
}): Spell {
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
