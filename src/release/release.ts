/**
 * One release under way: its machine, and the channel for all news of it. `machine.ts` has the decisions, and `desk.ts`
 * has the order of the releases.
 */
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import { createActor, waitFor } from 'xstate';
import type { Problem } from '../domain/problem/problem.ts';
import type { ReleasePlace, ReleaseWish } from './context.ts';
import { namesOf } from './context.ts';
import type { ReleaseEnded, ReleaseListener, ReleaseNews } from './events.ts';
import { releaseMachine } from './machine.ts';
import { faultFacts } from './problems.ts';
import { Telling } from './telling.ts';

type Snapshot = SnapshotFrom<typeof releaseMachine>;

export class Release {
  /** Resolves when the outcome is settled. The deletion in the cloud then goes on by itself. */
  readonly settled: Promise<ReleaseEnded>;
  readonly #settle: (ended: ReleaseEnded) => void;
  readonly #actor: ActorRefFrom<typeof releaseMachine>;
  readonly #wish: ReleaseWish;
  readonly #place: ReleasePlace;
  readonly #listener: ReleaseListener;
  /** The states that the release has been in. A state that comes again is no progress. */
  readonly #reached = new Set<string>();

  constructor(wish: ReleaseWish, place: ReleasePlace, listener: ReleaseListener) {
    ({ promise: this.settled, resolve: this.#settle } = Promise.withResolvers<ReleaseEnded>());
    this.#wish = wish;
    this.#place = place;
    this.#listener = listener;
    const { clock } = place.world;
    const document = wish.kind === 'new' ? wish.ticket.document : undefined;
    const telling = new Telling(clock, document, (news) => this.#tell(news));
    this.#actor = createActor(releaseMachine, { clock, input: { ...place, wish, telling } });
  }

  start(): void {
    this.#actor.subscribe({
      next: (snapshot) => this.#moved(snapshot),
      error: (error) => this.#failed(error as Error),
    });
    this.#actor.start();
  }

  /**
   * Works while the release has no intent, or waits for the engine to tell the owner of the claim. Does nothing
   * otherwise.
   */
  giveUp(because: Problem): void {
    this.#actor.send({ type: 'STOP', because });
  }

  /** The owner has left. A job that still stands in the printer is cancelled; any other job is printed (T29). */
  ownerLeft(): void {
    this.#actor.send({ type: 'OWNER_LEFT' });
  }

  /** Resolves when no octet of the document is on its way to the printer. If there is none now, it resolves now. */
  async untilSent(): Promise<void> {
    // A machine that was stopped sends nothing, either.
    await waitFor(this.#actor, (snapshot) => !snapshot.hasTag('sending')).catch(() => undefined);
  }

  /** Gives the printer to the next release. The job of this one is followed all the same. */
  stepAside(): void {
    this.#place.turn[Symbol.dispose]();
  }

  /** Leaves the release as it is, and gives the printer to the next release. */
  abandon(): void {
    this.#actor.stop();
    this.stepAside();
  }

  #moved({ status, value, context }: Snapshot): void {
    if (status !== 'active') {
      this.#tell({ type: 'done' });
      // A release that was left open has no settled outcome.
      this.#settle({
        type: 'ended',
        outcome: 'unknown',
        stage: 'unknown',
        problem: undefined,
        ...namesOf(this.#wish),
      });
    } else if (!this.#reached.has(value)) {
      this.#reached.add(value);
      const { standingSince, hasLeftItStanding } = context.owner;
      // A job that stood has come on.
      if (standingSince !== undefined || hasLeftItStanding) this.#actor.send({ type: 'CAME_ON' });
      else context.given.telling.progress();
    }
  }

  #tell(news: ReleaseNews): void {
    const event = { ...news, ...namesOf(this.#wish) };
    if (event.type === 'ended') this.#logEnd(event);
    this.#listener(event);
    if (event.type === 'ended') this.#settle(event);
  }

  #failed(error: Error): void {
    const { terminal, log } = this.#place;
    const { problem } = this.#actor.getSnapshot().context.facts;
    this.#tell({ type: 'done' });
    log.error('release failed unexpectedly', { terminal, error });
    this.#settle({ type: 'ended', outcome: 'unknown', stage: 'unknown', problem, ...namesOf(this.#wish) });
  }

  #logEnd({ releaseId, outcome, problem }: ReleaseEnded): void {
    const { terminal, log } = this.#place;
    const isOut = outcome === 'completed';
    const facts = { terminal, releaseId, outcome, ...(problem && !isOut ? faultFacts(problem) : {}) };
    if (isOut) log.info('release ended', facts);
    else log.warn('release ended', facts);
  }
}
