/** The gateways of a fleet as they are started, served badges and looked at while faults befall it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { bobCard } from '../support/agent/stage.ts';
import { cardGone, until, untilReady } from './kill-runs.ts';
import type { MortalAgent } from '../support/agent/mortal-agent.ts';
import { startMortalAgent } from '../support/agent/mortal-agent.ts';
import type { Place, ThreeGateways } from './three-gateways.ts';
import { aliceCards } from './three-gateways.ts';

/** A badge of alice's, as the agent's own words count it. */
interface Visit {
  readonly at: number;
  /** Sessions that had been opened before, and releases begun. */
  readonly before: number;
  readonly begunBefore: number;
}

export class FleetPlay implements AsyncDisposable {
  readonly stage: ThreeGateways;
  readonly #agents = new Map<Place, MortalAgent>();
  readonly #visits = new Map<Place, Visit>();
  /** When each of alice's badges was held there, of the agent that lives. */
  readonly #badges = new Map<Place, number[]>();

  constructor(stage: ThreeGateways) {
    this.stage = stage;
  }

  agentAt(place: Place): MortalAgent {
    const agent = this.#agents.get(place);
    if (agent === undefined) throw new Error(`nobody was started at ${place.name}`);
    return agent;
  }

  startAt(place: Place): void {
    this.#agents.set(place, startMortalAgent(place.configFile));
    this.#visits.delete(place);
    this.#badges.set(place, []);
  }

  async badgeAt(place: Place): Promise<void> {
    const badges = this.#badges.get(place) ?? [];
    const last = badges.at(-aliceCards.length) ?? Number.NEGATIVE_INFINITY;
    await sleep(Math.max(0, last + cardGone + lateRead - performance.now()));
    const agent = this.agentAt(place);
    const before = agent.times('session opened');
    this.#visits.set(place, { at: performance.now(), before, begunBefore: agent.times('release started') });
    const card = aliceCards[badges.length % aliceCards.length] ?? aliceCards[0];
    badges.push(performance.now());
    void place.reader.tap(card);
  }

  /**
   * It serves badges, and alice is not there; bob, who has nothing to print, ends a session that goes on without a
   * release.
   */
  async isReadyAt(place: Place): Promise<void> {
    await untilReady(this.agentAt(place));
    await until(`a badge is served at ${place.name}`, () => this.#isServed(place));
    if (this.hasLeft(place)) return;
    await until(`what is released at ${place.name} ends`, () => !this.isReleasing(place));
    void place.reader.tap(bobCard);
    await until(`alice leaves ${place.name}`, () => this.hasLeft(place));
    // No hand is as quick as to hold the next card there before that.
    await sleep(handsTurn);
  }

  hasLeft(place: Place): boolean {
    const visit = this.#visits.get(place);
    const agent = this.agentAt(place);
    if (visit === undefined || agent.hasEnded()) return true;
    const wasMissed = agent.times('session opened') <= visit.before;
    return wasMissed ? performance.now() > visit.at + cardGone : agent.times('session closed') > visit.before;
  }

  /** A release has begun since alice's last badge there, or she has left without one. */
  async begins(place: Place): Promise<void> {
    const { begunBefore = 0 } = this.#visits.get(place) ?? {};
    const hasBegun = () => this.agentAt(place).times('release started') > begunBefore || this.hasLeft(place);
    await until(`a release begins at ${place.name}`, hasBegun);
  }

  isReleasing(place: Place): boolean {
    return this.agentAt(place).isReleasing();
  }

  /** A list without anything that comes out by itself is told by no word of the agent: it is there some time after. */
  #isServed(place: Place): boolean {
    const { at = Number.NEGATIVE_INFINITY } = this.#visits.get(place) ?? {};
    return this.hasLeft(place) || performance.now() > at + listed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.kill()));
  }
}

/** Milliseconds between two cards of two people. */
const handsTurn = 500;
/** Milliseconds by which a busy computer may read a card late: the pause counts from then. */
const lateRead = 500;
/** Milliseconds from a badge to what is released by it, as slow as the computer may be. */
const listed = 1000;
