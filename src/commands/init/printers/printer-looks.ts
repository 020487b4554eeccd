/**
 * Looks at many printers for `platen init`: several at a time, with the progress, and with their answers as a table.
 */
import { printable } from '../../../core/text/printable.ts';
import type { Io } from '../../io.ts';
import { eraseLine } from '../../terminal-text/screen.ts';
import { table } from '../../terminal-text/table.ts';
import type { TerminalAnswer } from '../config.ts';
import type { PrinterAnswer } from '../options.ts';
import type { PrinterLook } from './printers.ts';
import { lookAtPrinter, lookInWords } from './printers.ts';

/** Most of the time is spent on printers that do not answer. */
const atOnce = 16;
/** If no person watches, a line for every 25 printers. */
const telling = 25;

/** In the order of the addresses. */
export async function lookAtPrinters(
  uris: readonly string[],
  { io, showsProgress }: { readonly io: Io; readonly showsProgress: boolean },
): Promise<readonly PrinterLook[]> {
  const looks: PrinterLook[] = [];
  const waiting = [...uris.entries()];
  let done = 0;
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [at, uri] = next;
      looks[at] = await lookAtPrinter(uri, { signal: io.stop });
      io.stop.throwIfAborted();
      done += 1;
      if (showsProgress) tellProgress(done, uris.length, io);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, uris.length) }, work));
  if (showsProgress) io.screen?.write(eraseLine);
  return looks;
}

function tellProgress(done: number, all: number, { screen, out }: Io): void {
  const words = `asked ${done} of ${all} printers`;
  if (screen) screen.write(`${eraseLine}${words}`);
  else if (done < all && done % telling === 0) out(words);
}

/** The known facts of each printer, its answer, and the number of printers that answered. */
export function looksAsTable(
  printers: readonly PrinterAnswer[],
  terminals: readonly TerminalAnswer[],
  looks: readonly PrinterLook[],
): readonly string[] {
  const serialOf = (id: string) => terminals.find((one) => one.id === id)?.serialNumber ?? 'missing';
  const rows = printers.map(({ id, uri }, at) => {
    const look = looks[at];
    return [id, uri, serialOf(id), look ? lookInWords(look) : ''];
  });
  const asked = looks.filter(({ description, failure }) => description || failure !== undefined);
  const answered = asked.filter(({ description }) => description);
  return [
    table([['TERMINAL', 'PRINTER', 'SERIAL NUMBER', 'ANSWER'], ...rows]),
    `${answered.length} of ${asked.length} printers answer.`,
  ];
}

export function looksAsJson(
  printers: readonly PrinterAnswer[],
  terminals: readonly TerminalAnswer[],
  looks: readonly PrinterLook[],
): string {
  const found = printers.map(({ id, uri }, at) => {
    const { description, failure } = looks[at] ?? {};
    const { makeAndModel, firmware, state, stateReasons, ready, formats } = description ?? {};
    const serialNumber = terminals.find((one) => one.id === id)?.serialNumber;
    return {
      id,
      uri,
      serialNumber,
      makeAndModel,
      firmware,
      state,
      stateReasons,
      ready,
      formats,
      ...(failure === undefined ? {} : { failure: printable(failure) }),
    };
  });
  return JSON.stringify(found, undefined, 2);
}
