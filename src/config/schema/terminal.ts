/** One entry of `terminals` (contract, section 2). */
import { z } from 'zod';
import { parseCardRule } from '../../domain/card/rule-text.ts';
import { spoolerQueue } from '../../domain/printer/spooler-queue.ts';
import { login } from './login.ts';
import type { Outside } from './values.ts';
import { hasWhereToGo, printerAccess } from './printer-access.ts';
import { prompt } from './prompt.ts';
import { reader } from './reader.ts';
import { absent, autoOr, parsedUrl, readBy } from './values.ts';

const printerSchemes = ['ipp:', 'ipps:', 'socket:', 'cups:', 'windows:'];
/** Of `printer.uri`. */
export const printerUri = z
  .string()
  .describe('auto: what the output port in the cloud says, within printerNetwork')
  .refine(
    (text) => text === 'auto' || printerSchemes.includes(parsedUrl(text)?.protocol ?? ''),
    'must be ipp://, ipps://, socket://, cups: or windows:, as in ipp://10.0.0.7/ipp/print, or auto',
  )
  .refine((text) => {
    const url = parsedUrl(text);
    return !url || !/^(ipps?|socket):$/.test(url.protocol) || url.hostname !== '';
  }, 'names no host')
  .refine((text) => {
    const url = parsedUrl(text);
    return !url || (url.username === '' && url.password === '');
  }, 'must not carry a user name or a password, which everybody could read; see printer.credentials')
  .refine(
    (text) => !text.startsWith('cups:') || spoolerQueue(text) !== undefined,
    'must be cups:QUEUE or cups://host/QUEUE, with a queue of 1 to 127 of A-Z, a-z, 0-9, _, . and -',
  );

export const terminalId = z.string().regex(/^[a-z0-9-]{1,32}$/, 'must be 1 to 32 of a-z, 0-9 and -');

const onOrOff = autoOr(z.boolean(), 'true or false');

export const place = z
  .string()
  .regex(/^\P{Cc}{1,80}$/u, 'must be one line of 1 to 80 characters')
  .optional()
  .describe('Where it stands, for who looks for it: Second floor, beside the lifts');

export const terminal = (outside: Outside) =>
  z.strictObject({
    id: terminalId,
    serialNumber: z
      .string()
      .min(1)
      .max(255)
      .describe('Finds the output port and the terminal config in the cloud'),
    place,
    printer: z
      .strictObject({
        uri: printerUri,
        ...printerAccess(outside),
        outputType: z.enum(['auto', 'raw', 'pdf', 'pcl6', 'ps3', 'ps2']).default('auto'),
        stallSeconds: z
          .number()
          .int()
          .min(5)
          .max(600)
          .default(30)
          .describe('No byte taken by the printer for so long breaks the transfer off'),
        jobStallSeconds: autoOr(
          z.number().int().min(30).max(86_400),
          'a whole number from 30 to 86400',
        ).describe(
          'A job that the printer holds; auto: ten minutes and half a minute a page without any progress, while the printer works and names no obstacle',
        ),
        pjl: z
          .enum(['auto', 'off'])
          .default('auto')
          .describe('socket:// only: PJL around the document, or off for its bytes alone'),
        cutThrough: z
          .enum(['auto', 'off'])
          .default('auto')
          .describe('auto: above 8 MiB, ipp://, ipps:// and cups: print while the document still comes in'),
        requireConfirmation: z.boolean().default(false),
        monochrome: onOrOff,
        sendUsername: onOrOff,
        softwareCopies: onOrOff,
        reverseOutput: onOrOff,
      })
      .refine(hasWhereToGo, {
        path: ['credentials'],
        error: 'need an address of this file to go to: printer.uri must be ipp://, ipps:// or cups:',
      })
      .prefault(absent),
    readers: z.array(reader(outside)).default([]),
    login,
    prompt: prompt.describe('Where people type who have no kiosk page'),
    card: z
      .strictObject({
        rule: z
          .string()
          .default('')
          .transform(readBy(parseCardRule))
          .describe('A card-number rule: steps joined by ; and +, as in Hex2Dec;LeftPadding(0,10)'),
        decimal: onOrOff.describe('A hexadecimal card number becomes decimal'),
        trim: z.enum(['auto', 'zeros', 'off']).default('auto').describe('Leading zeros go'),
      })
      .prefault({}),
    outputPortId: autoOr(z.number().int().positive(), 'the number of an output port'),
    delivery: z.enum(['local', 'cloud', 'cloud-then-local']).default('local'),
    finish: z.enum(['delete', 'consume', 'keep']).default('delete'),
    session: z
      .strictObject({
        autoRelease: onOrOff,
        logoutTimeoutSeconds: autoOr(z.number().int().min(10).max(3600), '10 to 3600'),
      })
      .prefault({}),
  });
