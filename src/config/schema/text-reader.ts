/**
 * What every reader that sends text is told in the configuration: how its numbers end, how long it may be silent, the
 * commands for its light and beeper, and whether the service is told of its badges instead of a login here.
 */
import { z } from 'zod';
import { macSpellings, spellMac } from '../../domain/mac-address.ts';
import type { ReaderSignal } from '../../domain/ports/readers.ts';

const framing = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('line') }),
    z.strictObject({ kind: z.literal('stx-etx') }),
    z.strictObject({ kind: z.literal('fixed'), length: z.number().int().min(2).max(128) }),
    z.strictObject({
      kind: z.literal('gap'),
      milliseconds: z.number().int().min(10).max(1000).default(50),
    }),
  ])
  .prefault({ kind: 'line' })
  .describe('How a number ends: line end, STX and ETX, a length in bytes, or a silence');

export const silentAfterHours = z
  .union([z.literal('off'), z.number().positive().max(8760)], 'must be off or a number of hours')
  .default('off')
  .describe('No badge for so long is a condition');

/**
 * One byte a character, written as YAML writes what cannot be typed: `"\x02L1\r"`. In a text without double quotes the
 * backslash would be sent as such, which nobody means.
 */
const command = z
  .string()
  .regex(/^[\u0000-\u00ff]{1,256}$/, 'must be 1 to 256 characters, none above \\xFF')
  .refine(
    (text) => !/\\(?:x[0-9a-f]{2}|[0abefnrtv])/i.test(text),
    'must stand in double quotes, as in "\\x02L1\\r", or \\x and \\r are sent as they are written',
  );

const signals = z
  .strictObject({
    accepted: command.optional(),
    refused: command.optional(),
    done: command.optional(),
  } satisfies Record<ReaderSignal, z.ZodType>)
  .optional()
  .describe('Commands for the light and beeper of the reader: login accepted, refused, all documents out');

const relay = z
  .strictObject({
    mac: z.string().describe('The MAC address by which the service knows the reader'),
    format: z.enum(macSpellings).default('upper-colon').describe('How the service spells it'),
  })
  .transform(({ mac, format }, context) => {
    const spelled = spellMac(mac, format);
    if (spelled !== undefined) return { mac: spelled };
    context.addIssue({
      code: 'custom',
      path: ['mac'],
      message: 'must be a MAC address, as in 00:11:22:33:44:55',
    });
    return z.NEVER;
  })
  .optional()
  .describe('Cards do not sign in here: they are reported to the service, which prints');

export const textReader = { framing, silentAfterHours, signals, relay };
