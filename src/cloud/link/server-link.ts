/**
 * Whether a server of the service is up, by the results of all calls to it, which are kept only here. The transport
 * decides which results are failures.
 */
import { hours, milliseconds, seconds } from '../../core/duration.ts';
import { runPeriodically, Wake } from '../../core/periodic.ts';
import type { Progress, Service } from '../../core/service.ts';
import type { Env } from '../../domain/env.ts';
import type { Settling } from '../../domain/settling.ts';
import { settled } from '../../domain/settling.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import { isProblem, Problem } from '../../domain/problem/problem.ts';
import type { Gate, Reachability } from '../http/gate.ts';
import type { Urgency } from '../http/limiter.ts';

/**
 * `trouble`: the reason why its API or its OAuth side does not answer has changed, or is gone. `up`, `down`: the API
 * was found so for the first time, came back, went away. `back`: waiting work may go on; it comes some seconds after
 * the return, at random. `slow`, `quick`: while a user is signed in, it does not answer, or answers again.
 */
export type LinkNews = 'trouble' | 'up' | 'down' | 'back' | 'slow' | 'quick';

export interface ServerLinkDeps extends Pick<Env, 'clock' | 'chance' | 'log'> {
  /** `GET /version`, as a probe. */
  ask(options: CallOptions): Promise<{ readonly version: string }>;
  onNews(news: LinkNews): void;
  /** A person is signed in, and has to hear when the service goes away. Absent: no person is ever signed in. */
  isAttended?(): boolean;
  /** Absent: no other gateway uses the service. */
  readonly settling?: Settling;
}

const mostFailures = 5;
const rest = seconds(15);
/** Between two questions to a service that is away: 14 to 15 s, so that everything else waits for the answer. */
const lookAgain = { mean: seconds(14.5), spread: 1 / 29 };
/** Added if a thousand gateways ask: its return is still known within the minute of I7. */
const lookLonger = seconds(30);
/** If the service is silent for so long while a user is signed in, it is asked. */
const silence = seconds(2.5);
/** The user is told of a slow answer only after this time. */
const decent = seconds(2);
/** Between its return and the wake-up of waiting work: up to 5 s. */
const wakeUp = { mean: seconds(2.5), spread: 1 };

/**
 * A server that failed 5 times in a row is left alone for 15 s, then one call tries again (INVARIANTS.md B.3). So a
 * person hears at once a result that ten seconds of trying would give, and a struggling service is not flooded.
 * While it is away it is asked for its version about every 15 s. So its return is known within a minute even without
 * badges (I7). A person who is signed in hears of an outage within 5 s. Jitter keeps many terminals from asking, and
 * from going on, at the same moment.
 */
