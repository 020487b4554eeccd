/**
 * What a terminal hears from its desk, as events of its machine. Releases outlive the session, and the terminal when the
 * agent stops: this knows the session's name alone (I3). However fast documents come on, their owner is told of stages
 * and pages four times a second: at once where nothing was told lately, the newest word on each otherwise.
 */
import type { Clock } from '../core/clock.ts';
import { milliseconds } from '../core/duration.ts';
import type { ReleaseEnded, ReleaseEvent, ReleaseListener } from '../release/events.ts';
import type { DocumentStage } from '../release/session-progress.ts';
import type { TerminalEvent } from './events.ts';
import type { TerminalSignals } from './signals.ts';

export interface DeskListener {
  /** Of what this session, which is the open one, hands in now. */
  of(sessionId: string): ReleaseListener;
  /** The session is over: of its documents no stage is told any more. */
  forget(): void;
}

const stagePause = milliseconds(250);

interface DeskListenerDeps extends Pick<TerminalSignals, 'released'> {
  readonly clock: Clock;
  readonly tell: (event: TerminalEvent) => void;
}

export function createDeskListener({ clock, tell, released }: DeskListenerDeps): DeskListener {
  let open: string | undefined;
  /** By document, what was not told yet. */
  const pending = new Map<string, DocumentStage>();
  let toldAt = Number.NEGATIVE_INFINITY;
  let timer: unknown;

  function tellStages(): void {
    timer = undefined;
    const stages = [...pending.values()];
    pending.clear();
    if (open === undefined || stages.length === 0) return;
    toldAt = clock.monotonic();
    tell({ type: 'STAGES', sessionId: open, stages });
  }

  function come(sessionId: string, stage: DocumentStage): void {
    if (sessionId !== open) return;
    pending.set(stage.documentUuid, stage);
    const left = toldAt + stagePause - clock.monotonic();
    if (left > 0) timer ??= clock.setTimeout(tellStages, left);
    else tellStages();
  }

  function end(sessionId: string, { documentUuid, releaseId, outcome, stage, problem }: ReleaseEnded): void {
    pending.delete(documentUuid);
    released({ sessionId, outcome });
    tell({
      type: 'RELEASE_ENDED',
      sessionId,
      documentUuid,
      releaseId,
      stage,
      problem: outcome === 'completed' ? undefined : problem,
    });
  }

  function hear(sessionId: string, event: ReleaseEvent): void {
    if (event.type === 'turn') tell({ type: 'QUEUED', sessionId, before: event.before });
    else if (event.type === 'left-out') tell({ type: 'NOT_AS_ASKED', sessionId });
    else if (event.type === 'progress') tell({ type: 'PROGRESS', sessionId });
    else if (event.type === 'stage' || event.type === 'page') come(sessionId, event);
    else if (event.type === 'ended') end(sessionId, event);
  }

  return {
    of(sessionId) {
      open = sessionId;
      return (event) => hear(sessionId, event);
    },
    forget() {
      open = undefined;
      pending.clear();
      clock.clearTimeout(timer);
      timer = undefined;
    },
  };
}
