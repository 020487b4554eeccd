import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { minutes, seconds } from '../../src/core/duration.ts';
import { Secret } from '../../src/core/secret.ts';
import { CardNumber } from '../../src/domain/card/card-number.ts';
import type { LockOut, Verdict } from '../../src/domain/lock-out.ts';
import { createLockOut } from '../../src/domain/lock-out.ts';
import type { Credentials } from '../../src/domain/user.ts';

const key = Buffer.alloc(32, 7);
const by = (userName: string): Credentials => ({ kind: 'password', userName, password: new Secret('no') });
const bareCard: Credentials = { kind: 'card', card: new CardNumber('04A1') };
const cardWithPin: Credentials = { ...bareCard, password: new Secret('1234') };

interface Try {
  readonly credentials?: Credentials;
  readonly at?: string;
  readonly verdict?: Verdict;
  readonly takes?: number;
}

/** Tries at once, at terminal `at`; says what came of it. */
function attempt(
  lockOut: LockOut,
  now: number,
  { credentials = by('alice'), at = 'lobby', verdict = 'refused', takes = 0 }: Try = {},
) {
  const trial = lockOut.begin({ terminal: at, credentials }, now);
  if (trial.lockedBy) return trial.lockedBy;
  trial.end(verdict, now + takes);
  return verdict;
}

const times = <T>(count: number, once: () => T): T[] => Array.from({ length: count }, once);

describe('the lock-out (T09)', () => {
  it('lets five refusals of an identity through, then none for ten minutes, at any terminal', () => {
    const lockOut = createLockOut({ key });
    expect(times(6, () => attempt(lockOut, 0)).at(-1)).toBe('identity');
    expect(attempt(lockOut, minutes(10) - 1, { at: 'stairs', verdict: 'accepted' })).toBe('identity');
    expect(attempt(lockOut, minutes(10), { at: 'stairs' })).toBe('refused');
  });

  it('makes the pause longer each time, up to an hour', () => {
    const lockOut = createLockOut({ key });
    let now = 0;
    const pauses = times(5, () => {
      const since = now;
      times(5, () => attempt(lockOut, now));
      while (attempt(lockOut, now, { verdict: 'unknown' }) === 'identity') now += minutes(5);
      return now - since;
    });
    expect(pauses).toEqual([10, 20, 40, 60, 60].map(minutes));
  });

  it('is as new for an identity after a success', () => {
    const lockOut = createLockOut({ key });
    times(4, () => attempt(lockOut, 0));
    attempt(lockOut, 0, { verdict: 'accepted' });
    expect(times(5, () => attempt(lockOut, 0))).not.toContain('identity');
  });

  const unseen = [
    'al\ufe0fice',
    'al\u{e0101}ice',
    'al\u180bice',
    'al\u034fice',
    'al\u3164ice',
    'al\u115fice',
    'al\u1806ice',
    'al\ufffcice',
    'al\u00adice',
    'al\u2060ice',
    'al\u{e0061}ice',
    'al\u0007ice',
    'al\u20ddice',
    'al\u1ab0ice',
  ];
  it.each(['ALICE', ' alice ', 'ａｌｉｃｅ', 'álïcé', 'al\u200dice', 'alıce', 'al ice', ...unseen])(
    'takes %j for alice',
    (spelling) => {
      const lockOut = createLockOut({ key });
      times(5, () => attempt(lockOut, 0));
      expect(attempt(lockOut, 0, { credentials: by(spelling) })).toBe('identity');
    },
  );

  it('counts what was given up before its answer as refused, and knows nothing of its time', () => {
    const lockOut = createLockOut({ key });
    const giveUp = () => attempt(lockOut, 0, { verdict: 'given-up', takes: 50 });
    expect(times(6, giveUp).at(-1)).toBe('identity');
    expect(lockOut.refusalTakes('password')).toBe(0);
  });

  it('pauses a terminal for a minute after twenty refusals in a minute, whoever tries', () => {
    const lockOut = createLockOut({ key });
    for (let at = 0; at < 20; at += 1) attempt(lockOut, at, { credentials: by(`user ${at}`) });
    expect(attempt(lockOut, 20, { credentials: by('somebody') })).toBe('terminal');
    expect(attempt(lockOut, 20, { credentials: by('somebody'), at: 'stairs' })).toBe('refused');
    expect(lockOut.terminalPause('lobby', 20)).toBe(seconds(60) - 1);
    expect(attempt(lockOut, 19 + seconds(60), { credentials: by('somebody') })).toBe('refused');
    expect(lockOut.terminalPause('lobby', 19 + seconds(60))).toBeUndefined();
  });

  it('counts a bare badge for the terminal only, and a badge with a PIN as an identity', () => {
    const lockOut = createLockOut({ key });
    expect(times(6, () => attempt(lockOut, 0, { credentials: bareCard }))).not.toContain('identity');
    expect(lockOut.size()).toBe(0);
    expect(times(6, () => attempt(lockOut, 0, { credentials: cardWithPin })).at(-1)).toBe('identity');
  });

  it('counts what is under way, so that no crowd of terminals gets more tries', () => {
    const lockOut = createLockOut({ key });
    const open = times(5, () => lockOut.begin({ terminal: 'lobby', credentials: by('alice') }, 0));
    expect(attempt(lockOut, 0, { at: 'stairs' })).toBe('identity');
    for (const trial of open) if (!trial.lockedBy) trial.end('unknown', 1);
    expect(attempt(lockOut, 1, { at: 'stairs' })).toBe('refused');
  });

  it('knows how long a refusal takes: the middle one of the last five by the same way', () => {
    const lockOut = createLockOut({ key });
    for (const takes of [900, 300, 310, 9000, 290])
      attempt(lockOut, 0, { credentials: cardWithPin, at: 'stairs', takes });
    const locked = lockOut.begin({ terminal: 'lobby', credentials: cardWithPin }, seconds(10));
    expect(locked).toEqual({ lockedBy: 'identity', refusalTakes: 310 });
    expect(lockOut.refusalTakes('password')).toBe(310);
  });

  it('remembers a bounded number of identities', () => {
    const lockOut = createLockOut({ key });
    for (let at = 0; at < 10_050; at += 1) attempt(lockOut, at, { credentials: by(`${at}`), at: `${at}` });
    expect(lockOut.size()).toBe(10_000);
  });
});

