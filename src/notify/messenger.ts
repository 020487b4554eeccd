/**
 * Sends messages to one receiver. Changes within the group's span are one message, there is a limit for each hour, and
 * a message that was not taken is tried again. A slow receiver delays neither the agent nor other receivers.
 */
import { isoInstant } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { hours, longest, milliseconds, seconds, shortest } from '../core/duration.ts';
import { restOrWake, Wake } from '../core/periodic.ts';
import { waitBefore } from '../core/retry-schedule.ts';
import type { Progress, Service } from '../core/service.ts';
import type { Env } from '../domain/env.ts';
import { asProblem } from '../domain/problem/problem.ts';
import type { Account } from './account.ts';
import type { Changes, Message, Teller } from './message.ts';
import { isNothing, keyOf } from './message.ts';
import { callLimit, noteReach, retry } from './way.ts';
import type { MessageWay } from './way.ts';

export interface MessengerDeps extends Env {
  readonly way: MessageWay;
  readonly account: Account;
  readonly from: Teller;
  readonly group: Duration;
  readonly mostPerHour: number;
}

const longestSleep = hours(1);

export class Messenger implements Service {
  readonly name: string;
  readonly #deps: MessengerDeps;
  readonly #wake = new Wake();
  /** Monotonic milliseconds; `undefined`: nothing is to be told. */
  #groupEnds: number | undefined;
  /** The messages of the last hour, in monotonic milliseconds. */
  #sentAt: number[] = [];
  #held: { readonly messages: number; readonly last: string } | undefined;
  /** Not taken yet: a retry with the same changes keeps its id. */
  #tried: { readonly changes: string; readonly message: Message } | undefined;
  #failures = 0;

  constructor(deps: MessengerDeps) {
    this.name = `notify ${deps.way.name}`;
    this.#deps = deps;
  }

  /** Called when there may be something to tell. */
  look(): void {
    this.#wake.ring();
  }

  async run(signal: AbortSignal, progress?: Progress): Promise<void> {
    const { clock, way, conditions } = this.#deps;
    try {
      while (!signal.aborted) {
        this.#wake.answered();
        progress?.(seconds(2 * 60));
        const wait = await this.#round(signal);
        progress?.(milliseconds(wait + seconds(60)));
        // A change in the meantime must not shorten the wait for a receiver that failed.
        const wake = this.#failures > 0 ? undefined : this.#wake;
        await restOrWake(wait, { clock, wake }, signal);
      }
    } finally {
      noteReach({ way, conditions }, undefined);
    }
  }

  /** Gives the time until the next round. */
  async #round(signal: AbortSignal): Promise<Duration> {
    const { account, clock, group } = this.#deps;
    const changes = account.changes();
    if (isNothing(changes) && this.#held === undefined) this.#forgetFailure();
    const now = clock.monotonic();
    const limited = this.#limitedFor(now);
    const isNews = !isNothing(changes) && (limited === undefined || this.#held?.last !== printOf(changes));
    if (isNews) this.#groupEnds ??= now + group;
    else this.#groupEnds = undefined;
    const grouping = this.#groupEnds === undefined ? undefined : milliseconds(this.#groupEnds - now);
    if (limited === undefined && this.#held !== undefined) return this.#send(changes, signal);
    if (grouping === undefined) return this.#idle(limited);
    if (grouping > 0) return shortest(grouping, limited ?? grouping);
    if (limited === undefined) return this.#send(changes, signal);
    this.#held = { messages: (this.#held?.messages ?? 0) + 1, last: printOf(changes) };
    this.#groupEnds = undefined;
    return limited;
  }

  /** The conditions of the failed message are over, and no message tests the receiver any more. */
  #forgetFailure(): void {
    if (this.#failures > 0) noteReach(this.#deps, undefined);
    this.#failures = 0;
  }

  #idle(limited: Duration | undefined): Duration {
    const { account } = this.#deps;
    const wait = limited ?? account.untilRepeat() ?? longestSleep;
    return longest(shortest(wait, longestSleep), seconds(1));
  }

  /** `undefined`: another message may go. */
  #limitedFor(now: number): Duration | undefined {
    this.#sentAt = this.#sentAt.filter((at) => now - at < hours(1));
    const [oldest] = this.#sentAt;
    if (oldest === undefined || this.#sentAt.length < this.#deps.mostPerHour) return undefined;
    return milliseconds(oldest + hours(1) - now);
  }

  async #send(changes: Changes, signal: AbortSignal): Promise<Duration> {
    const { way, account, conditions, clock, chance, log } = this.#deps;
    const message = this.#messageOf(changes);
    try {
      await way.tell(message, { signal: clock.deadline(callLimit, signal) });
    } catch (error) {
      if (signal.aborted) return seconds(1);
      const problem = asProblem(error, 'notify-unreachable', 'the message was not taken');
      this.#failures += 1;
      if (this.#failures === 1) log.warn('notification failed', { way: way.name, error: problem });
      noteReach({ way, conditions }, problem);
      const planned = chance.jitter(waitBefore(this.#failures, retry));
      return longest(planned, problem.retryAfter ?? planned);
    }
    this.#sentAt.push(clock.monotonic());
    account.sent(changes);
    const { came, lasting, went, heldBack } = message;
    const counts = { came: came.length, lasting: lasting.length, went: went.length, heldBack };
    log.info('notification sent', { way: way.name, ...counts });
    this.#groupEnds = undefined;
    this.#held = undefined;
    this.#tried = undefined;
    this.#failures = 0;
    noteReach({ way, conditions }, undefined);
    return seconds(1);
  }

  #messageOf(changes: Changes): Message {
    const { from, clock, chance } = this.#deps;
    const print = printOf(changes);
    if (this.#tried?.changes !== print) {
      const id = `msg_${chance.bytes(16).toString('hex')}`;
      const at = isoInstant(clock.now());
      this.#tried = {
        changes: print,
        message: { ...changes, id, at, from, heldBack: this.#held?.messages ?? 0 },
      };
    }
    return this.#tried.message;
  }
}

const printOf = ({ came, lasting, went }: Changes): string =>
  JSON.stringify([came, lasting, went].map((notices) => notices.map((one) => [keyOf(one), one.severity])));
