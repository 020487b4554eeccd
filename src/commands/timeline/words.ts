/** Each entry of the timeline as a sentence. No I/O. */
import { printable } from '../../core/log.ts';
import { toldLater } from '../../domain/problem/problem.ts';
import { shortReleaseId } from '../../domain/release.ts';
import type { TimelineEntry, TimelineEvent } from '../../domain/terminal/timeline.ts';
import { outageReason } from '../../domain/terminal/outage-words.ts';
import { sessionEnd } from '../logs/session-end.ts';

type Facts = TimelineEntry['facts'];

export const sentenceOf = ({ what, facts }: TimelineEntry): string => printable(sentences[what](facts));

const sentences: Readonly<Record<TimelineEvent, (facts: Facts) => string>> = {
  'agent started': ({ version, afterCrash }) =>
    `The agent started, version ${text(version)}${afterCrash === true ? '; it was not stopped normally before' : ''}`,
  'agent stopped': () => 'The agent stopped',
  'service overdue': ({ services }) => `A part of the agent makes no progress: ${text(services)}`,
  'event loop blocked': ({ seconds }) => `The agent was blocked for ${Number(seconds).toFixed(1)} s`,
  'engine away': () => 'The engine of the fleet is away',
  'engine back': () => 'The engine of the fleet is back',
  'config reloaded': ({ changed, pending }) =>
    `Configuration reloaded: ${list(changed) || 'nothing changed'}${list(pending) && `; waits: ${list(pending)}`}`,
  'config not reloaded': ({ mistakes }) =>
    `Configuration not reloaded: ${text(mistakes)} ${mistakes === 1 ? 'mistake' : 'mistakes'}. The earlier one is still used`,
  'log level lowered': ({ to, minutes, by }) => `Log level ${text(to)} for ${text(minutes)} min${byWhom(by)}`,
  'log level as configured': ({ by }) => `Log level as configured again${byWhom(by)}`,
  'dead letters retried': ({ records, by }) => `Dead letters to be sent again: ${text(records)}${byWhom(by)}`,
  'diagnosis asked for': ({ from, by }) => `Support bundle asked for at ${text(from)}${byWhom(by)}`,
  'terminal move asked for': ({ to, from, by }) =>
    `Move to ${text(to)} asked for at ${text(from)}${byWhom(by)}`,
  'administrator acted': ({ action, changed, by }) =>
    `platen ${text(action)}${list(changed) && `: ${list(changed)}`}${byWhom(by)}`,
  'release settled by an administrator': ({ releaseId, word, by, name }) =>
    `Release ${short(releaseId)}: ${word === 'came-out' ? 'it was printed' : 'nothing was printed'}, says ${sayer(by, name)}`,
  'condition acknowledged': ({ code, subject, note, by, name }) =>
    `${text(subject)}: ${sayer(by, name)} has taken this on (${text(code)})${note === '' ? '' : `: ${text(note)}`}`,
  'terminal added': () => 'Added to the configuration',
  'terminal changed': () => 'Changed in the configuration',
  'terminal removed': () => 'Removed from the configuration',
  'terminal taken over': () => 'Taken over from another gateway',
  'terminal handed over': () => 'Handed over to another gateway',
  'terminal ready': () => 'Ready',
  'terminal out of service': ({ reason, code, reference }) =>
    `Out of service: ${outageReason(text(reason))}${code === undefined ? '' : ` (${text(code)})`}, on the screen as ${text(reference)}`,
  'terminal back in service': () => 'Back in service',
  'session opened': () => 'Session opened',
  'session closed': (facts) => `Session closed: ${sessionEnd(facts, endings)}`,
  'login failed': ({ code, locked }) =>
    `Sign-in refused: ${why(code)}${locked === undefined ? '' : ` This ${text(locked)} pauses.`}`,
  'list failed': ({ code }) => `The list of documents could not be fetched: ${why(code)}`,
  'card ignored': ({ code }) => `Card ignored: ${why(code)}`,
  'card not converted': ({ code }) => `Card refused: ${why(code)}`,
  'card relayed': ({ outcome }) => `Card reported to the service: ${text(outcome)}`,
  'second card ignored': ({ reader }) => `A second card was ignored at ${text(reader)}`,
  'claim refused': () => 'A document was left to another gateway of the fleet, which prints it',
  'release started': ({ releaseId, printer }) =>
    `Release ${short(releaseId)} started${printer === undefined ? '' : ` at ${text(printer)}`}`,
  'release resumed': ({ releaseId }) => `Release ${short(releaseId)} resumed after the restart`,
  'release repeated': ({ releaseId }) => `Release ${short(releaseId)} prints again, as the person asked`,
  'release sent plain': ({ releaseId, before }) =>
    `Release ${short(releaseId)} prints what release ${short(before)} could not: the printer did not unpack it`,
  'release skipped': ({ code, reasons }) => `A document was not printed: ${why(code, reasons)}`,
  'release ended': ({ releaseId, outcome, code, reasons }) =>
    outcome === 'unknown' && code === 'claim-lost'
      ? `Release ${short(releaseId)} is settled by another gateway of the fleet`
      : `Release ${short(releaseId)} ${ends[text(outcome)] ?? text(outcome)}${code === undefined ? '' : `: ${why(code, reasons)}`}`,
  'release confirmed by a person': ({ releaseId }) =>
    `Release ${short(releaseId)}: the person found the paper`,
  'delivery refused': ({ releaseId, code }) =>
    `Release ${short(releaseId)}: the service does not print it: ${why(code)}`,
  'condition raised': ({ subject, detail, code }) => `${text(subject)}: ${text(detail)} (${text(code)})`,
  'condition cleared': ({ subject, code }) => `${text(subject)}: solved (${text(code)})`,
};

const endings: Readonly<Record<string, string>> = {
  badge: 'a card was held to the reader',
  logout: 'the person signed out',
  timeout: 'nobody used the terminal',
  stopped: 'the agent or this terminal stopped',
  error: 'the terminal was no longer in service',
};

const ends: Readonly<Record<string, string>> = {
  completed: 'completed',
  failed: 'failed, nothing was printed',
  unknown: 'ended, and nobody knows whether it was printed',
};

const why = (code: unknown, reasons?: unknown): string =>
  [toldLater(text(code), Array.isArray(reasons) ? reasons : []), `(${text(code)})`].filter(Boolean).join(' ');
const short = (releaseId: unknown): string => shortReleaseId(text(releaseId));
const list = (fact: unknown): string => (Array.isArray(fact) ? fact.join(', ') : '');
const text = (fact: unknown): string =>
  typeof fact === 'string' || typeof fact === 'number' ? String(fact) : '?';
const sayer = (by: unknown, name: unknown): string =>
  typeof name === 'string' ? name : typeof by === 'number' ? `uid ${by}` : 'an administrator';
const byWhom = (by: unknown): string => (typeof by === 'number' ? `, by uid ${by}` : '');
