/**
 * One release under way: its machine, and the channel on which all that becomes of it is told. What is decided is in
 * `machine.ts`; which release comes when, in `desk.ts`.
 */
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import { createActor, waitFor } from 'xstate';
import type { Problem } from '../domain/problem/problem.ts';
import type { ReleasePlace, ReleaseWish } from './context.ts';
import type { ReleaseEnded, ReleaseListener, ReleaseNews } from './events.ts';
import { releaseMachine } from './machine.ts';
import { faultFacts } from './problems.ts';
import { Telling } from './telling.ts';

type Snapshot = SnapshotFrom<typeof releaseMachine>;

export class Release {
  /** Resolves when the outcome is settled; its deletion in the cloud goes on by itself. */
  readonly settled: Promise<ReleaseEnded>;
  readonly #settle: (ended: ReleaseEnded) => void;
  readonly #actor: ActorRefFrom<typeof releaseMachine>;
  readonly #wish: ReleaseWish;
  readonly #place: ReleasePlace;
  readonly #listener: ReleaseListener;
  /** The states that it has been in: what is tried again is no progress. */
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

  /** While it has no intent, or waits for the engine to say whose it is; else this does nothing. */
  giveUp(because: Problem): void {
    this.#actor.send({ type: 'STOP', because });
  }

  /** Who wanted it has left: a job that goes on standing in the printer is cancelled, any other printed (T29). */
  ownerLeft(): void {
    this.#actor.send({ type: 'OWNER_LEFT' });
  }

  /** Resolves when no octet of its document is on its way to the printer; now, where none is. */
  async untilSent(): Promise<void> {
    // Who was stopped sends nothing either.
    await waitFor(this.#actor, (snapshot) => !snapshot.hasTag('sending')).catch(() => undefined);
  }

  /** Leaves it where it is, and the printer to the next one. */
  abandon(): void {
    this.#actor.stop();
    this.#place.turn[Symbol.dispose]();
  }

  #moved({ status, value, context }: Snapshot): void {
    if (status !== 'active') {
      this.#tell({ type: 'done' });
      // Of one that was left open nothing was settled.
      this.#settle({
        type: 'ended',
        outcome: 'unknown',
        stage: 'unknown',
        problem: undefined,
        ...this.#names(),
      });
    } else if (!this.#reached.has(value)) {
      this.#reached.add(value);
      const { standingSince, hasLeftItStanding } = context.owner;
      // What stood has come on.
      if (standingSince !== undefined || hasLeftItStanding) this.#actor.send({ type: 'CAME_ON' });
      else context.given.telling.progress();
    }
  }

  #tell(news: ReleaseNews): void {
    const event = { ...news, ...this.#names() };
    if (event.type === 'ended') this.#logEnd(event);
    this.#listener(event);
    if (event.type === 'ended') this.#settle(event);
  }

  #failed(error: Error): void {
    const { terminal, log } = this.#place;
    const { problem } = this.#actor.getSnapshot().context.facts;
    this.#tell({ type: 'done' });
    log.error('release failed unexpectedly', { terminal, error });
    this.#settle({ type: 'ended', outcome: 'unknown', stage: 'unknown', problem, ...this.#names() });
  }

  #names(): Pick<ReleaseEnded, 'releaseId' | 'documentUuid'> {
    const wish = this.#wish;
    return wish.kind === 'new'
      ? { releaseId: wish.ticket.releaseId, documentUuid: wish.ticket.document.uuid }
      : { releaseId: wish.attempt.releaseId, documentUuid: wish.attempt.documentUuid };
  }

  #logEnd({ releaseId, outcome, problem }: ReleaseEnded): void {
    const { terminal, log } = this.#place;
    const isOut = outcome === 'completed';
    const facts = { terminal, releaseId, outcome, ...(problem && !isOut ? faultFacts(problem) : {}) };
    if (isOut) log.info('release ended', facts);
    else log.warn('release ended', facts);
  }
}
