/** What Platen shows a printer of itself, with a memory that lasts as long as the test. */
import { systemChance } from '../../../src/core/chance.ts';
import { Secret } from '../../../src/core/secret.ts';
import type { KnownPrinter, PrinterMemory } from '../../../src/domain/ports/printer-memory.ts';
import type { PrinterAccess } from '../../../src/printing/ipp/ipp-session.ts';

export function accessFor(username: string, password?: string): PrinterAccess {
  const held = new Map<string, KnownPrinter>();
  const memory: PrinterMemory = {
    recall: (address) => held.get(address),
    keep: (address, known) => void held.set(address, known),
    all: () => [...held.values()],
  };
  const credentials =
    password === undefined ? {} : { credentials: { username, password: new Secret(password) } };
  return { memory, tls: { trust: 'auto' }, chance: systemChance, ...credentials };
}
