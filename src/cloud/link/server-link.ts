/**
 * Whether a server of the service is up: what every call to it found, whoever made it, is kept here and nowhere
 * else. A server that failed 5 times in a row is left alone for 15 s, then one call tries again (INVARIANTS.md B.3):
 * so a person hears within an instant what ten seconds of trying would tell, and a service that struggles is not
 * stormed. While it is away it is asked for its version every few seconds, so that whoever waits for it hears of its
 * return within a minute even where nobody badges (I7). A person who is signed in hears of it within 5 s. Jitter
 * keeps many terminals from knocking, and from going on, at the same moment. What counts as a failure is the
 * transport's word.
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
 * `trouble`: what keeps its API or its OAuth side from answering is another thing, or nothing any more. `up`, `down`:
 * the API was found so for the first time, came back, went away. `back`: what waits for it may go on; a few seconds
 * after its return, by chance. `slow`, `quick`: somebody is signed in, and it does not answer; it does again.
 */
export type LinkNews = 'trouble' | 'up' | 'down' | 'back' | 'slow' | 'quick';

export interface ServerLinkDeps extends Pick<Env, 'clock' | 'chance' | 'log'> {
  /** `GET /version`, as a probe. */
  ask(options: CallOptions): Promise<{ readonly version: string }>;
  onNews(news: LinkNews): void;
  /** A person is signed in, and has to hear when the service goes away. Absent: nobody is signed in. */
  isAttended?(): boolean;
  /** Absent: nobody else uses the service. */
  readonly settling?: Settling;
}

const mostFailures = 5;
const rest = seconds(15);
/** Between two questions to a service that is away: 14 to 15 s, so that everything else waits for the answer. */
const lookAgain = { mean: seconds(14.5), spread: 1 / 29 };
/** So much longer where a thousand gateways ask: still within the minute in which whoever waits has to hear of it (I7). */
const lookLonger = seconds(30);
/** So long it is silent, while somebody is signed in, before it is asked whether it is there. */
const silence = seconds(2.5);
/** So long they are not told that its answer takes its time. */
const decent = seconds(2);
/** Between its return and the wake-up call of those who wait: up to 5 s. */
const wakeUp = { mean: seconds(2.5), spread: 1 };

export class ServerLink implements Service {
  readonly name = 'pulse';
  /** Without the API nobody can be served. */
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
  /** A device token outlives the OAuth side. Enrollment spaces its calls itself, and its one recovery try must go at once (B.2 step 6). */
  readonly oauth: Gate = { pass: () => undefined, heard: (state) => this.#note('oauth', state) };

  readonly #deps: ServerLinkDeps;
  readonly #wake = new Wake();
  /** What the last call to each side found, where it failed. */
  readonly #faults = new Map<'api' | 'oauth', Problem>();
  #trouble: Problem | undefined;
  /** Of the API, in a row. */
  #failures = 0;
  #restsUntil = Number.NEGATIVE_INFINITY;
  /** Before the first call to it nothing is known. */
  #isUp: boolean | undefined;
  #since: number | undefined;
  #isAsking = false;
  /** It did not answer the question either: it was away, and whoever waits for it wants to hear of its return. */
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

  /** Up, and no failure of a moment ago speaks for trying another server first. */
  isAble(): boolean {
    return this.isUp() && !this.#isResting();
  }

  /** Wall time at which it was found there, or away; `undefined` before the first call. */
  since(): number | undefined {
    return this.#since;
  }

  version(): string | undefined {
    return this.#version;
  }

  /** Why it, or its OAuth side, does not answer: the first failure tells the cause, those after it only another path. */
  trouble(): Problem | undefined {
    return this.#trouble;
  }

  async run(signal: AbortSignal, progress?: Progress): Promise<void> {
    const { settling = settled, clock, chance } = this.#deps;
    const retry = { first: lookAgain.mean, factor: 1, longest: lookAgain.mean };
    const turn = settling.turn(hours(1));
    // A service that is at work and does not tell its version is not asked for it again and again.
    const onFailure = () =>
      this.#isUp
        ? hours(1)
        : milliseconds(
            this.#askedFor() +
              chance.jitter(lookAgain.mean, lookAgain.spread) +
              chance.jitter(milliseconds(settling.part() * lookLonger)),
          );
    // How it is, any call tells.
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
    // A badge is worth a try at any moment, and a probe is how the return is noticed.
    if (this.#failures < mostFailures || urgency !== 'background') return;
    if (this.#isResting()) {
      const cause = this.#faults.get('api');
      throw new Problem(
        'cloud-unreachable',
        `${call}: not sent, the server failed ${this.#failures} times in a row`,
        { delivery: 'not-sent', ...(cause === undefined ? {} : { cause }) },
      );
    }
    // This call goes, and the next ones wait for what becomes of it.
    this.#rest();
  }

  #count(state: Reachability, urgency: Urgency): void {
    const isProbe = urgency === 'probe';
    if (state === 'up') {
      this.#failures = 0;
      // A server may answer the question, and fail at what is wanted of it.
      if (!isProbe) this.#restsUntil = Number.NEGATIVE_INFINITY;
      return;
    }
    this.#failures += 1;
    // One that is there, and fails at nothing but the question, is tried by others all the same.
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
    else if (this.#isAsking || isNobodyThere(state)) {
      this.#found(false);
      if (!this.#isAsking && !this.#wasAway) this.#wake.ring();
    } else if (this.#isUp !== false) {
      // One call failed; a service that answers the question is at work all the same.
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

/** The server cannot be reached, or what stands before it cannot reach it. */
export const isAway = (error: unknown): boolean =>
  isProblem(error, 'cloud-unreachable') || (isProblem(error) && [502, 503, 504].includes(error.status ?? 0));

/** Nothing could even be sent. */
const isNobodyThere = ({ code, delivery }: Problem): boolean =>
  code === 'cloud-unreachable' && delivery === 'not-sent';
