/**
 * Where a terminal hands in its tickets: releases run here, one after the other for the one printer, and go on when
 * the session that wanted them is over. A fault of the printer ends the rest of its batch untouched. It is no
 * machine and decides nothing about a release; see `release.ts`.
 */
import type { Actor, SnapshotFrom } from 'xstate';
import { createActor } from 'xstate';
import type { Duration } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import { aborted } from '../core/service.ts';
import type { OpenAttempt } from '../domain/ports/ledger.ts';
import type { Problem } from '../domain/problem.ts';
import type { ProblemCode } from '../domain/problem-kinds.ts';
import type { Outcome, Standing, Ticket } from '../domain/release.ts';
import { standingOf } from '../domain/release.ts';
import type { ReleaseWorld } from './release-actors.ts';
import { releaseActors } from './release-actors.ts';
import type { ReleaseInput } from './release-setup.ts';
import { abandoned } from './release-setup.ts';
import { releaseMachine } from './release.ts';

export interface ReleaseEnded {
  readonly ticket: Ticket;
  readonly outcome: Outcome;
  readonly problem: Problem | undefined;
}

/** The documents that any terminal of this agent has in hand: none is released twice at the same moment. */
export type DocumentsInHand = Set<string>;

export interface ReleaseDeskDependencies {
  readonly terminal: string;
  readonly world: ReleaseWorld;
  readonly inHand: DocumentsInHand;
  readonly log: Log;
  onOutcome(outcome: Outcome, problem: Problem | undefined): void;
}

export interface ReleaseDesk {
  standing(documentUuid: string): Standing;
  /** Releases in this order; `onEnded` is called once a ticket, when its outcome is durable. */
  release(tickets: readonly Ticket[], onEnded: (ended: ReleaseEnded) => void): void;
  /** Settles what a restart found open, by asking the printer; nothing is sent. */
  resume(attempts: readonly OpenAttempt[]): void;
  /** Gives up what has no intent yet and waits for the rest, at most for the grace. */
  stop(grace: Duration): Promise<void>;
}

type ReleaseActor = Actor<typeof releaseMachine>;
type Snapshot = SnapshotFrom<typeof releaseMachine>;

/** What stops a batch: the next document would meet the same fault. */
const printerFaults: readonly ProblemCode[] = [
  'printer-unreachable',
  'printer-address-refused',
  'printer-unsupported',
  'printer-not-ready',
  'printer-busy',
  'printer-stalled',
  'transfer-broken',
  'outcome-unknown',
];

