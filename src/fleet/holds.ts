/**
 * The holds of a member of a fleet (F11): one beat a second tells the engine that it lives, and brings who holds what.
 * What it holds it serves for four seconds from before that beat, by its own monotonic clock; others may take it five
 * seconds after it, by the engine's. So a member that cannot ask has stopped before another begins.
 */
import type { Clock } from '../core/clock.ts';
import { milliseconds, minutes, seconds } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import { restOrWake, Wake } from '../core/periodic.ts';
import type { Progress, Service } from '../core/service.ts';
import { aborted } from '../core/service.ts';
import type { Conditions } from '../domain/condition.ts';
import type { Holds, HoldStanding, HoldUser, Member, Roll, Servable } from '../domain/ports/holds.ts';
import { isProblem } from '../domain/problem/problem.ts';
import { memberTtl } from './engine/membership.ts';
import type { HoldTable } from './hold-table.ts';
import type { LastingCondition } from './lasting-condition.ts';
import { createLastingCondition } from './lasting-condition.ts';
import type { BeatSeen, GroupSeen } from './moves.ts';
import { beatEvery, holdsFor, toGiveBack, toTake } from './moves.ts';

export interface FleetHoldsParts {
  readonly table: HoldTable;
  readonly site: string;
  readonly user: HoldUser;
  /** Nobody else is in the fleet (F12). */
  readonly isAlone: () => boolean;
  readonly conditions: Conditions;
  readonly clock: Clock;
  readonly log: Log;
}

/** Others may take over at once when it is known that we have gone; nobody who stops us waits longer. */
const leavesWithin = seconds(1);
const twin = {
  code: 'fleet-member-twice',
  severity: 'error',
  scope: 'agent',
  subject: 'fleet member',
} as const;
const namesake = {
  code: 'fleet-name-twice',
  severity: 'warning',
  scope: 'agent',
  subject: 'fleet name',
} as const;
const moment = seconds(2);
/** The beats of the process before may not have run out. */
const firstMoment = milliseconds(memberTtl + beatEvery);
const longestRound = minutes(1);

export const createFleetHolds = (parts: FleetHoldsParts): Holds => new FleetHolds(parts);

