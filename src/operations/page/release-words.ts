/** A release in words: its outcome, its states, its stages. */
import { isFound } from '../../domain/release-trace.ts';
import type { ReleaseAnswer } from '../ui/answers.ts';

export function outcomeText({ outcome, confirmation, state }: ReleaseAnswer): string {
  if (outcome === null) return 'It is being printed, or the next start asks the printer about it.';
  if (outcome === 'failed') return 'Nothing was printed.';
  if (outcome === 'unknown') {
    return state === 'PARTIAL' ? 'A part of it was printed.' : 'It is not known whether it was printed.';
  }
  return confirmation === 'handed-over'
    ? 'It was sent to the printer. Nothing confirms that it was printed.'
    : `It was printed: the ${confirmation === 'spooler' ? 'spooler' : 'printer'} says so.`;
}

export const outcomeTone = ({ outcome }: ReleaseAnswer): 'good' | 'bad' | 'warn' | 'plain' =>
  outcome === null ? 'plain' : ({ completed: 'good', failed: 'bad', unknown: 'warn' } as const)[outcome];

export function nextText({ outcome, events }: ReleaseAnswer): string {
  if (outcome === 'failed') return 'It can be printed again now.';
  return outcome === 'unknown' && !isFound(events)
    ? 'It is not printed again by itself. At the next sign-in its owner is asked whether it is there.'
    : '';
}

export function historyText({ history, outcome }: ReleaseAnswer): string | null {
  if (outcome === null || (outcome === 'failed' && history === 'accepted')) return null;
  return {
    accepted: 'the service has its record',
    waiting: 'its record waits for the service',
    refused: 'the service refused its record',
    withdrawn: 'the service gets no record: an administrator says that nothing was printed',
  }[history];
}

export function pagesText({ pages, sheets, source }: NonNullable<ReleaseAnswer['pages']>): string {
  const sourceName = source.replaceAll('-', ' ');
  if (pages !== undefined) return `${pages}, ${sourceName}`;
  return sheets === undefined ? sourceName : `${sheets} sheets, ${sourceName}`;
}

const events: Readonly<Record<string, string>> = {
  PLANNED: 'somebody wanted it',
  'SERVICE-INTENT': 'the service was asked to print it; from now on it may have been printed',
  'SERVICE-REFUSED': 'the service refused; nothing was printed',
  FETCHED: 'the document was downloaded',
  INTENT: 'sending begins; from now on it may have been printed',
  JOB: 'the printer took the job',
  SENT: 'the printer has all bytes',
  CONFIRMED: 'it was printed',
  'HANDED-OVER': 'it was sent to the printer; nothing confirms that it was printed',
  NOOUTPUT: 'nothing was printed',
  PARTIAL: 'a part of it was printed',
  UNKNOWN: 'it is not known whether it was printed',
  'CONFIRMED-BY-USER': 'a person found it in the tray',
  'CONFIRMED-BY-ADMINISTRATOR': 'an administrator says that it was printed',
  'DENIED-BY-ADMINISTRATOR': 'an administrator says that nothing was printed',
  'HISTORY-ACCEPTED': 'the service has its history record',
  'HISTORY-LEFT': 'another gateway of the fleet posts its history record',
  'HISTORY-TAKEN-OVER': 'this gateway must post the history record of another gateway of the fleet',
  DELETED: 'the document was deleted in the service, or marked there as printed',
};

export const eventText = (state: string): string => events[state] ?? state;
