/** The log messages about Platen itself and its machine, in words: start, configuration, readers, files. */
import { outageReason } from '../../domain/terminal/outage-words.ts';
import type { Facts, Sentences } from './sentence.ts';
import { because, listed, said } from './sentence.ts';

export const machineSentences: Sentences = {
  'agent started': ({ version, kiosk }) =>
    `Platen ${said(version)} started.${said(kiosk) && ` Its pages are at http://${said(kiosk)}/t/TERMINAL.`}`,
  'agent stopped': () => 'Platen stopped.',
  'terminal ready': ({ printer }) =>
    printer === 'not-ready'
      ? 'The terminal accepts cards, but its printer is not ready.'
      : 'The terminal is ready: hold a card to the reader.',
  'terminal out of service': (facts) =>
    `The terminal is out of service (${said(facts['reference'])}): ${outageReason(said(facts['reason']))}.${because(facts)}`,
  'terminal back in service': ({ reference }) => `The terminal is back in service (${said(reference)}).`,
  'terminal taken over': ({ from }) =>
    `This gateway serves the terminal now${said(from) && `. Before, ${said(from)} served it`}.`,
  'terminal handed over': ({ to }) =>
    `This gateway gave the terminal up${said(to) && `. ${said(to)} serves it next`}.`,
  'holds not given up': (facts) =>
    `Platen could not hand the terminals over in order. Other gateways take over in a few seconds.${because(facts)}`,
  'no beat': (facts) => `This gateway could not reach the engine of the fleet.${because(facts)}`,
  'terminal added': () => 'The terminal was added.',
  'terminal changed': () => 'The settings of the terminal changed.',
  'terminal removed': () => 'The terminal was removed.',
  'condition raised': (facts) => `${problemOf(facts)}${because(facts)}`,
  'condition cleared': (facts) => `Solved:${because(facts)}`,
  'condition acknowledged': (facts) =>
    `${said(facts['name'] ?? 'An administrator')} has taken this on: ${said(facts['subject'])} (${said(facts['code'])})${facts['note'] ? `: ${said(facts['note'])}` : ''}.`,
  'acknowledgements not kept': (facts) =>
    `The notes of administrators about conditions could not be saved or read.${because(facts)}`,
  'config reloaded': ({ changed, pending }) =>
    `The configuration was reloaded. Changed: ${listed(changed) || 'nothing'}.${listed(pending) && ` Waiting until nobody prints: ${listed(pending)}.`}`,
  'config not reloaded': (facts) =>
    `The changed configuration has a mistake, so Platen still uses the earlier configuration: ${said(facts['mistake'])}.`,
  'log level lowered': ({ to, minutes }) => `The log level is ${said(to)} for ${said(minutes)} min.`,
  'log level as configured': ({ to }) => `The log level is ${said(to)} again, as configured.`,
  'administrator acted': ({ action, changed }) =>
    `An administrator ran platen ${said(action)}${listed(changed) && `: ${listed(changed)}`}.`,
  'developer log on': () => 'The print service turned on the detailed log of this terminal.',
  'developer log off': () => 'The print service turned off the detailed log of this terminal.',
  'service overdue': (facts) =>
    `A part of Platen makes no progress (${listed(facts['services'])}).${because(facts)}`,
  'event loop blocked': ({ seconds }) => `Platen was blocked for ${said(seconds)} s.`,
  'service manager not told': (facts) =>
    `The status of Platen could not be reported to systemd.${because(facts)}`,
  'control socket not opened': (facts) =>
    `The control socket could not be opened. platen status does not work.${because(facts)}`,
  'control request failed': (facts) => `A command to the running agent failed.${because(facts)}`,
  'kiosk request failed': (facts) => `A request to the kiosk page failed.${because(facts)}`,
  'operations request failed': (facts) => `A request to the operations listener failed.${because(facts)}`,
  'socket of systemd not used': (facts) =>
    `Platen does not use the socket of systemd for ${said(facts['key'])}.${said(facts['kept']) && ` The socket is ${said(facts['kept'])}, but the configuration says ${said(facts['configured'])}.`}${because(facts)}`,
  'reader up': ({ reader }) => `The card reader ${said(reader)} works.`,
  'reader down': (facts) => `The card reader ${said(facts['reader'])} does not work.${because(facts)}`,
  'reader still down': (facts) =>
    `The card reader ${said(facts['reader'])} still does not work.${because(facts)}`,
  'reader found': ({ reader, device }) => `The card reader ${said(reader)} was found: ${said(device)}.`,
  'reader refused': ({ listen, source, reason }) =>
    `Platen refused a connection to ${said(listen)}${said(source) && ` from ${said(source)}`}. It is not a known card reader: ${said(reason)}.`,
  'reader dialled in anew': () => 'The card reader connected again.',
  'several devices fit; the first free one is taken': ({ reader, paths }) =>
    `More than one device matches the reader ${said(reader)} (${listed(paths)}). Platen uses the first free device.`,
  'directory is open to other users': ({ directory, mode }) =>
    `Other users can open ${said(directory)} (mode ${said(mode)}).`,
  'timeline not read': (facts) =>
    `The timeline of the last day could not be read. The page for administrators counts from now on.${because(facts)}`,
  'timeline not kept': (facts) =>
    `The timeline could not be written. This time is missing in platen timeline.${because(facts)}`,
  'state file unreadable': ({ file, found }) =>
    `The state file ${said(file)} cannot be used (${said(found)}).`,
  'device identity lost': ({ file }) =>
    `The identity of this device was damaged${said(file) && ` (${said(file)})`}. It is a new device for the print service: an administrator has to approve it again. The old files are kept beside the new ones (*.damaged-*).`,
  'ledger quarantined': (facts) =>
    `The ledger was damaged, and was moved to ${said(facts['folder'])}: ${said(facts['reason'])}.`,
  'starts not counted': (facts) => `The number of starts could not be saved.${because(facts)}`,
};

const problemOf = ({ severity, code }: Facts): string =>
  `${severity === 'error' ? 'Fault' : 'Attention'} (${said(code)}):`;
