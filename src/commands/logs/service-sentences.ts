/** What the log says of the print service and of this device there, in words: approval, calls, settings, history, status. */
import type { Sentences } from './sentence.ts';
import { because, counted, listed, release, said } from './sentence.ts';

export const serviceSentences: Sentences = {
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
