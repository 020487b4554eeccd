/**
 * Feels whether the service is there: asks for its version at the start, daily, and while it is away every few
 * seconds, so that whoever waits for it hears of its return within a minute even where nobody badges (I7). Jitter
 * keeps many terminals from knocking, and from going on, at the same moment.
 */
import type { Chance } from '../../core/chance.ts';
import type { Clock } from '../../core/clock.ts';
import { hours, milliseconds, seconds } from '../../core/duration.ts';
import type { Log } from '../../core/log.ts';
import { runPeriodically, Wake } from '../../core/periodic.ts';
import type { Service } from '../../core/service.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { Problem } from '../../domain/problem/problem.ts';
import type { Reachability } from './reachability.ts';
import type { ServerVersion } from '../resources/version.ts';

export interface Pulse extends Service {
  /** What the last call to the service found, whoever made it. */
  heard(state: Reachability): void;
  isUp(): boolean;
  /** Wall time at which it was found there, or away; `undefined` before the first call. */
  since(): number | undefined;
  version(): ServerVersion | undefined;
}

export interface PulseOptions {
  /** `GET /version`. */
  ask(options: CallOptions): Promise<ServerVersion>;
  /** The service was found there or away for the first time, went away, or came back; at once. */
  onChange(isUp: boolean): void;
  /** The service came back: what waits for it may go on; a few seconds later, by chance. */
  onBack(): void;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
}

/** Between two questions to a service that is away: 5 to 15 s. */
const lookAgain = { mean: seconds(10), spread: 0.5 };
/** Between its return and the wake-up call of those who wait: up to 5 s. */
const spread = { mean: seconds(2.5), spread: 1 };

export function createPulse({ ask, onChange, onBack, clock, chance, log }: PulseOptions): Pulse {
  const wake = new Wake();
  /** Before the first call to it nothing is known. */
  let isUp: boolean | undefined;
  let since: number | undefined;
  let isAsking = false;
  /** It did not answer the question either: it was away, and whoever waits for it wants to hear of its return. */
  let wasAway = false;
  /** Retry-After of the last answer (B.3). */
  let askedFor = milliseconds(0);
  let version: ServerVersion | undefined;
  let waking: unknown;

  const cameBack = (): void => {
    waking ??= clock.setTimeout(
      () => {
        waking = undefined;
        onBack();
      },
      chance.jitter(spread.mean, spread.spread),
    );
  };

  function found(nowUp: boolean): void {
    const wasUp = isUp;
    isUp = nowUp;
    if (wasUp === nowUp) return;
    since = clock.now();
    if (nowUp && wasAway) cameBack();
    if (nowUp) wasAway = false;
    onChange(nowUp);
  }

  async function attempt(signal: AbortSignal): Promise<void> {
    isAsking = true;
    const answer = await ask({ signal }).finally(() => {
      isAsking = false;
      wasAway ||= isUp === false;
    });
    if (answer.version !== version?.version) log.info('service version', { version: answer.version });
    version = answer;
  }

  return {
    name: 'pulse',
    isUp: () => isUp ?? true,
    since: () => since,
    version: () => version,
    heard(state) {
      askedFor = (state === 'up' ? undefined : state.retryAfter) ?? milliseconds(0);
      if (state === 'up') found(true);
      else if (isAsking || isNobodyThere(state)) {
        found(false);
        if (!isAsking && !wasAway) wake.ring();
      } else if (isUp !== false) {
        // One call failed; a service that answers the question is at work all the same.
        wake.ring();
      }
    },
    async run(signal, progress) {
      const retry = { first: lookAgain.mean, factor: 1, longest: lookAgain.mean };
      // A service that is at work and does not tell its version is not asked for it again and again.
      const onFailure = () =>
        isUp ? hours(1) : milliseconds(askedFor + chance.jitter(lookAgain.mean, lookAgain.spread));
      try {
        await runPeriodically(
          { attempt, interval: hours(24), retry, onFailure, wake },
          { clock, chance },
          signal,
          progress,
        );
      } finally {
        if (waking !== undefined) clock.clearTimeout(waking);
      }
    },
  };
}

/** Nothing could even be sent. */
const isNobodyThere = ({ code, delivery }: Problem): boolean =>
  code === 'cloud-unreachable' && delivery === 'not-sent';
