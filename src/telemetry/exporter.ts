/**
 * Sends the traces of releases to a receiver of OTLP over HTTP, several together. At most a few wait. If the receiver
 * is away, traces are dropped and counted; no release is delayed.
 */
import { forEver, hours, longest, minutes, seconds } from '../core/duration.ts';
import { restOrWake, Wake } from '../core/periodic.ts';
import type { RetrySchedule } from '../core/retry-schedule.ts';
import { waitBefore } from '../core/retry-schedule.ts';
import type { Progress, Service } from '../core/service.ts';
import type { Secret } from '../core/secret.ts';
import type { Env } from '../domain/env.ts';
import type { Posting } from '../domain/ports/posting.ts';
import { asProblem } from '../domain/problem/problem.ts';
import type { Problem } from '../domain/problem/problem.ts';
import type { EndedRelease, Sender } from './spans.ts';
import { exportRequest } from './spans.ts';

export interface ExporterDeps extends Pick<Env, 'clock' | 'chance' | 'log'> {
  /** The base address; the API is below it. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, Secret>>;
  readonly sender: Sender;
  readonly posting: Posting;
}

export interface TraceExporter extends Service {
  add(release: EndedRelease): void;
  counts(): { readonly sent: number; readonly dropped: number };
}

/** Releases, of about 4 KB each. */
const mostWaiting = 256;
const mostTogether = 64;
/** Releases that end in this time are sent together. */
const gather = seconds(5);
const callLimit = seconds(10);
const retry: RetrySchedule = { first: seconds(5), factor: 2, longest: minutes(5) };
/** OTLP/HTTP, "Retryable Response Codes"; all others must not be tried again. */
const retryable: ReadonlySet<number | undefined> = new Set([undefined, 429, 502, 503, 504]);

export const createTraceExporter = (deps: ExporterDeps): TraceExporter => new Exporter(deps);

class Exporter implements TraceExporter {
  readonly name = 'traces';
  readonly #deps: ExporterDeps;
  readonly #to: URL;
  readonly #wake = new Wake();
  #waiting: EndedRelease[] = [];
  #sent = 0;
  #dropped = 0;
  #failures = 0;

  constructor(deps: ExporterDeps) {
    this.#deps = deps;
    this.#to = new URL(`${deps.url.pathname.replace(/\/$/, '')}/v1/traces`, deps.url);
  }

  add(release: EndedRelease): void {
    this.#waiting.push(release);
    // The oldest goes, because the newest show the present state.
    if (this.#waiting.length > mostWaiting) {
      this.#waiting.shift();
      this.#dropped += 1;
    }
    this.#wake.ring();
  }

  counts() {
    return { sent: this.#sent, dropped: this.#dropped };
  }

  async run(signal: AbortSignal, progress?: Progress): Promise<void> {
    const { clock } = this.#deps;
    while (!signal.aborted) {
      progress?.(forEver);
      this.#wake.answered();
      if (this.#waiting.length === 0) await restOrWake(hours(1), { clock, wake: this.#wake }, signal);
      else {
        await restOrWake(gather, { clock, wake: undefined }, signal);
        await this.#send(signal);
      }
    }
  }

  async #send(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { headers, sender, posting, clock, log } = this.#deps;
    const batch = this.#waiting.splice(0, mostTogether);
    const letter = {
      url: this.#to,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.reveal()])),
      body: Buffer.from(JSON.stringify(exportRequest(batch, sender))),
    };
    try {
      await posting.post(letter, { signal: clock.deadline(callLimit, signal) });
    } catch (error) {
      if (signal.aborted) return;
      const problem = asProblem(error, 'internal', 'the traces could not be sent');
      this.#failures += 1;
      if (this.#failures === 1) log.warn('traces not sent', { error: problem });
      if (retryable.has(problem.status)) this.#putBack(batch);
      else this.#dropped += batch.length;
      return this.#rest(problem, signal);
    }
    this.#sent += batch.length;
    if (this.#failures > 0) log.info('traces sent again');
    this.#failures = 0;
  }

  #putBack(batch: readonly EndedRelease[]): void {
    const all = [...batch, ...this.#waiting];
    this.#waiting = all.slice(-mostWaiting);
    this.#dropped += all.length - this.#waiting.length;
  }

  #rest(problem: Problem, signal: AbortSignal): Promise<void> {
    const { clock, chance } = this.#deps;
    const planned = chance.jitter(waitBefore(this.#failures, retry));
    const wait = longest(planned, problem.retryAfter ?? planned);
    return restOrWake(wait, { clock, wake: undefined }, signal);
  }
}