export function createReleaseDesk(dependencies: ReleaseDeskDependencies): ReleaseDesk {
  const { world, inHand, log, terminal } = dependencies;
  const queue: (() => Promise<void>)[] = [];
  const alive = new Set<ReleaseActor>();
  let working: Promise<void> | undefined;
  let stopping = false;

  function enqueue(job: () => Promise<void>) {
    queue.push(job);
    // One turn later: whoever hands in a ticket may be a machine in the middle of a transition.
    working ??= Promise.resolve()
      .then(work)
      .finally(() => (working = undefined));
  }

  async function work() {
    for (let next = queue.shift(); next; next = queue.shift()) await next();
  }

  /** Runs one release until its outcome is settled; its deletion in the cloud goes on by itself. */
  function run(input: ReleaseInput): Promise<Snapshot['context']> {
    const machine = releaseMachine.provide({
      actors: releaseActors(world),
      guards: {
        isTheServices: () => world.delivery !== 'local',
        isOursAfterARefusal: () => world.delivery === 'cloud-then-local',
        needsConfirmation: (_, { verdict }) => world.requireConfirmation && verdict === 'HANDED-OVER',
        isAnotherPrinter: ({ context: { resumed } }) =>
          resumed?.printerUri !== undefined && resumed.printerUri !== world.printer().uri,
        takesBytes: () => world.printer().kind === 'bytes',
        mayNotFinish: (_, { ticket }) =>
          world.finish === 'keep' || world.clock.monotonic() >= ticket.token.expiresAt,
      },
      actions: {
        tellDownloadAgain: ({ context }) => log.debug('download repeated', fallBack(context)),
        tellDeliveryRefused: ({ context }) => log.warn('delivery refused', fallBack(context)),
        tellFinishRefused: ({ context: { releaseId, finishProblem } }, { error }) => {
          const facts = { terminal, releaseId, error: error as Error };
          if (finishProblem) log.debug('deletion refused again', facts);
          else log.warn('deletion refused', facts);
        },
      },
    });
    const actor = createActor(machine, { clock: world.clock, input });
    alive.add(actor);
    return new Promise((resolve) => {
      let told = false;
      const look = (snapshot: Snapshot) => {
        if (snapshot.status !== 'active') alive.delete(actor);
        if (told || snapshot.context.outcome === undefined) return;
        told = true;
        tellEnd(snapshot.context);
        resolve(snapshot.context);
      };
      const fail = (error: unknown) => {
        alive.delete(actor);
        log.error('release failed unexpectedly', { terminal, error: error as Error });
        resolve({ ...actor.getSnapshot().context, outcome: 'unknown' });
      };
      actor.subscribe({ next: look, error: fail });
      actor.start();
    });
  }

  /** Something did not work, and the release goes on. */
  const fallBack = ({ releaseId, problem }: Snapshot['context']) => ({
    terminal,
    releaseId,
    ...(problem ? faultFacts(problem) : {}),
  });

  function tellEnd({ releaseId, outcome, problem }: Snapshot['context']) {
    if (outcome === undefined) return;
    const facts = {
      terminal,
      releaseId,
      outcome,
      ...(problem && outcome !== 'completed' ? faultFacts(problem) : {}),
    };
    if (outcome === 'completed') log.info('release ended', facts);
    else log.warn('release ended', facts);
    dependencies.onOutcome(outcome, problem);
  }

  function skip(ticket: Ticket, problem: Problem) {
    log.warn('release skipped', { terminal, documentUuid: ticket.document.uuid, code: problem.code });
    return { ticket, outcome: 'failed' as const, problem };
  }

  return {
    standing: (uuid) =>
      inHand.has(uuid) ? 'in-progress' : standingOf(world.ledger.lastRelease(uuid), world.finish),

    release(tickets, onEnded) {
      let fault: Problem | undefined;
      for (const ticket of tickets) inHand.add(ticket.document.uuid);
      for (const ticket of tickets) {
        enqueue(async () => {
          const { releaseId, sessionId, document } = ticket;
          let ended: ReleaseEnded;
          if (fault || stopping) ended = skip(ticket, fault ?? abandoned());
          else {
            log.info('release started', { terminal, sessionId, releaseId, documentUuid: document.uuid });
            const { outcome = 'unknown', problem } = await run({ kind: 'new', ticket });
            if (problem && outcome !== 'completed' && printerFaults.includes(problem.code)) fault = problem;
            ended = { ticket, outcome, problem };
          }
          inHand.delete(document.uuid);
          onEnded(ended);
        });
      }
    },

    resume(attempts) {
      for (const attempt of attempts) {
        inHand.add(attempt.documentUuid);
        enqueue(async () => {
          const { releaseId, state, documentUuid } = attempt;
          log.info('release resumed', { terminal, releaseId, documentUuid, state });
          await run({ kind: 'resumed', attempt });
          inHand.delete(documentUuid);
        });
      }
    },

    async stop(grace) {
      stopping = true;
      for (const actor of alive) actor.send({ type: 'STOP' });
      const limit = world.clock.deadline(grace);
      await Promise.race([working, aborted(limit)]);
      for (const actor of alive) actor.stop();
    },
  };
}

const faultFacts = (problem: Problem) => ({
  code: problem.code,
  detail: problem.message,
  advice: problem.advice,
  ...(problem.reasons.length > 0 ? { reasons: problem.reasons } : {}),
});
