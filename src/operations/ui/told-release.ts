/** A release of the ledger as administrators read it: when, where and how it went, and nothing of whom or of what. */
import type { FoundRelease } from '../../domain/ports/ledger.ts';
import { isWithdrawn } from '../../domain/release-trace.ts';
import { problemKinds } from '../../domain/problem/problem-kinds.ts';
import { shortReleaseId } from '../../domain/release.ts';
import type { ReleaseAnswer } from './answers.ts';

export function toldRelease(found: FoundRelease): ReleaseAnswer {
  const { row, events, trace } = found;
  const { releaseId, terminal, state, startedAt, problem } = row;
  return {
    ...{ releaseId, code: shortReleaseId(releaseId), terminal, state, startedAt },
    printer: printerOf(events),
    outcome: row.outcome ?? null,
    confirmation: row.confirmation ?? null,
    pages: row.pages ?? null,
    problem: problem === undefined ? null : { code: problem, advice: adviceOf(problem) },
    endedAt: row.endedAt ?? null,
    tookMs: row.tookMs ?? null,
    history: historyOf(found),
    events: events.map(({ state: passed, at }) => ({ state: passed, at })),
    stages: trace?.steps ?? [],
  };
}

function historyOf({ history, events }: FoundRelease): ReleaseAnswer['history'] {
  if (history) return history.rejected === undefined ? 'waiting' : 'refused';
  return isWithdrawn(events) ? 'withdrawn' : 'accepted';
}

function printerOf(events: FoundRelease['events']): string | null {
  const uri = events.findLast(({ facts }) => 'printerUri' in facts)?.facts['printerUri'];
  return typeof uri === 'string' ? uri : null;
}

/** A ledger may tell of a problem that an earlier version had. */
const adviceOf = (problem: string): string =>
  Object.entries(problemKinds).find(([code]) => code === problem)?.[1].advice ?? '';
