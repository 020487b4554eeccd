/** Every `msg` of the log with its sentence. The demo uses the same sentences. */
import { printable } from '../../core/text/printable.ts';
import { fleetSentences } from './fleet-sentences.ts';
import { machineSentences } from './machine-sentences.ts';
import { personSentences } from './person-sentences.ts';
import { releaseSentences } from './release-sentences.ts';
import type { Facts, Sentence, Sentences } from './sentence.ts';
import { asSentence, because, counted, listed, release, said } from './sentence.ts';

/** The log messages about guests: new guests, ended guests, and failures. */
const guestSentences: Sentences = {
  'guest let in': ({ guest, hours }) => `Guest ${said(guest)} may print for ${counted(hours, 'hour')}.`,
  'guest not let in': (facts) => `Guest ${said(facts['guest'])} got no access.${because(facts)}`,
  'guest ended': ({ guest }) =>
    `The time of guest ${said(guest)} has ended, and the service has deleted the user.`,
  'guests sent away': ({ guests }) => `An administrator ends guests: ${listed(guests) || 'there are none'}.`,
  'guests not ended': (facts) => `Platen could not end guests whose time is over.${because(facts)}`,
};

/** The log messages about the receivers of conditions and traces. */
const tellingSentences: Sentences = {
  'notification sent': ({ way, came, went, lasting }) =>
    `Message sent by ${said(way)}: ${counted(came, 'condition')} began, ${said(went)} ended, ${said(lasting)} continue.`,
  'notification failed': (facts) =>
    `Platen could not send a message by ${said(facts['way']) || 'a receiver'}.${because(facts)}`,
  'notifications not kept': (facts) =>
    `Platen could not save which messages it has sent, so it may send some twice.${because(facts)}`,
  'traces not sent': (facts) => `The receiver of traces does not accept them.${because(facts)}`,
  'traces sent again': () => 'The receiver of traces accepts them again.',
};

/**
 * The log messages about the print service and this device there, in words: approval, calls, settings, history, status.
 */
const serviceSentences: Sentences = {
  'device registered': () =>
    'This device is registered in the print service. An administrator must approve it.',
  'device authorized': () => 'This device is approved and signed in.',
  'device token refreshed': () => 'The sign-in of this device was renewed.',
  'enrollment call failed': (facts) =>
    `The device could not sign in because of a bug in Platen.${because(facts)}`,
  'call denied': ({ trusted }) =>
    trusted === true
      ? 'The print service refused a call. It trusts this device.'
      : 'The print service refused a call. It may no longer trust this device.',
  'cloud call': ({ call, status, milliseconds }) =>
    `The print service was called: ${said(call)}, status ${said(status)}, ${said(milliseconds)} ms.`,
  'cloud call failed': (facts) => `A call to the print service failed.${because(facts)}`,
  'service version': ({ version }) => `The print service is version ${said(version)}.`,
  'surroundings not told': (facts) =>
    `Information about this machine could not be sent to the print service (${said(facts['what'])}).${because(facts)}`,
  'entries left out of a list': ({ list, unusable }) =>
    `A list of the print service (${said(list)}) has ${said(unusable)} entries that cannot be used.`,
  'output port found': ({ outputPortId }) =>
    `The print service knows this terminal: output port ${said(outputPortId)}.`,
  'output ports not read': (facts) => `The output ports could not be read.${because(facts)}`,
  'terminal config not read': (facts) => `The terminal's settings could not be read.${because(facts)}`,
  'settings adopted': ({ changed }) => `The print service changed settings: ${listed(changed)}.`,
  'settings not kept': (facts) => `The settings of the print service could not be saved.${because(facts)}`,
  'kept settings unreadable': () =>
    'The saved settings of the print service cannot be read. Platen asks for them again.',
  'history accepted': (facts) => `${release(facts)}: the print service has the history record.`,
  'history rejected': (facts) =>
    `${release(facts)}: the print service refused its history record. See platen outbox list.${because(facts)}`,
  'history postponed': (facts) =>
    `${release(facts)}: its history record could not be sent. Platen sends it again.${because(facts)}`,
  'history not posted': (facts) =>
    `A history record could not be sent because of a bug in Platen.${because(facts)}`,
  'history not looked up': (facts) =>
    `${release(facts)}: the print service could not be asked whether it has the history record.${because(facts)}`,
  'age of the state directory not known': (facts) =>
    `The print service did not tell whether an older state directory was put back.${because(facts)}`,
  'history titles made plain': () =>
    'The print service refuses titles with control characters. Platen leaves these characters out of history records from now on.',
  'history time corrected': (facts) =>
    `${release(facts)}: the clock was wrong. The time in its history record was corrected by ${said(facts['seconds'])} s.`,
  'outbox not tidied': (facts) => `Old history records could not be removed.${because(facts)}`,
  'dead letters retried': ({ records }) => `Sent again: ${counted(records, 'refused history record')}.`,
  'status reported': () => 'The status of the terminal was reported to the print service.',
  'status not reported': (facts) =>
    `The status of the terminal could not be reported to the print service.${because(facts)}`,
};

/** By `msg`. It is a map, because a message from another log must not match a property that every object has. */
export const sentences: ReadonlyMap<string, Sentence> = new Map(
  [
    personSentences,
    releaseSentences,
    serviceSentences,
    fleetSentences,
    machineSentences,
    tellingSentences,
    guestSentences,
  ].flatMap((some) => Object.entries(some)),
);

/** Records that come all the time and are of no interest to a person. */
const routine: ReadonlySet<string> = new Set([
  'device token refreshed',
  'status reported',
  'settings not kept',
  'several devices fit; the first free one is taken',
]);

/** Another record tells the same just before or after such a condition. */
const toldByAnotherRecord: ReadonlySet<unknown> = new Set([
  'config-not-reloaded',
  'fleet-engine-away',
  'fleet-engine-refused',
  'fleet-key-differs',
  'fleet-differs',
  'fleet-member-twice',
  'fleet-member-behind',
]);

export interface LogRecord extends Facts {
  readonly level: string;
  readonly msg: string;
}

/** A message of another version of Platen may have no sentence here. It is shown unchanged. */
export const sentenceOf = (record: LogRecord): string =>
  sentences.get(record.msg)?.(record) ?? `${asSentence(printable(record.msg))}${because(record)}`;

/** Shown to everybody; `--all` shows the other records too. */
export const isTelling = ({ msg, level, code }: LogRecord): boolean =>
  level !== 'trace' &&
  level !== 'debug' &&
  !(level === 'info' && routine.has(msg)) &&
  !(msg === 'condition raised' && toldByAnotherRecord.has(code));