class FleetHolds implements Holds {
  readonly services: readonly Service[] = [
    { name: 'fleet holds', run: (signal, progress) => this.#run(signal, progress) },
  ];
  readonly #parts: FleetHoldsParts;
  readonly #wake = new Wake();
  /** By terminal, its group. */
  #served: ReadonlyMap<string, string> = new Map();
  /** By group, what the last beat saw of it, and the epoch of what is held. */
  #seen: ReadonlyMap<string, GroupSeen> = new Map();
  readonly #own = new Map<string, number>();
  /** Held, and served no more. */
  readonly #surplus = new Set<string>();
  /** Of `#served`, what the engine has been told. */
  #toldSetUp: ReadonlyMap<string, string> | undefined;
  #members: readonly Member[] = [];
  #heardAt = Number.NEGATIVE_INFINITY;
  /** The first beat without an answer. */
  #unansweredSince: number | undefined;
  #expiry: unknown;
  /** By terminal, what its user was told last. */
  readonly #told = new Map<string, string>();
  readonly #twin: LastingCondition;
  readonly #namesake: LastingCondition;
  #isLeaving = false;
  #round: Promise<void> = Promise.resolve();

  constructor(parts: FleetHoldsParts) {
    this.#parts = parts;
    this.#twin = createLastingCondition(twin, parts);
    this.#namesake = createLastingCondition(namesake, parts);
  }

  serve(terminals: readonly Servable[]): void {
    this.#served = new Map(terminals.map(({ terminal, group }) => [terminal, group]));
    const groups = new Set(this.#served.values());
    for (const group of this.#own.keys()) {
      if (groups.has(group)) continue;
      this.#own.delete(group);
      this.#surplus.add(group);
    }
    for (const terminal of this.#told.keys()) if (!this.#served.has(terminal)) this.#told.delete(terminal);
    void this.#tellChanges();
    this.#wake.ring();
  }

  standing(terminal: string): HoldStanding {
    const group = this.#served.get(terminal) ?? '';
    const epoch = this.#own.get(group);
    const seen = this.#seen.get(group);
    const isFresh = this.#isFresh();
    // What nobody else is set up for, nobody else takes.
    if (epoch !== undefined && (isFresh || seen?.isShared === false)) return { is: 'held', epoch };
    if (!isFresh && this.#parts.isAlone()) return { is: 'held', epoch: seen?.epoch ?? 0 };
    if (!isFresh && this.#isUnanswered()) return { is: 'engine-away' };
    const by = isFresh && seen?.state === 'held' ? seen.holder : undefined;
    return { is: 'elsewhere', ...(by === undefined ? {} : { by }) };
  }

  async leave(): Promise<void> {
    const { table, clock, log } = this.#parts;
    this.#isLeaving = true;
    const limit = clock.deadline(leavesWithin);
    await Promise.race([this.#round, aborted(limit)]);
    const groups = [...this.#own.keys()];
    try {
      await table.leave(limit);
      this.#tellHandedOver(groups, 'stopped');
    } catch (error) {
      // Who waits for it takes it when our time is over.
      log.debug('holds not given up', { error: error instanceof Error ? error : undefined });
    }
  }

  roll(): Roll {
    const age = this.#parts.clock.monotonic() - this.#heardAt;
    const beatAge = Number.isFinite(age) ? milliseconds(age) : undefined;
    return { site: this.#parts.site, beatAge, members: this.#members };
  }

  async #run(signal: AbortSignal, progress?: Progress): Promise<void> {
    const { table, clock } = this.#parts;
    using _ = table.onNews(() => this.#wake.ring());
    while (!signal.aborted) {
      progress?.(longestRound);
      this.#wake.answered();
      const begunAt = clock.monotonic();
      this.#round = this.#beat(signal);
      await this.#round;
      const left = Math.max(0, begunAt + beatEvery - clock.monotonic());
      await restOrWake(milliseconds(left), { clock, wake: this.#wake }, signal);
    }
    clock.clearTimeout(this.#expiry);
  }

  async #beat(signal: AbortSignal): Promise<void> {
    if (this.#isLeaving) return;
    const { table, clock, log } = this.#parts;
    const since = clock.monotonic();
    try {
      const seen = await this.#look(signal);
      await this.#take(toTake(seen), signal);
      await this.#tellChanges();
      await this.#giveBack(
        toGiveBack(seen, (group) => this.#isIdle(group)),
        signal,
      );
      if (this.#surplus.size > 0) await table.giveUp([...this.#surplus], signal);
      this.#surplus.clear();
      await this.#tellSetUp(signal);
    } catch (error) {
      // The engine tells of itself, and what is held runs out.
      if (!signal.aborted) log.debug('no beat', { error: error instanceof Error ? error : undefined });
      this.#unansweredSince ??= since;
      if (!this.#isFresh()) void this.#tellChanges();
      this.#twin.is(isProblem(error, 'fleet-member-twice') ? error.message : undefined);
    }
  }

  /** The second answer is younger than whoever took what had lapsed. */
  async #look(signal: AbortSignal): Promise<BeatSeen> {
    const { table, clock } = this.#parts;
    const groups = [...new Set(this.#served.values())];
    let askedAt = clock.monotonic();
    let seen = await table.beat(groups, signal);
    while (seen.hadLapsed) {
      this.#toldSetUp = undefined;
      askedAt = clock.monotonic();
      seen = await table.beat(groups, signal);
    }
    this.#note(seen, askedAt);
    return seen;
  }

  #note({ groups, members, namesakes }: BeatSeen, askedAt: number): void {
    const { clock } = this.#parts;
    this.#seen = new Map(groups.map((one) => [one.group, one]));
    this.#own.clear();
    for (const { group, state, epoch } of groups) if (state === 'own') this.#own.set(group, epoch);
    this.#members = members;
    this.#heardAt = askedAt;
    this.#unansweredSince = undefined;
    this.#twin.is(undefined);
    this.#namesake.is(namesakes.length === 0 ? undefined : nameOf(namesakes));
    clock.clearTimeout(this.#expiry);
    this.#expire();
    this.#tellConditions();
  }

  /** A timer may come a moment early. */
  #expire(): void {
    const { clock } = this.#parts;
    const left = this.#heardAt + holdsFor - clock.monotonic();
    if (left <= 0) return void this.#tellChanges();
    this.#expiry = clock.setTimeout(() => this.#expire(), Math.ceil(left));
  }

  async #take(wanted: readonly GroupSeen[], signal: AbortSignal): Promise<void> {
    if (wanted.length === 0 || this.#isLeaving) return;
    const { table, log } = this.#parts;
    const taken = await table.take(wanted, signal);
    for (const { group, epoch } of taken) {
      this.#own.set(group, epoch);
      const { holder: from, state: was } = this.#seen.get(group) ?? {};
      for (const terminal of this.#terminalsOf(group)) {
        log.info('terminal taken over', { terminal, from, was, epoch });
      }
    }
  }

  async #giveBack(given: readonly GroupSeen[], signal: AbortSignal): Promise<void> {
    if (given.length === 0) return;
    for (const { group } of given) this.#own.delete(group);
    await this.#tellChanges();
    await this.#parts.table.giveUp(
      given.map(({ group }) => group),
      signal,
    );
    for (const { group, preferred: to } of given) this.#tellHandedOver([group], 'preferred', to);
  }

  /** Again after a gap: the engine may have forgotten it. */
  async #tellSetUp(signal: AbortSignal): Promise<void> {
    const served = this.#served;
    if (this.#toldSetUp === served) return;
    await this.#parts.table.setUp(
      [...served].map(([terminal, group]) => ({ terminal, group })),
      signal,
    );
    this.#toldSetUp = served;
  }

  #isFresh(): boolean {
    return this.#parts.clock.monotonic() < this.#heardAt + holdsFor;
  }

  /** A process that starts, or was stopped for a while, asks first, and gives the engine a moment. */
  #isUnanswered(): boolean {
    const { clock } = this.#parts;
    const patience = Number.isFinite(this.#heardAt) ? moment : firstMoment;
    return clock.monotonic() - (this.#unansweredSince ?? clock.monotonic()) >= patience;
  }

  #isIdle(group: string): boolean {
    return this.#terminalsOf(group).every((terminal) => this.#parts.user.isIdle(terminal));
  }

  #terminalsOf(group: string): readonly string[] {
    return [...this.#served].filter(([, own]) => own === group).map(([terminal]) => terminal);
  }

  /** Resolves when all readers are closed that are to be. */
  async #tellChanges(): Promise<void> {
    const changed = [...this.#served.keys()].filter((terminal) => {
      const now = JSON.stringify(this.standing(terminal));
      const isNews = this.#told.get(terminal) !== now;
      this.#told.set(terminal, now);
      return isNews;
    });
    await Promise.all(changed.map((terminal) => this.#parts.user.changed(terminal)));
  }

  /** Who should serve a terminal, and does not, has something to tell. */
  #tellConditions(): void {
    const { conditions } = this.#parts;
    for (const [terminal, group] of this.#served) {
      const { state, isPreferred, holder } = this.#seen.get(group) ?? {};
      const spot = { scope: terminal, subject: 'hold' };
      if (state !== 'held' || !isPreferred) conditions.clear(spot.scope, spot.subject);
      else {
        const detail = `${holder} serves it until nobody uses it`;
        conditions.raise({ code: 'fleet-terminal-elsewhere', severity: 'warning', ...spot, detail });
      }
    }
  }

  #tellHandedOver(groups: readonly string[], why: 'preferred' | 'stopped', to?: string): void {
    const { log } = this.#parts;
    for (const terminal of groups.flatMap((group) => this.#terminalsOf(group))) {
      log.info('terminal handed over', { terminal, why, to });
    }
  }
}

const nameOf = (sites: readonly string[]): string =>
  `another gateway, at the site ${[...new Set(sites)].join(' and ')}, has the name of this gateway`;
