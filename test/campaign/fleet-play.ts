/** The gateways of a fleet as they are started, served badges and looked at while faults befall it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { aliceCards, bobCards } from './kill-stage.ts';
import { until, untilReady } from './kill-runs.ts';
import type { MortalAgent } from '../support/agent/mortal-agent.ts';
import { startMortalAgent } from '../support/agent/mortal-agent.ts';
import type { Place, ThreeGateways } from './three-gateways.ts';

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
  /** How many of alice's were held there, of the agent that lives. */
  readonly #badges = new Map<Place, number>();

  #bobs = 0;

  constructor(stage: ThreeGateways) {
    this.stage = stage;
  }

  agentAt(place: Place): MortalAgent {
    const agent = this.#agents.get(place);
    if (agent === undefined) throw new Error(`nobody was started at ${place.name}`);
    return agent;
  }

  startAt(place: Place): void {
    this.#agents.set(place, startMortalAgent(place.configFile, [], place.enter));
    this.#visits.delete(place);
    this.#badges.set(place, 0);
  }

  badgeAt(place: Place): void {
    const badges = this.#badges.get(place) ?? 0;
    const agent = this.agentAt(place);
    const before = agent.times('session opened');
    this.#visits.set(place, { at: performance.now(), before, begunBefore: agent.times('release started') });
    const card = aliceCards[badges % aliceCards.length] ?? aliceCards[0];
    this.#badges.set(place, badges + 1);
    place.reader.tap(card);
  }

  /** When she held the badge at which a release began: again where the reader took hers for a second card beside bob's. */
  async beginsByBadgeAt(place: Place): Promise<number> {
    const agent = this.agentAt(place);
    const [begun, ignored] = [agent.times('release started'), agent.times('second card ignored')];
    this.badgeAt(place);
    const at = performance.now();
    const hasBegun = () => agent.times('release started') > begun;
    await until(
      `a release begins at ${place.name}`,
      () => hasBegun() || agent.times('second card ignored') > ignored,
    );
    if (hasBegun()) return at;
    await sleep(betweenCards);
    return this.beginsByBadgeAt(place);
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
    await this.#bobAt(place);
    await sleep(betweenCards);
  }

  /** Again where it came so soon that the reader took it for a second card beside hers. */
  async #bobAt(place: Place): Promise<void> {
    const agent = this.agentAt(place);
    for (let ignored = -1; ignored < agent.times('second card ignored'); ) {
      ignored = agent.times('second card ignored');
      this.#bobs += 1;
      place.reader.tap(bobCards[this.#bobs % bobCards.length] ?? bobCards[0]);
      const isHeard = () => this.hasLeft(place) || agent.times('second card ignored') > ignored;
      await until(`alice leaves ${place.name}`, isHeard);
    }
  }

  /** Alice holds her badge there, and it is served, or told why not. */
  async isAnsweredAt(place: Place): Promise<void> {
    const agent = this.agentAt(place);
    const said = () => answers.reduce((sum, answer) => sum + agent.times(answer), 0);
    const before = said();
    this.badgeAt(place);
    await until(`a badge is answered at ${place.name}`, () => said() > before);
  }

  hasLeft(place: Place): boolean {
    const visit = this.#visits.get(place);
    const agent = this.agentAt(place);
    if (visit === undefined || agent.hasEnded()) return true;
    const wasMissed = agent.times('session opened') <= visit.before;
    return wasMissed ? performance.now() > visit.at + heard : agent.times('session closed') > visit.before;
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

/** What an agent says of a badge. */
const answers = ['session opened', 'session closed', 'login failed', 'card ignored', 'second card ignored'];

/** Milliseconds after a card was read in which the reader takes another one for a second card beside it, and some more. */
const betweenCards = 350;
/**
 * Milliseconds in which alice expects to see that her badge was heard, or that her list has nothing that comes out by
 * itself: no word of the agent tells that. When she gives up too early, the run misses its aim, and nothing else.
 */
const [heard, listed] = [1600, 1000];
