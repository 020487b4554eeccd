/**
 * The events that a terminal's machine gets from its desk. Releases outlive the session, and they outlive the terminal
 * when the agent stops, so the listener knows only the session's name (I3). However fast documents come on, the owner
 * hears of stages and pages four times a second. After a pause the news goes out at once; otherwise only the newest
 * news of each document goes out.
 */
import type { Clock } from '../core/clock.ts';
import { milliseconds } from '../core/duration.ts';
import type { ReleaseEnded, ReleaseEvent, ReleaseListener } from '../release/events.ts';
import type { DocumentStage } from './session-progress.ts';
import type { TerminalEvent } from './events.ts';
import type { TerminalSignals } from './signals.ts';

export interface DeskListener {
  /** The listener for documents that this session, the open one, hands in now. */
  of(sessionId: string): ReleaseListener;
  /** The session is over, so stages of its documents are told no more. */
  forget(): void;
}

const stagePause = milliseconds(250);

interface DeskListenerDeps extends Pick<TerminalSignals, 'released'> {
  readonly clock: Clock;
  readonly tell: (event: TerminalEvent) => void;
}

export function createDeskListener({ clock, tell, released }: DeskListenerDeps): DeskListener {
  let open: string | undefined;
  /** The untold news, by document. */
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
