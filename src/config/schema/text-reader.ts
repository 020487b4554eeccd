/**
 * The keys that all text readers share: the framing of numbers, the longest silence, and the commands for light and
 * beeper. `relay` reports badges to the service instead of signing a person in, with the reader's MAC address.
 */
import { z } from 'zod';
import type { ReaderSignal } from '../../domain/ports/readers.ts';

export const framingKinds = {
  line: z.literal('line').describe('A number ends with its line, or with Enter or Tab'),
  fixed: z.literal('fixed').describe('Each number has the same length'),
  gap: z.literal('gap').describe('A number ends when the reader sends nothing for a time'),
};

const framing = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: framingKinds.line }),
    z.strictObject({ kind: z.literal('stx-etx').describe('A number is between STX and ETX') }),
    z.strictObject({
      kind: framingKinds.fixed,
      length: z.number().int().min(2).max(128).describe('Number of bytes of a number'),
    }),
    z.strictObject({
      kind: framingKinds.gap,
      milliseconds: z.number().int().min(10).max(1000).default(50).describe('Milliseconds without a byte'),
    }),
  ])
  .prefault({ kind: 'line' })
  .describe('How a number ends');

export const silentAfterHours = z
  .union([z.literal('off'), z.number().positive().max(8760)], 'must be off or a number of hours')
  .default('off')
  .describe('If no badge is read for this many hours, Platen raises the condition reader-silent. off: never');

/**
 * Each character is one byte. YAML writes control characters as escapes: `"\x02L1\r"`. Without double quotes, the
 * backslash itself would be sent, which is never intended.
 */
const command = z
  .string()
  .regex(/^[\u0000-\u00ff]{1,256}$/, 'must be 1 to 256 characters, not above \\xFF')
  .refine(
    (text) => !/\\(?:x[0-9a-f]{2}|[0abefnrtv])/i.test(text),
    'must be in double quotes, for example "\\x02L1\\r". Otherwise Platen sends \\x and \\r as plain letters',
  );

const signals = z
  .strictObject({
    accepted: command.optional().describe('Sent when a login is accepted, for example "\\x02L1\\r"'),
    refused: command.optional().describe('Sent when a login is refused'),
    done: command.optional().describe('Sent when all documents are printed'),
  } satisfies Record<ReaderSignal, z.ZodType>)
  .optional()
  .describe(
    'Commands for the light and beeper of the reader: login accepted, login refused, all documents printed',
  );

/**
 * How the service may want the MAC address of a reader. The spelling is not published (src/cloud/README.md 12, row 43):
 * upper or lower case, with colons, dashes or nothing between the bytes.
 */
const macSpellings = [
  'upper-colon',
  'upper-dash',
  'upper-none',
  'lower-colon',
  'lower-dash',
  'lower-none',
] as const;
export type MacSpelling = (typeof macSpellings)[number];

/** Takes the address in any of the usual spellings; `undefined` if it is no MAC address. */
export function spellMac(mac: string, spelling: MacSpelling): string | undefined {
  const digits = mac.replace(/[:.\s-]/g, '');
  if (!/^[0-9a-f]{12}$/i.test(digits)) return undefined;
  const [letters, separator] = spelling.split('-');
  const cased = letters === 'upper' ? digits.toUpperCase() : digits.toLowerCase();
  return cased.replace(/..(?=.)/g, `$&${separator === 'colon' ? ':' : separator === 'dash' ? '-' : ''}`);
}

const relay = z
  .strictObject({
    mac: z.string().describe('MAC address of the reader in the service'),
    format: z.enum(macSpellings).default('upper-colon').describe('How the service writes the MAC address'),
  })
  .transform(({ mac, format }, context) => {
    const spelled = spellMac(mac, format);
    if (spelled !== undefined) return { mac: spelled };
    context.addIssue({
      code: 'custom',
      path: ['mac'],
      message: 'must be a MAC address, for example 00:11:22:33:44:55',
    });
    return z.NEVER;
  })
  .optional()
  .describe(
    'A card does not sign a person in. Platen reports the card to the service, and the service prints',
  );

export const textReader = { framing, silentAfterHours, signals, relay };