export class ServerLink implements Service {
  readonly name = 'pulse';
  /** Without the API no user can be served. */
  readonly api: Gate = {
    pass: (call, urgency) => this.#pass(call, urgency),
    heard: (state, urgency) => {
      this.#isSilent(false);
      this.#attend();
      this.#count(state, urgency);
      this.#note('api', state);
      this.#judge(state);
    },
  };
  /**
   * A device token outlives an outage of the OAuth side. Enrollment spaces its calls itself, and its one recovery try
   * must go at once (B.2 step 6).
   */
  readonly oauth: Gate = { pass: () => undefined, heard: (state) => this.#note('oauth', state) };

  readonly #deps: ServerLinkDeps;
  readonly #wake = new Wake();
  readonly #faults = new Map<'api' | 'oauth', Problem>();
  #trouble: Problem | undefined;
  /** Failures of the API, in a row. */
  #failures = 0;
  #restsUntil = Number.NEGATIVE_INFINITY;
  /** Unknown before the first call. */
  #isUp: boolean | undefined;
  #since: number | undefined;
  #isAsking = false;
  /** It did not answer the question either, so it was away, and its return has to be told. */
  #wasAway = false;
  #version: string | undefined;
  #waking: unknown;
  #isSlow = false;
  #pulse: unknown;

  constructor(deps: ServerLinkDeps) {
    this.#deps = deps;
  }

  isUp(): boolean {
    return this.#isUp ?? true;
  }

  /** A person is signed in, and the service does not answer. It may be slow, or away. */
  isSlow(): boolean {
    return this.#isSlow;
  }

  /** Up, and without a failure a moment ago that would make another server the better first try. */
  isAble(): boolean {
    return this.isUp() && !this.#isResting();
  }

  /** Wall time of the last change of `isUp`; `undefined` before the first call. */
  since(): number | undefined {
    return this.#since;
  }

  version(): string | undefined {
    return this.#version;
  }

  /**
   * Why it, or its OAuth side, does not answer. The first failure shows the cause; later ones only show another path.
   */
  trouble(): Problem | undefined {
    return this.#trouble;
  }

  async run(signal: AbortSignal, progress?: Progress): Promise<void> {
    const { settling = settled, clock, chance } = this.#deps;
    const retry = { first: lookAgain.mean, factor: 1, longest: lookAgain.mean };
    const turn = settling.turn(hours(1));
    // A service that works but does not tell its version is not asked again and again.
    const onFailure = () =>
      this.#isUp
        ? hours(1)
        : milliseconds(
            this.#askedFor() +
              chance.jitter(lookAgain.mean, lookAgain.spread) +
              chance.jitter(milliseconds(settling.part() * lookLonger)),
          );
    // Any other call shows the state, too, so this question can wait for its turn.
    const untilTurn = () =>
      this.#isUp === false || this.#failures > 0 || this.#isAttended() ? milliseconds(0) : turn.left();
    try {
      await runPeriodically(
        {
          attempt: (end) => this.#ask(end),
          interval: hours(24),
          retry,
          onFailure,
          wake: this.#wake,
          untilTurn,
        },
        { clock, chance },
        signal,
        progress,
      );
    } finally {
      for (const timer of [this.#waking, this.#pulse]) if (timer !== undefined) clock.clearTimeout(timer);
    }
  }

  async #ask(signal: AbortSignal): Promise<void> {
    const { ask, clock, log } = this.#deps;
    this.#isAsking = true;
    const tellSlow = this.#isAttended() ? clock.setTimeout(() => this.#isSilent(true), decent) : undefined;
    const { version } = await ask({ signal }).finally(() => {
      this.#isAsking = false;
      if (tellSlow !== undefined) clock.clearTimeout(tellSlow);
      this.#wasAway ||= this.#isUp === false;
    });
    if (version !== this.#version) log.info('service version', { version });
    this.#version = version;
  }

  readonly #isAttended = (): boolean => this.#deps.isAttended?.() ?? false;

  /** Asks the service when it was silent for a while. A service that is away is asked without this. */
  #attend(): void {
    const { clock } = this.#deps;
    if (this.#pulse !== undefined) clock.clearTimeout(this.#pulse);
    this.#pulse = this.#isAttended()
      ? clock.setTimeout(() => this.#isUp && this.#isAttended() && this.#wake.ring(), silence)
      : undefined;
  }

  #isSilent(isSlow: boolean): void {
    if (this.#isSlow === isSlow) return;
    this.#isSlow = isSlow;
    this.#deps.onNews(isSlow ? 'slow' : 'quick');
  }

  #pass(call: string, urgency: Urgency): void {
    // For a badge a try is always worth it, and a probe notices the return.
    if (this.#failures < mostFailures || urgency !== 'background') return;
    if (this.#isResting()) {
      const cause = this.#faults.get('api');
      throw new Problem(
        'cloud-unreachable',
        `${call}: not sent, the server failed ${this.#failures} times in a row`,
        { delivery: 'not-sent', ...(cause === undefined ? {} : { cause }) },
      );
    }
    // This call goes, and the next ones wait for its result.
    this.#rest();
  }

  #count(state: Reachability, urgency: Urgency): void {
    const isProbe = urgency === 'probe';
    if (state === 'up') {
      this.#failures = 0;
      // A server may answer the probe, and fail at the real calls.
      if (!isProbe) this.#restsUntil = Number.NEGATIVE_INFINITY;
      return;
    }
    this.#failures += 1;
    // If the server is there and only the probe fails, other calls still try it.
    if (isAway(state) || (!isProbe && this.#failures >= mostFailures)) this.#rest();
  }

  #note(side: 'api' | 'oauth', state: Reachability): void {
    if (state === 'up') this.#faults.delete(side);
    else this.#faults.set(side, state);
    const [first] = this.#faults.values();
    if (first?.code === this.#trouble?.code) return;
    this.#trouble = first;
    this.#deps.onNews('trouble');
  }

  #judge(state: Reachability): void {
    if (state === 'up') this.#found(true);
    else if (this.#isAsking || isUnreachable(state)) {
      this.#found(false);
      if (!this.#isAsking && !this.#wasAway) this.#wake.ring();
    } else if (this.#isUp !== false) {
      // One call failed; a service that answers the probe still works.
      this.#wake.ring();
    }
  }

  #found(isUp: boolean): void {
    if (this.#isUp === isUp) return;
    this.#isUp = isUp;
    this.#since = this.#deps.clock.now();
    if (isUp && this.#wasAway) this.#cameBack();
    if (isUp) this.#wasAway = false;
    this.#deps.onNews(isUp ? 'up' : 'down');
  }

  #cameBack(): void {
    const { clock, chance, onNews } = this.#deps;
    this.#waking ??= clock.setTimeout(
      () => {
        this.#waking = undefined;
        onNews('back');
      },
      chance.jitter(wakeUp.mean, wakeUp.spread),
    );
  }

  #isResting(): boolean {
    return this.#deps.clock.monotonic() < this.#restsUntil;
  }

  #rest(): void {
    this.#restsUntil = this.#deps.clock.monotonic() + rest;
  }

  /** Retry-After of the last answer (B.3). */
  #askedFor(): number {
    return this.#faults.get('api')?.retryAfter ?? 0;
  }
}

/** The server cannot be reached, or a proxy before it cannot reach it. */
export const isAway = (error: unknown): boolean =>
  isProblem(error, 'cloud-unreachable') || (isProblem(error) && [502, 503, 504].includes(error.status ?? 0));

const isUnreachable = ({ code, delivery }: Problem): boolean =>
  code === 'cloud-unreachable' && delivery === 'not-sent';
