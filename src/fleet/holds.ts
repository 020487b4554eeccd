/**
 * The holds of a member of a fleet (F11): one beat a second tells the engine that it lives, and brings all holders. It
 * serves its terminals for four seconds from before the beat, by its own monotonic clock; others may take them after
 * five seconds, by the engine's clock. So a member that cannot ask has stopped before another begins.
 */
import { milliseconds, minutes, seconds } from '../core/duration.ts';
import { restOrWake, Wake } from '../core/periodic.ts';
import type { Progress, Service } from '../core/service.ts';
import { aborted } from '../core/service.ts';
import type { Env } from '../domain/env.ts';
import type { Holds, HoldStanding, HoldUser, Member, Roll, Servable } from '../domain/ports/holds.ts';
import { isProblem } from '../domain/problem/problem.ts';
import { memberTtl } from './engine/membership.ts';
import type { HoldTable } from './hold-table.ts';
import { terminalHold } from './hold-table.ts';
import type { LastingCondition } from './lasting-condition.ts';
import { createLastingCondition } from './lasting-condition.ts';
import type { BeatSeen, GroupSeen } from './moves.ts';
import { beatEvery, holdsFor, terminalsToTake, toGiveBack, toTake } from './moves.ts';

export interface FleetHoldsDeps extends Pick<Env, 'clock' | 'log' | 'conditions'> {
  readonly table: HoldTable;
  readonly site: string;
  readonly user: HoldUser;
  /** No other member is in the fleet (F12). */
  readonly isAlone: () => boolean;
}

/** If the engine hears that we have gone, others take over at once. A longer wait would delay the stop. */
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
/** Every so many beats the settings of others are compared. */
const comparedEvery = 5;
const moment = seconds(2);
/** The beats of the process before may not have run out. */
const firstMoment = milliseconds(memberTtl + beatEvery);
const longestRound = minutes(1);

export const createFleetHolds = (deps: FleetHoldsDeps): Holds => new FleetHolds(deps);

interface Served extends Servable {
  readonly own: string;
}

