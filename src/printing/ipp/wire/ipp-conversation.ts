/**
 * How long a printer may take to answer. A sleeping printer is slow with the first answer (Canon and HP: 18 to 28 s),
 * and its network may sleep too. So the first answer gets a long limit, connecting included, and the user is told after
 * a while. Some printers break the connection that wakes them and refuse others until they are awake (HP, Epson,
 * Brother: https://github.com/home-assistant/core/issues/93006): these are tried again. After the first answer a
 * shorter limit holds, and a broken request is not repeated. The exception is the opening question for a document: if
 * it gets no answer, the printer may have fallen asleep.
 */
import type { Clock } from '../../../core/clock.ts';
import type { Duration } from '../../../core/duration.ts';
import type { WaitingOptions } from '../../../domain/ports/printing.ts';
import { isProblem } from '../../../domain/problem/problem.ts';
import { answerLimit, conversationGap, wakingKnock, wakingLimit, wakingNotice } from '../../timings.ts';

export interface Limited {
  readonly signal: AbortSignal;
  /** The time after which the signal aborts, and its start in monotonic time; for messages. */
  readonly limit: Duration;
  readonly since: number;
}

export interface Conversation {
  /**
   * `isOpening`: this may be the first request after a silence and changes nothing in the printer, so `exchange` may be
   * called more than once.
   */
  hold<Answer>(
    call: WaitingOptions & { readonly isOpening: boolean },
    exchange: (limited: Limited) => Promise<Answer>,
  ): Promise<Answer>;
}

export function conversation(clock: Clock): Conversation {
  let heardAt = Number.NEGATIVE_INFINITY;
  /** The printer broke a connection that may have woken it; the next call uses that too. */
  let rousedAt = Number.NEGATIVE_INFINITY;

  /** A printer that refuses from the first try on is switched off, so nothing is awaited. */
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
/** The printer accepts no connection, or its network is not there yet. */
const noWay: ReadonlySet<string> = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH']);

/** The printer took the question and then broke off or was silent. A printer that is switched off takes no question. */
const seemsAsleep = (fault: unknown): boolean =>
  isAnyOf(brokenOff, fault) ||
  (isProblem(fault, 'printer-unreachable') && fault.delivery === 'perhaps' && fault.reasons.length === 0);

const isAnyOf = (codes: ReadonlySet<string>, fault: unknown): boolean =>
  isProblem(fault, 'printer-unreachable') && fault.reasons.some((reason) => codes.has(reason));

/** The printer took the connection and broke it before its answer began. */
export const isBrokenOff = (fault: unknown): boolean => isAnyOf(brokenOff, fault);

/** False: the time is over. */
const hasPaused = (clock: Clock, signal: AbortSignal): Promise<boolean> =>
  clock.sleep(wakingKnock, { signal }).then(
    () => true,
    () => false,
  );

/** Disposing ends it and takes the message back. */
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
