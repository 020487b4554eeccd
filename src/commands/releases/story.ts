/** The story of one release in sentences: the meaning of each event in the ledger, and the next step. No I/O. */
import { localTime } from '../terminal-text/local-time.ts';
import { isFound, isWithdrawn } from '../../domain/release-trace.ts';
import type { FoundRelease, ReleaseEvent } from '../../domain/ports/ledger.ts';
import { faultAndRemedy } from '../../domain/problem/problem.ts';
import type { PageCount } from '../../domain/release.ts';
import { forgottenRelease, shortReleaseId } from '../../domain/release.ts';

/** `PARTIAL(2)`: for a partial release, the number of pages matters most. */
export const stateText = ({ state, pages }: FoundRelease['row']): string =>
  state === 'PARTIAL' ? `PARTIAL(${pages?.pages ?? pages?.sheets ?? '?'})` : state;

export function pagesText(pages: PageCount | undefined): string {
  if (pages === undefined) return '-';
  const { source } = pages;
  const label = source.replace('document-estimate', 'document estimate');
  if (pages.pages !== undefined) return `${pages.pages}, ${label}`;
  return pages.sheets === undefined ? label : `${pages.sheets} sheets, ${label}`;
}

/** Rows of time, state and sentence. */
export const storyOf = (events: readonly ReleaseEvent[]): string[][] =>
  events.map(({ at, state, facts }) => [
    localTime(at),
    state,
    sentences[state]?.(facts) ?? JSON.stringify(facts),
  ]);

type Facts = ReleaseEvent['facts'];

const sentences: Readonly<Record<string, (facts: Facts) => string>> = {
  PLANNED: ({ pages, copies, userId, providerId, again }) =>
    `wanted by user ${text(userId)} of provider ${text(providerId)}: ${counted(pages, 'page', 'pages')}, ${counted(copies, 'copy', 'copies')}` +
    (again === undefined ? '' : `; ${againText(again)}`),
  'SERVICE-INTENT': ({ serialNumber }) =>
    `Platen asked the service to print at ${text(serialNumber)}; from now on the document may have been printed`,
  'SERVICE-REFUSED': () => 'the service refused; nothing was printed',
  FETCHED: ({ length, digest }) =>
    `the document was downloaded, ${text(length)} bytes, SHA-256 ${text(digest)}`,
  INTENT: ({ printerUri }) =>
    `Platen begins to send to ${text(printerUri)}; from now on the document may have been printed`,
  JOB: ({ jobId, jobUri }) => `the printer accepted job ${text(jobId)} (${text(jobUri)})`,
  SENT: ({ digest }) => `the printer has all bytes${digest === undefined ? '' : `, SHA-256 ${text(digest)}`}`,
  CONFIRMED: (facts) =>
    `the ${text(facts['confirmation'] ?? 'printer')} reports that it was printed${evidence(facts)}`,
  'HANDED-OVER': (facts) =>
    `it was sent to the printer; nothing confirms that it was printed${evidence(facts)}`,
  NOOUTPUT: (facts) => `nothing was printed${evidence(facts)}`,
  PARTIAL: (facts) => `a part of it was printed${evidence(facts)}`,
  UNKNOWN: (facts) => `nobody knows whether it was printed${evidence(facts)}`,
  'CONFIRMED-BY-USER': () => 'a person found it in the tray',
  'CONFIRMED-BY-ADMINISTRATOR': () => 'an administrator says that it was printed',
  'DENIED-BY-ADMINISTRATOR': () => 'an administrator says that nothing was printed',
  'HISTORY-ACCEPTED': () => 'the service has its history record',
  'HISTORY-LEFT': () => 'another gateway of the fleet posts its history record',
  'HISTORY-TAKEN-OVER': () => 'this gateway must post the history record of another gateway of the fleet',
  DELETED: () => 'the document was deleted in the service, or marked there as printed',
};

/** The reasons for the outcome in the ledger: the printer's last report, and the problem. */
function evidence({ report, reportedBy, problem, reasons: why }: Facts): string {
  const { state, reasons, impressionsCompleted, sheetsCompleted } = (report ?? {}) as Facts;
  const parts = [
    state === undefined ? '' : `the ${text(reportedBy ?? 'printer')} reports ${text(state)}`,
    Array.isArray(reasons) && reasons.length > 0 ? `(${reasons.join(', ')})` : '',
    impressionsCompleted === undefined ? '' : `${text(impressionsCompleted)} impressions`,
    sheetsCompleted === undefined ? '' : `${text(sheetsCompleted)} sheets`,
  ].filter(Boolean);
  const trouble =
    problem === undefined ? '' : `; ${text(problem)}: ${faultAndRemedy(text(problem), words(why))}`;
  return (parts.length > 0 ? `: ${parts.join(' ')}` : '') + trouble;
}

/** What happens next. Empty if the release is over and its history record was accepted. */
export function nextOf({ row, history, events }: FoundRelease): string[] {
  const next: string[] = [];
  if (row.outcome === undefined)
    next.push('It is being printed, or the next start asks the printer about it.');
  if (row.outcome === 'failed') next.push('It can be printed again now.');
  if (row.outcome === 'unknown' && !isFound(events)) {
    next.push(
      'Platen does not print it again automatically. At the next sign-in it asks the owner whether the pages are there or must be printed again.',
    );
  }
  if (row.deletionOwed)
    next.push('The document must still be deleted in the service. That happens at its owner’s next sign-in.');
  if (history?.rejected !== undefined) {
    next.push(`The service refused its history record (${history.rejected}). Platen keeps the record here.`);
  } else if (history) {
    next.push(`Its history record is waiting. Platen sends it after ${localTime(history.dueAt)}.`);
  } else if (isWithdrawn(events)) {
    next.push('The service gets no history record of it.');
  } else if (row.outcome !== undefined && row.outcome !== 'failed') {
    next.push('The service has its history record.');
  }
  return next;
}

const againText = (again: unknown): string =>
  again === forgottenRelease
    ? 'a person asked for it again'
    : `a person asked to print the document of release ${shortReleaseId(text(again))} again`;

const words = (fact: unknown): readonly string[] =>
  Array.isArray(fact) ? fact.filter((word) => typeof word === 'string') : [];

const counted = (count: unknown, one: string, many: string): string =>
  `${text(count)} ${count === 1 ? one : many}`;

const text = (fact: unknown): string =>
  typeof fact === 'string' || typeof fact === 'number' ? String(fact) : 'unknown';
