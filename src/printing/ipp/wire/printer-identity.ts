/**
 * The identity of the printer that answers: printer-uuid, and the serial number from its attribute (PWG 5100.13) or
 * from the IEEE 1284 device id (INVARIANTS.md T13). A change of firmware or model name does not mean another printer.
 */
import { createHash } from 'node:crypto';
import { printable } from '../../../core/text/printable.ts';
import type { PrinterIdentity } from '../../../domain/ports/printer-memory.ts';
import { Problem } from '../../../domain/problem/problem.ts';
import type { Message } from '../../../ipp/message.ts';
import { string, strings, subject } from '../../../ipp/message.ts';

export const requestedOfIdentity: readonly string[] = [
  'printer-device-id',
  'printer-firmware-string-version',
  'printer-serial-number',
  'printer-uuid',
];

const serialInDeviceId = /(?:^|;)\s*(?:SN|SERN|SERIALNUMBER|SERIAL NUMBER)\s*:([^;]*)/i;

export function printerIdentity(answer: Message): PrinterIdentity {
  const attributes = subject(answer, 'printer-attributes');
  const textOf = (name: string) => string(attributes, name)?.trim() || undefined;
  const inDeviceId = serialInDeviceId.exec(textOf('printer-device-id') ?? '')?.[1]?.trim();
  return {
    uuid: textOf('printer-uuid'),
    serialNumber: textOf('printer-serial-number') ?? (inDeviceId || undefined),
    makeAndModel: textOf('printer-make-and-model'),
    firmware: strings(attributes, 'printer-firmware-string-version').join(' ') || undefined,
  };
}

/** What an administrator approves for a printer without a certificate; `undefined` if it tells no identity. */
export function identityFingerprint({ uuid, serialNumber }: PrinterIdentity): string | undefined {
  if (uuid === undefined && serialNumber === undefined) return undefined;
  const digest = createHash('sha256')
    .update(JSON.stringify([uuid, serialNumber]))
    .digest('hex');
  return digest.toUpperCase().replace(/(..)(?=.)/g, '$1:');
}

const names = { uuid: 'printer-uuid', serialNumber: 'serial number' } as const;
const telling = ['uuid', 'serialNumber'] as const;

/** Throws `printer-swapped`. A printer that never told its identity is not checked. */
export function checkIdentity(known: PrinterIdentity, seen: PrinterIdentity): void {
  const remembered = telling.filter((one) => known[one] !== undefined);
  // Some printers make a new uuid when they are reset; the maker's serial number stays.
  if (known.serialNumber !== undefined && known.serialNumber === seen.serialNumber) return;
  const comparable = remembered.filter((one) => seen[one] !== undefined);
  const changed = comparable.filter((one) => known[one] !== seen[one]);
  // A printer that no longer tells its identity could be any printer.
  const suspects = comparable.length > 0 ? changed : remembered;
  if (suspects.length === 0) return;
  const changes = suspects.map((one) => `${names[one]} was ${shown(known[one])} and is ${shown(seen[one])}`);
  throw new Problem('printer-swapped', `another printer answers: ${changes.join(', ')}`, {
    delivery: 'not-sent',
  });
}

/** The identity to remember: a printer may tell more of itself later. */
export const merged = (known: PrinterIdentity | undefined, seen: PrinterIdentity): PrinterIdentity => ({
  uuid: seen.uuid ?? known?.uuid,
  serialNumber: seen.serialNumber ?? known?.serialNumber,
  makeAndModel: seen.makeAndModel ?? known?.makeAndModel,
  firmware: seen.firmware ?? known?.firmware,
});

/** Model and firmware are the same, if both are known, so learned habits are still valid. */
export const isMadeAlike = (known: PrinterIdentity | undefined, seen: PrinterIdentity): boolean =>
  (['makeAndModel', 'firmware'] as const).every(
    (one) => known?.[one] === undefined || seen[one] === undefined || known[one] === seen[one],
  );

const shown = (text: string | undefined): string =>
  text === undefined ? 'not told' : printable(text.slice(0, 80));
