/** One terminal in detail in `platen status`: its printer, its readers, and the sources of its settings. */
import { printable } from '../../core/text/printable.ts';
import { counted } from '../../core/text/counted.ts';
import type { TerminalStatus } from './schema.ts';
import type { Look } from './look.ts';
import { printerOf } from './terminals.ts';
import { localTime } from '../terminal-text/local-time.ts';
import { table } from '../terminal-text/table.ts';
import { cutTo, labelled, wrapped } from '../terminal-text/text-width.ts';

const at = 10;

/** Settings that differ from the defaults. `--json` shows all. */
export function settingsLines(terminal: TerminalStatus, { width, paint }: Look): readonly string[] {
  const { id, printer, printers = [], readers, prompt, outputPortId, settings } = terminal;
  const line = (label: string, text: string) => labelled(label, printable(text), { width, at });
  const rows = Object.entries(settings)
    .filter(([, { from }]) => from !== 'default')
    .map(([name, { value, from }]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
      from,
    ]);
  return [
    '',
    paint(`TERMINAL ${printable(id)}`, 'bold'),
    ...line('printer', `${printer.uri} ${printerOf(terminal)}`),
    ...printers.slice(1).flatMap((one) => line('', `${one.name}: ${one.uri} ${printerOf({ printer: one })}`)),
    ...line(
      'port',
      outputPortId === null ? 'no output port of the service is known' : `output port ${outputPortId}`,
    ),
    ...readers.flatMap(({ name, kind, state, frames, garbage, reconnects }, index) =>
      line(
        index === 0 ? 'readers' : '',
        `${name} (${kind}) ${state}, ${counted(frames, 'number')} read, ${garbage} unreadable, reconnected ${counted(reconnects, 'time')}`,
      ),
    ),
    ...(prompt ? line('prompt', `${prompt.tty} ${prompt.state}`) : []),
    ...wrapped(printable(heard(terminal)), { width, indent: 2 }),
    ...(rows.length === 0 ? [] : cutTo(width, table([['SETTING', 'VALUE', 'FROM'], ...rows]))),
  ];
}

function heard({ id, settingsSince, settingsRead }: TerminalStatus): string {
  const read =
    settingsRead === null ? 'a copy kept from before the start' : `last read ${localTime(settingsRead)}`;
  return `settings of ${id}: ${
    settingsSince === null
      ? 'the service has said nothing yet'
      : `as the service says since ${localTime(settingsSince)}, ${read}`
  }`;
}