describe('in any order of attempts (T09)', () => {
  const step = fc.record({
    wait: fc.oneof(fc.constant(0), fc.nat(seconds(20)), fc.nat(minutes(15))),
    who: fc.constantFrom(...'abcdefgh'),
    at: fc.constantFrom('lobby', 'stairs'),
    verdict: fc.constantFrom<Verdict>('refused', 'refused', 'refused', 'accepted', 'unknown'),
    takes: fc.nat(300),
  });
  interface Told {
    readonly who: string;
    readonly at: string;
    readonly now: number;
    readonly result: Verdict | 'identity' | 'terminal';
  }

  function play(steps: readonly (typeof step extends fc.Arbitrary<infer One> ? One : never)[]): Told[] {
    const lockOut = createLockOut({ key });
    let now = 0;
    return steps.map(({ wait, who, at, verdict, takes }) => {
      now += wait;
      const result = attempt(lockOut, now, { credentials: by(who), at, verdict, takes });
      if (result === verdict) now += takes;
      return { who, at, now, result };
    });
  }

  /** When this person was refused since the last success, or this terminal at all. */
  function refusalsBefore(reported: readonly Told[], index: number, same: 'who' | 'at'): number[] {
    const past = reported.slice(0, index).filter((one) => one[same] === reported[index]?.[same]);
    const since = same === 'who' ? past.findLastIndex(({ result }) => result === 'accepted') + 1 : 0;
    return past.slice(since).flatMap(({ now, result }) => (result === 'refused' ? [now] : []));
  }

  it('five refusals in ten minutes are the most of one person, twenty in one of a terminal, and nobody else waits', () => {
    const judge = (reported: readonly Told[]) =>
      reported.every(({ now, result }, index) => {
        const own = refusalsBefore(reported, index, 'who');
        const here = refusalsBefore(reported, index, 'at');
        const within = (refusals: number[], span: number) => refusals.filter((at) => at > now - span).length;
        if (result === 'refused') return within(own, minutes(10)) < 5 && within(here, minutes(1)) < 20;
        if (result === 'identity') return own.length >= 5 && now - (own.at(-1) ?? 0) < minutes(60);
        return result !== 'terminal' || within(here, minutes(2)) >= 20;
      });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => judge(play(steps))),
      { numRuns: 2_500 },
    );
  });

  it('a fault of the service changes nothing for anybody', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const still = steps.map((one) => ({ ...one, takes: 0 }));
        const judged: typeof still = [];
        let carried = 0;
        for (const one of still) {
          if (one.verdict === 'unknown') carried += one.wait;
          else {
            judged.push({ ...one, wait: one.wait + carried });
            carried = 0;
          }
        }
        const isJudged = (_: Told, index: number) => still[index]?.verdict !== 'unknown';
        expect(play(still).filter(isJudged)).toEqual(play(judged));
      }),
      { numRuns: 1_000 },
    );
  });
});