class FleetHolds implements Holds {
  readonly services: readonly Service[] = [
    { name: 'fleet holds', run: (signal, progress) => this.#run(signal, progress) },
  ];
  readonly #deps: FleetHoldsDeps;
  readonly #wake = new Wake();
  /** By terminal, the holds that it needs. */
  #served: ReadonlyMap<string, Served> = new Map();
  /** By hold, its state at the last beat; and by hold, the epoch of our own holds. */
  #seen: ReadonlyMap<string, GroupSeen> = new Map();
  readonly #own = new Map<string, number>();
  /** Held, but not served any more. */
  readonly #surplus = new Set<string>();
  /** The part of `#served` that the engine knows. */
  #toldSetUp: ReadonlyMap<string, Served> | undefined;
  #beats = 0;
  #members: readonly Member[] = [];
  #heardAt = Number.NEGATIVE_INFINITY;
  /** The first beat without an answer. */
  #unansweredSince: number | undefined;
  #expiry: unknown;
  /** By terminal, the standing that its user was told last. */
  readonly #lastNews = new Map<string, string>();
  readonly #twin: LastingCondition;
  readonly #namesake: LastingCondition;
  #isLeaving = false;
  #round: Promise<void> = Promise.resolve();

  constructor(deps: FleetHoldsDeps) {
    this.#deps = deps;
    this.#twin = createLastingCondition(twin, deps);
    this.#namesake = createLastingCondition(namesake, deps);
  }

  serve(terminals: readonly Servable[]): void {
    this.#served = new Map(terminals.map((one) => [one.terminal, { ...one, own: terminalHold(one) }]));
    const wanted = this.#wanted();
    for (const hold of this.#own.keys()) if (!wanted.has(hold)) this.#isSurplus(hold);
    for (const terminal of this.#lastNews.keys())
      if (!this.#served.has(terminal)) this.#lastNews.delete(terminal);
    void this.#tellChanges();
    this.#wake.ring();
  }

  standing(terminal: string): HoldStanding {
    const { group = '', own = '' } = this.#served.get(terminal) ?? {};
    const epoch = this.#own.has(own) ? this.#own.get(group) : undefined;
    const seen = [group, own].map((hold) => this.#seen.get(hold));
    const isFresh = this.#isFresh();
    // If no other member is set up for it, no other member takes it.
    if (epoch !== undefined && (isFresh || seen.every((one) => one?.isShared === false))) {
      return { is: 'held', epoch };
    }
    if (!isFresh && this.#deps.isAlone()) return { is: 'held', epoch: seen[0]?.epoch ?? 0 };
    if (!isFresh && this.#isUnanswered()) return { is: 'engine-away' };
    const by = isFresh ? seen.find((one) => one?.state === 'held')?.holder : undefined;
    return { is: 'elsewhere', ...(by === undefined ? {} : { by }) };
  }

  async leave(): Promise<void> {
    const { table, clock, log } = this.#deps;
    this.#isLeaving = true;
    const limit = clock.deadline(leavesWithin);
    await Promise.race([this.#round, aborted(limit)]);
    const held = this.#held();
    try {
      await table.leave(limit);
      this.#tellHandedOver(held, 'stopped');
    } catch (error) {
      // Another member that waits for it takes it when our time is over.
      log.debug('holds not given up', { error: error instanceof Error ? error : undefined });
    }
  }

  roll(): Roll {
    const age = this.#deps.clock.monotonic() - this.#heardAt;
    const beatAge = Number.isFinite(age) ? milliseconds(age) : undefined;
    return { site: this.#deps.site, beatAge, members: this.#members };
  }

  async #run(signal: AbortSignal, progress?: Progress): Promise<void> {
    const { table, clock } = this.#deps;
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
    const { table, clock, log } = this.#deps;
    const since = clock.monotonic();
    try {
      const seen = await this.#look(signal);
      await this.#take(this.#toTake(seen), signal);
      await this.#tellChanges();
      await this.#giveBack(
        toGiveBack({ groups: this.#printersIn(seen) }, (group) => this.#isIdle(group)),
        signal,
      );
      if (this.#surplus.size > 0) await table.giveUp([...this.#surplus], signal);
      this.#surplus.clear();
      await this.#tellSetUp(signal);
      if (this.#beats % comparedEvery === 0) await this.#compare(signal);
      this.#beats += 1;
    } catch (error) {
      // The engine reports its own absence, and the holds run out.
      if (!signal.aborted) log.debug('no beat', { error: error instanceof Error ? error : undefined });
      this.#unansweredSince ??= since;
      if (!this.#isFresh()) void this.#tellChanges();
      this.#twin.is(isProblem(error, 'fleet-member-twice') ? error.message : undefined);
    }
  }

  /** After a lapse it asks twice: the second answer is younger than any take of the lapsed holds. */
  async #look(signal: AbortSignal): Promise<BeatSeen> {
    const { table, clock } = this.#deps;
    const wanted = [...this.#wanted()];
    let askedAt = clock.monotonic();
    let seen = await table.beat(wanted, signal);
    while (seen.hadLapsed) {
      this.#toldSetUp = undefined;
      askedAt = clock.monotonic();
      seen = await table.beat(wanted, signal);
    }
    this.#note(seen, askedAt);
    return seen;
  }

  #note({ groups, members, namesakes }: BeatSeen, askedAt: number): void {
    const { clock } = this.#deps;
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
    const { clock } = this.#deps;
    const left = this.#heardAt + holdsFor - clock.monotonic();
    if (left <= 0) return void this.#tellChanges();
    this.#expiry = clock.setTimeout(() => this.#expire(), Math.ceil(left));
  }

  async #take(wanted: readonly GroupSeen[], signal: AbortSignal): Promise<void> {
    if (wanted.length === 0 || this.#isLeaving) return;
    const { table, log } = this.#deps;
    const before = new Set(this.#held());
    for (const { group, epoch } of await table.take(wanted, signal)) this.#own.set(group, epoch);
    for (const terminal of this.#held().filter((one) => !before.has(one))) {
      const { group = '', own = '' } = this.#served.get(terminal) ?? {};
      const news = [group, own].map((hold) => this.#seen.get(hold)).find((one) => one?.state !== 'own');
      const { holder: from, state: was } = news ?? {};
      log.info('terminal taken over', { terminal, from, was, epoch: this.#own.get(group) });
    }
  }

  #toTake({ groups, beatingFor }: BeatSeen): readonly GroupSeen[] {
    const seen = new Map(groups.map((one) => [one.group, one]));
    const taking = toTake({ beatingFor, groups: this.#printersIn({ groups }) });
    const terminals = [...this.#served.values()].flatMap(({ own: hold, group }) => {
      const [own, printer] = [seen.get(hold), seen.get(group)];
      return own && printer ? [{ own, printer }] : [];
    });
    return [...new Set([...taking, ...terminalsToTake(terminals, { beatingFor, taking })])];
  }

  #printersIn({ groups }: Pick<BeatSeen, 'groups'>): readonly GroupSeen[] {
    const printers = new Set([...this.#served.values()].map(({ group }) => group));
    return groups.filter(({ group }) => printers.has(group));
  }

  /** A terminal without its printer is of no use to this member. */
  #strays(): readonly string[] {
    const useful = new Set(
      [...this.#served.values()].flatMap(({ group, own }) => (this.#own.has(group) ? [group, own] : [])),
    );
    return [...this.#own.keys()].filter((hold) => !useful.has(hold));
  }

  #isSurplus(hold: string): void {
    this.#own.delete(hold);
    this.#surplus.add(hold);
  }

  /** Printers and terminals. */
  #wanted(): ReadonlySet<string> {
    return new Set([...this.#served.values()].flatMap(({ group, own }) => [group, own]));
  }

  #held(): readonly string[] {
    return [...this.#served].flatMap(([terminal, { group, own }]) =>
      this.#own.has(group) && this.#own.has(own) ? [terminal] : [],
    );
  }

  async #giveBack(given: readonly GroupSeen[], signal: AbortSignal): Promise<void> {
    const held = this.#held();
    for (const { group } of given) this.#own.delete(group);
    const holds = [...given.map(({ group }) => group), ...this.#strays()];
    if (holds.length === 0) return;
    for (const hold of holds) this.#own.delete(hold);
    await this.#tellChanges();
    await this.#deps.table.giveUp(holds, signal);
    for (const { group, preferred: to } of given) {
      const gone = new Set(this.#terminalsOf(group));
      this.#tellHandedOver(
        held.filter((terminal) => gone.has(terminal)),
        'preferred',
        to,
      );
    }
  }

  /** Told again after a gap: the engine may have forgotten it. */
  async #tellSetUp(signal: AbortSignal): Promise<void> {
    const served = this.#served;
    if (this.#toldSetUp === served) return;
    await this.#deps.table.setUp([...served.values()], signal);
    this.#toldSetUp = served;
    this.#beats = 0;
  }

  /** Both members tell it: the member that serves the terminal, and the member with another printer for it. */
  async #compare(signal: AbortSignal): Promise<void> {
    const { table, conditions } = this.#deps;
    const served = this.#served;
    const others = await table.differing([...served.values()], signal);
    for (const [terminal, { serialNumber }] of served) {
      const spot = { scope: terminal, subject: 'settings in the fleet' };
      const { other } = others.find((one) => one.terminal === terminal) ?? {};
      if (other === undefined) conditions.clear(spot.scope, spot.subject);
      else {
        const detail = `${other} has another printer for the serial number ${serialNumber}`;
        conditions.raise({ code: 'fleet-terminal-differs', severity: 'warning', ...spot, detail });
      }
    }
  }

  #isFresh(): boolean {
    return this.#deps.clock.monotonic() < this.#heardAt + holdsFor;
  }

  /** After a start or a long stop the process asks first, and gives the engine a moment. */
  #isUnanswered(): boolean {
    const { clock } = this.#deps;
    const patience = Number.isFinite(this.#heardAt) ? moment : firstMoment;
    return clock.monotonic() - (this.#unansweredSince ?? clock.monotonic()) >= patience;
  }

  #isIdle(group: string): boolean {
    return this.#terminalsOf(group).every((terminal) => this.#deps.user.isIdle(terminal));
  }

  #terminalsOf(group: string): readonly string[] {
    return [...this.#served].flatMap(([terminal, served]) => (served.group === group ? [terminal] : []));
  }

  /** Resolves when all readers that have to close are closed. */
  async #tellChanges(): Promise<void> {
    const changed = [...this.#served.keys()].filter((terminal) => {
      const now = JSON.stringify(this.standing(terminal));
      const isNews = this.#lastNews.get(terminal) !== now;
      this.#lastNews.set(terminal, now);
      return isNews;
    });
    await Promise.all(changed.map((terminal) => this.#deps.user.changed(terminal)));
  }

  /** Raised at the preferred member of a terminal while another one serves it. */
  #tellConditions(): void {
    const { conditions } = this.#deps;
    for (const [terminal, { group }] of this.#served) {
      const { state, isPreferred, holder } = this.#seen.get(group) ?? {};
      const spot = { scope: terminal, subject: 'hold' };
      if (state !== 'held' || !isPreferred) conditions.clear(spot.scope, spot.subject);
      else {
        const detail = `${holder} serves it until nobody uses it`;
        conditions.raise({ code: 'fleet-terminal-elsewhere', severity: 'warning', ...spot, detail });
      }
    }
  }

  #tellHandedOver(terminals: readonly string[], why: 'preferred' | 'stopped', to?: string): void {
    for (const terminal of terminals) this.#deps.log.info('terminal handed over', { terminal, why, to });
  }
}

const nameOf = (sites: readonly string[]): string =>
  `another gateway, at the site ${[...new Set(sites)].join(' and ')}, has the name of this gateway`;
