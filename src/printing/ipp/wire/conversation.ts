/**
 * How long one printer may take to answer. Who sleeps takes its time for the first word (Canon and HP: 18 to 28 s), and
 * its network may sleep too: so long the first answer is waited for, connecting included, and the person is told after
 * a while. Some break the very connection that wakes them and take none until they have woken (HP, Epson, Brother:
 * https://github.com/home-assistant/core/issues/93006): they are knocked at again. Once it has spoken, it is held to the
 * shorter limit, and nothing that was broken off is asked again; but one that takes the opening question of a person's
 * document, and says nothing to it, may have fallen asleep since.
 */
import type { Clock } from '../../../core/clock.ts';
import type { Duration } from '../../../core/duration.ts';
import type { WaitingOptions } from '../../../domain/ports/printing.ts';
import { isProblem } from '../../../domain/problem/problem.ts';
import { answerLimit, conversationGap, wakingKnock, wakingLimit, wakingNotice } from '../../timings.ts';

export interface Limited {
  readonly signal: AbortSignal;
  /** What the signal keeps to where nobody ends it before, and since when, monotonic; to tell it. */
  readonly limit: Duration;
  readonly since: number;
}

export interface Conversation {
  /**
   * `isOpening`: it may be the first word after a silence, and changes nothing in the printer: `exchange` may be called
   * more than once.
   */
  hold<Answer>(
    call: WaitingOptions & { readonly isOpening: boolean },
    exchange: (limited: Limited) => Promise<Answer>,
  ): Promise<Answer>;
}

export function conversation(clock: Clock): Conversation {
  let heardAt = Number.NEGATIVE_INFINITY;
  /** It broke a connection that may have woken it, whoever's: the next one knows as well. */
  let rousedAt = Number.NEGATIVE_INFINITY;

  /** Who refuses from the first knock on is off: there nothing is waited for. */
  async function untilAwake<Answer>(
    limited: Limited,
    exchange: (limited: Limited) => Promise<Answer>,
  ): Promise<Answer> {
    const { signal } = limited;
    for (;;) {
      try {
        return await exchange(limited);
      } catch (fault) {
        const isBroken = isBrokenOff(fault);
        if (isBroken) rousedAt = clock.monotonic();
        const isWaking = clock.monotonic() - rousedAt <= wakingLimit;
        const mayWake = isBroken || (isWaking && isAnyOf(noWay, fault));
        if (!mayWake || signal.aborted || !(await hasPaused(clock, signal))) throw fault;
      }
    }
  }

  return {
    async hold({ isOpening, signal, onWait }, exchange) {
      const within = (limit: Duration): Limited => ({
        limit,
        since: clock.monotonic(),
        signal: clock.deadline(limit, signal),
      });
      const opened = async () => {
        await using _waking = onWait && tellLate(clock, onWait);
        return await untilAwake(within(wakingLimit), exchange);
      };
      const later = () =>
        exchange(within(answerLimit)).catch((fault: unknown) => {
          if (!isOpening || !onWait || signal.aborted || !seemsAsleep(fault)) throw fault;
          if (isAnyOf(brokenOff, fault)) rousedAt = clock.monotonic();
          return opened();
        });
      const isFirst = isOpening && clock.monotonic() - heardAt > conversationGap;
      const answer = await (isFirst ? opened() : later());
      heardAt = clock.monotonic();
      rousedAt = Number.NEGATIVE_INFINITY;
      return answer;
    },
  };
}

const brokenOff: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);
/** Nobody takes one, or its network is not there yet. */
const noWay: ReadonlySet<string> = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH']);

/** It took the question, and broke off or was silent: one that is off takes none. */
const seemsAsleep = (fault: unknown): boolean =>
  isAnyOf(brokenOff, fault) ||
  (isProblem(fault, 'printer-unreachable') && fault.delivery === 'perhaps' && fault.reasons.length === 0);

const isAnyOf = (codes: ReadonlySet<string>, fault: unknown): boolean =>
  isProblem(fault, 'printer-unreachable') && fault.reasons.some((reason) => codes.has(reason));

/** It took the connection, and broke it before a word of its answer. */
export const isBrokenOff = (fault: unknown): boolean => isAnyOf(brokenOff, fault);

/** False: the time is over. */
const hasPaused = (clock: Clock, signal: AbortSignal): Promise<boolean> =>
  clock.sleep(wakingKnock, { signal }).then(
    () => true,
    () => false,
  );

/** Disposing ends it, and takes back what was told. */
function tellLate(clock: Clock, onWait: NonNullable<WaitingOptions['onWait']>): AsyncDisposable {
  const over = new AbortController();
  const telling = clock.sleep(wakingNotice, { signal: over.signal }).then(
    () => {
      onWait('waking-up');
      return true;
    },
    () => false,
  );
  return {
    async [Symbol.asyncDispose]() {
      over.abort();
      if (await telling) onWait(undefined);
    },
  };
}
