/** The terminals of the answers. Each printer was looked at. */
import { printable } from '../../../core/text/printable.ts';
import type { Io } from '../../io.ts';
import type { Answers } from '../answers.ts';
import type { Present, TerminalAnswer } from '../config.ts';
import { lookAtPrinters } from './printer-looks.ts';
import type { PrinterLook } from './printers.ts';
import { lookInWords } from './printers.ts';

export interface FoundTerminals {
  readonly terminals: readonly TerminalAnswer[];
  /** The answer of each printer. */
  readonly looks: readonly PrinterLook[];
  /** Unknown serial numbers, one sentence each. */
  readonly missing: readonly string[];
}

/** Missing values come from the file, then from the printer. */
export async function terminalsOf(
  { printers }: Answers,
  present: Present,
  { io, tells }: { readonly io: Io; readonly tells: 'each' | 'how far' | 'nothing' },
): Promise<FoundTerminals> {
  const looks = await lookAtPrinters(
    printers.map(({ uri }) => uri),
    { io, showsProgress: tells === 'how far' },
  );
  const missing: string[] = [];
  const terminals = printers.flatMap(({ id, uri, serialNumber: said }, at): readonly TerminalAnswer[] => {
    const look = looks[at];
    const tell = look?.failure === undefined ? io.out : io.error;
    if (look && tells === 'each') tell(printable(`${id}: ${uri} ${lookInWords(look)}`));
    const known = present.terminals.find((one) => one.id === id)?.serialNumber;
    const serialNumber = said ?? known ?? look?.serialNumber;
    if (serialNumber !== undefined) return [{ id, uri, serialNumber }];
    missing.push(
      `the serial number of ${id} is missing. Give the number from the service: --printer ${id}=${uri},serial=SERIAL`,
    );
    return [];
  });
  return { terminals, looks, missing };
}
