/**
 * Lets guests in for some hours, and ends each in time by deleting its user. Only this gateway's agent does that. So it
 * writes down a guest before it asks the service for anything, and a crash or a lost answer leaves no guest behind.
 */
import type { Duration } from '../core/duration.ts';
import { hours, longest, milliseconds, minutes, seconds, shortest } from '../core/duration.ts';
import { runPeriodically, Wake } from '../core/periodic.ts';
import type { Secret } from '../core/secret.ts';
import type { Progress, Service } from '../core/service.ts';
import type { Env } from '../domain/env.ts';
import { drawnShortId } from '../domain/login.ts';
import type { Guest, GuestBook, GuestCall, GuestService } from '../domain/ports/guests.ts';
import type { Logins } from '../domain/ports/service.ts';
import { asProblem, isProblem, Problem } from '../domain/problem/problem.ts';
import type { UserToken } from '../domain/user.ts';
import { guestName } from './draw.ts';

export interface GuestWish {
  readonly hours: number;
  readonly pages?: number | undefined;
  readonly group?: string | undefined;
}

/** Printed on the slip once. Afterwards the short id is not known anywhere. */
export interface NewGuest {
  readonly userName: string;
  readonly shortId: Secret;
  readonly endsAt: number;
}

export interface GuestDeskDeps extends Env {
  /** The account used at the service; `undefined`: no guests are set up here. */
  account(): { readonly user: string; readonly password: Secret } | undefined;
  readonly logins: Pick<Logins, 'login'>;
  service(token: UserToken): GuestService;
  readonly book: GuestBook;
}

interface Asked {
  readonly service: GuestService;
  readonly call: GuestCall;
}

/** A reception never has more guests at a time; more are a mistake or an attack. */
const mostGuests = 200;
export const longestStay = hours(168);
const betweenLooks = minutes(1);
/** A person is waiting at the reception. */
const patience = seconds(45);
const retry = { first: seconds(30), factor: 2, longest: minutes(15) } as const;
const spot = { scope: 'agent', subject: 'guests' } as const;
const lost = { scope: 'agent', subject: 'list of guests' } as const;

export class GuestDesk implements Service {
  readonly name = 'guests';
  readonly #deps: GuestDeskDeps;
  readonly #wake = new Wake();
  /** By user name: the end of the stay in monotonic milliseconds. */
  readonly #ends = new Map<string, number>();
  /** The guests whose creation is under way at the service. */
  readonly #coming = new Set<string>();

  constructor(deps: GuestDeskDeps) {
    const { book, conditions, clock } = deps;
    this.#deps = deps;
    for (const { userName, endsAt } of book.all()) {
      this.#endsIn(userName, milliseconds(endsAt - clock.now()));
    }
    if (!book.isLost) return;
    const detail =
      'a list of guests could not be read; delete the users called guest-… in the service whose time is over, ' +
      'then: platen guest end all';
    conditions.raise({ code: 'guest-not-ended', severity: 'warning', ...lost, detail });
  }

  list(): readonly Guest[] {
    return this.#deps.book.all().filter(({ isMade }) => isMade);
  }

  async make(wish: GuestWish, by?: number): Promise<NewGuest> {
    const { book, clock, chance, log } = this.#deps;
    if (book.all().length >= mostGuests) {
      throw new Problem(
        'guest-refused',
        `There are already ${mostGuests} guests. More guests at the same time are not possible`,
      );
    }
    const call = await this.#callAs(clock.deadline(patience));
    const service = this.#deps.service(call.token);
    const [userName, shortId] = [guestName(chance), drawnShortId(chance)];
    const plan = await service.plan({ ...wish, userName }, call);
    const stay = hours(wish.hours);
    const { providerId } = plan;
    const guest = { userName, providerId, endsAt: clock.now() + stay, pages: wish.pages, isMade: false };
    this.#coming.add(userName);
    try {
      book.keep([...book.all(), guest]);
      await service.make({ userName, shortId }, plan, call);
      book.keep(book.all().map((one) => (one === guest ? { ...guest, isMade: true } : one)));
      this.#endsIn(userName, stay);
      log.info('guest let in', { guest: userName, hours: wish.hours, pages: wish.pages, by });
      return { userName, shortId, endsAt: guest.endsAt };
    } catch (error) {
      // The record stays with `isMade: false`, so this guest counts as over. If a part of it exists in the service,
      // that is removed.
      log.warn('guest not let in', { guest: userName, error: problemOf(error) });
      throw error;
    } finally {
      this.#coming.delete(userName);
      this.#wake.ring();
    }
  }

