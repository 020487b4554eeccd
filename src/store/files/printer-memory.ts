/**
 * The port PrinterMemory, as one small file for each terminal: `printers/TERMINAL.pin` in the state directory. It is
 * not in the database, because an administrator's command also writes it beside a running agent (INVARIANTS.md D13).
 * For the same reason it is read anew each time.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { ensurePrivateFolder } from '../../core/private-folder.ts';
import type { KnownPrinter, PrinterMemory } from '../../domain/ports/printer-memory.ts';
import { Problem } from '../../domain/problem/problem.ts';
import { jsonText } from '../columns.ts';
import { readIfPresent, writeDurably } from './durable-file.ts';

const text = z.string().optional();

const habits = z.object({
  counts: z.literal('while-printing').optional(),
  version: z.enum(['2.0', '1.1', '1.0']).optional(),
  refusesNames: z.array(z.enum(['job-name', 'document-name', 'requesting-user-name'])).optional(),
  cutsNamesAt: z.int().min(1).optional(),
  hangsUp: z.boolean().optional(),
  refusesGzip: z.boolean().optional(),
});

const knownPrinter: z.ZodType<KnownPrinter> = z.object({
  uri: z.string(),
  habits: habits.optional(),
  certificate: z
    .object({ fingerprint: z.string(), trustedBy: z.enum(['ca', 'pin']), approved: z.boolean().optional() })
    .optional(),
  identity: z.object({ uuid: text, serialNumber: text, makeAndModel: text, firmware: text }).optional(),
});

const content = jsonText.pipe(z.record(z.string(), knownPrinter));

export function createPrinterMemory(options: {
  stateDir: string;
  terminal: string;
  /**
   * Distinguishes this printer from another printer of the terminal at the same address; absent if there is no other.
   */
  queue?: string | undefined;
}): PrinterMemory {
  const { stateDir, terminal, queue } = options;
  const keyOf = (address: string) => (queue === undefined ? address : `${address} ${queue}`);
  const folder = join(stateDir, 'printers');
  const path = join(folder, `${terminal}.pin`);

  function read(): Readonly<Record<string, KnownPrinter>> {
    const bytes = readIfPresent(path);
    if (!bytes) return {};
    const parsed = content.safeParse(bytes.toString());
    if (parsed.success) return parsed.data;
    // Treating it as empty would trust any printer that answers now.
    throw new Problem(
      'state-unusable',
      `${path} is damaged. Remove it; Platen then gets to know the printer again`,
      {
        delivery: 'not-sent',
      },
    );
  }

  return {
    recall: (address) => read()[keyOf(address)],
    all: () => Object.values(read()),
    keep(address, known) {
      makeFolder(folder);
      writeDurably(
        path,
        Buffer.from(`${JSON.stringify({ ...read(), [keyOf(address)]: known }, undefined, 2)}\n`),
      );
    },
  };
}

/** The same memory for reading only. */
export const withoutKeeping = (memory: PrinterMemory): PrinterMemory => ({ ...memory, keep: () => {} });

function makeFolder(folder: string): void {
  try {
    ensurePrivateFolder(folder);
  } catch (cause) {
    throw new Problem('store-refused', `${folder}: cannot be made`, { cause, delivery: 'not-sent' });
  }
}
