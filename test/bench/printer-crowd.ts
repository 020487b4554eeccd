/**
 * Virtual printers in a process of their own, so that what they do with octets keeps nobody else from answering. Forked, it
 * tells their addresses, then the moment of each whole document, and, asked for the end, what was against the protocol.
 */
import type { VirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { startVirtualPrinter } from '../../src/simulator/printer/printer.ts';
import { minutes } from '../../src/core/duration.ts';

export type PrintersTell =
  | { readonly kind: 'open'; readonly uris: readonly string[] }
  /** `at`: milliseconds since 1970, with fractions. */
  | { readonly kind: 'printed'; readonly printer: number; readonly at: number }
  | { readonly kind: 'end'; readonly deviations: readonly string[] };

const tell = (told: PrintersTell): unknown => process.send?.(told);
const whole = ({ outputs }: VirtualPrinter): number => outputs.filter(({ complete }) => complete).length;

async function tellOutputs(printer: VirtualPrinter, index: number): Promise<void> {
  for (let seen = 0; ; seen += 1) {
    await printer.waitFor(() => whole(printer) > seen, { timeout: minutes(60) });
    tell({ kind: 'printed', printer: index, at: performance.timeOrigin + performance.now() });
  }
}

const printers = await Promise.all(
  Array.from({ length: Number(process.argv[2]) }, () => startVirtualPrinter()),
);
process.once('message', () => {
  tell({ kind: 'end', deviations: printers.flatMap(({ deviations }) => deviations) });
  void Promise.all(printers.map((printer) => printer[Symbol.asyncDispose]())).finally(() => process.exit());
});
tell({ kind: 'open', uris: printers.map(({ uri }) => uri) });
await Promise.race(printers.map(tellOutputs));