  /** Ends one guest, or all of them. Gives the names that the service does not know any more. */
  async end(which: string, by?: number): Promise<readonly string[]> {
    const { book, clock, log } = this.#deps;
    const meant = this.list().filter(({ userName }) => which === 'all' || userName === which);
    if (meant.length === 0 && which !== 'all') {
      throw new Problem('guest-refused', 'There is no such guest', {
        advice: 'platen guest list shows all guests.',
      });
    }
    const now = clock.now();
    // Kept first: the guest goes even if the service cannot be asked now.
    book.keep(book.all().map((one) => (meant.includes(one) ? { ...one, endsAt: now } : one)));
    const names = meant.map(({ userName }) => userName);
    log.info('guests sent away', { guests: names, by });
    try {
      await this.#endThoseOver(clock.deadline(patience));
    } catch (error) {
      const left = names.filter((name) => book.all().some(({ userName }) => userName === name));
      // The error was about another guest, who is not meant here.
      if (left.length === 0) return names;
      const { message } = problemOf(error);
      throw new Problem('guest-not-ended', `Not ended yet: ${left.join(', ')}. ${message}`, { cause: error });
    } finally {
      this.#wake.ring();
    }
    if (which === 'all') this.#closeLost();
    return names;
  }

  run(signal: AbortSignal, progress?: Progress): Promise<void> {
    const { clock, chance, log } = this.#deps;
    return runPeriodically(
      {
        attempt: (ending) => this.#endThoseOver(ending),
        interval: seconds(1),
        retry,
        wake: this.#wake,
        untilTurn: () => this.#untilNext(),
        onFailure(error) {
          log.warn('guests not ended', { error: problemOf(error) });
          return undefined;
        },
      },
      { clock, chance },
      signal,
      progress,
    );
  }

  #closeLost(): void {
    const { book, conditions } = this.#deps;
    if (!book.isLost) return;
    book.closeLost();
    conditions.clear(lost.scope, lost.subject);
  }

  #endsIn(userName: string, span: Duration): void {
    const left = shortest(longest(span, seconds(0)), longestStay);
    this.#ends.set(userName, this.#deps.clock.monotonic() + left);
  }

  /**
   * The rest of the guest's stay; 0 once it is over. The shorter rest counts, by the running machine's time or by the
   * wall clock: a clock that is set back keeps no guest (INVARIANTS.md D14).
   */
  #left({ userName, endsAt, isMade }: Guest): Duration {
    if (this.#coming.has(userName)) return longestStay;
    if (!isMade) return seconds(0);
    const { clock } = this.#deps;
    const end = this.#ends.get(userName) ?? 0;
    const left = shortest(milliseconds(endsAt - clock.now()), milliseconds(end - clock.monotonic()));
    return longest(left, seconds(0));
  }

  /** The wall clock may jump, and it goes on while the computer is suspended. So it is read again every minute. */
  #untilNext(): Duration {
    const all = this.#deps.book.all();
    const longestWait = all.length === 0 ? longestStay : betweenLooks;
    return shortest(longestWait, ...all.map((guest) => this.#left(guest)));
  }

  async #endThoseOver(signal: AbortSignal): Promise<void> {
    const { book, conditions } = this.#deps;
    const over = book.all().filter((guest) => this.#left(guest) === 0);
    if (over.length === 0) return;
    try {
      const call = await this.#callAs(signal);
      const service = this.#deps.service(call.token);
      await this.#removeEach(over, { service, call });
    } catch (error) {
      if (!signal.aborted) this.#tellLeft(error);
      throw error;
    }
    conditions.clear(spot.scope, spot.subject);
  }

  /** If the service refuses to delete a guest, the others are still removed. Then it rejects with the last refusal. */
  async #removeEach(guests: readonly Guest[], asked: Asked): Promise<void> {
    const refusals: unknown[] = [];
    for (const guest of guests) {
      try {
        await this.#remove(guest, asked);
      } catch (error) {
        if (asked.call.signal.aborted || isProblem(error, 'cloud-unreachable')) throw error;
        refusals.push(error);
      }
    }
    if (refusals.length > 0) throw refusals.at(-1);
  }

  async #remove(guest: Guest, { service, call }: Asked): Promise<void> {
    const { book, log } = this.#deps;
    const { userName } = guest;
    await service.remove(guest, call);
    // Another call may have ended the guest in the meantime.
    if (!book.all().some((one) => one.userName === userName)) return;
    book.keep(book.all().filter((one) => one.userName !== userName));
    this.#ends.delete(userName);
    log.info('guest ended', { guest: userName });
  }

  #tellLeft(error: unknown): void {
    const { book, conditions } = this.#deps;
    const names = book.all().flatMap((one) => (this.#left(one) === 0 ? [one.userName] : []));
    const { message } = problemOf(error);
    const detail = `guests in the service whose time is over: ${names.length} (${message})`;
    conditions.raise({ code: 'guest-not-ended', severity: 'warning', ...spot, detail });
  }

  async #callAs(signal: AbortSignal): Promise<GuestCall> {
    const { account, logins } = this.#deps;
    const known = account();
    if (!known) {
      const advice =
        'Set guests.user and guests.password in the configuration, then: systemctl reload platen.';
      throw new Problem('guest-refused', 'No guests are set up here', { advice });
    }
    const { user: userName, password } = known;
    try {
      const { token } = await logins.login({ kind: 'password', userName, password }, { signal });
      return { signal, token };
    } catch (error) {
      if (!isProblem(error, 'login-refused')) throw error;
      throw new Problem('guest-refused', 'The service refuses guests.user or guests.password', {
        cause: error,
      });
    }
  }
}

const problemOf = (error: unknown): Problem =>
  asProblem(error, 'cloud-unreachable', 'the service did not answer in time');
