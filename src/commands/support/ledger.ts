/** Releases and history records for a support bundle: the events, without the people and the documents. */
import type { FoundRelease, ReleaseEvent } from '../../domain/ports/ledger.ts';
import { waitingRecords } from '../../store/outbox/outbox-register.ts';
import { openReleaseRegister } from '../../store/ledger/release-register.ts';
import type { Pseudonym } from './pseudonyms.ts';

const mostReleases = 1000;

/** One line of JSON for each, the newest first. Throws if there is no readable ledger. */
export function releasesText(options: { readonly stateDir: string }, pseudonym: Pseudonym): string {
  using register = openReleaseRegister(options);
  return register
    .list(mostReleases)
    .map(({ releaseId }) => register.find(releaseId))
    .filter((found) => found !== undefined)
    .map((found) => `${JSON.stringify(shown(found, pseudonym))}\n`)
    .join('');
}

const shown = ({ row, events, history, trace }: FoundRelease, pseudonym: Pseudonym) => ({
  ...row,
  history,
  trace,
  events: events.map(({ state, at, facts }) => ({ state, at, ...shownFacts(facts, pseudonym) })),
});

/**
 * Facts that name nobody. The digest of a document is not among them, because it would show who has the same document.
 */
const plainFacts = [
  'pages',
  'copies',
  'again',
  'serialNumber',
  'length',
  'printerUri',
  'jobId',
  'jobUri',
  'confirmation',
  'problem',
  'report',
  'reportedBy',
];

const shownFacts = (facts: ReleaseEvent['facts'], pseudonym: Pseudonym): object => ({
  ...Object.fromEntries(Object.entries(facts).filter(([name]) => plainFacts.includes(name))),
  ...('userId' in facts
    ? { user: pseudonym({ providerId: facts['providerId'], userId: facts['userId'] }) }
    : {}),
});

export function outboxText({ stateDir }: { readonly stateDir: string }): string {
  const records = waitingRecords(stateDir);
  const shownRecords = records.map(({ releaseId, terminal, state, dueAt, failures, reason }) => ({
    releaseId,
    terminal,
    state,
    dueAt,
    failures,
    reason,
  }));
  const counts = Object.fromEntries(
    (['waiting', 'held', 'dead-letter'] as const).map((state) => [
      state,
      records.filter((one) => one.state === state).length,
    ]),
  );
  const dead = shownRecords.filter(({ state }) => state === 'dead-letter');
  return JSON.stringify({ counts, deadLetters: dead.slice(-mostReleases) }, undefined, 2);
}
