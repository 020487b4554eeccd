/** `printer` of a terminal: where it is, and how documents reach it. */
import { z } from 'zod';
import { namesZone, zoneRefusal } from '../../domain/printer/printer-address.ts';
import { spoolerQueue } from '../../domain/printer/spooler-queue.ts';
import { hasWhereToGo, printerAccess } from './printer-access.ts';
import type { Outside } from './values.ts';
import { autoOr, onOrOff, parsedUrl } from './values.ts';

const printerSchemes = ['ipp:', 'ipps:', 'socket:', 'cups:', 'windows:'];
/** Of `printer.uri`. */
export const printerUri = z
  .string()
  .describe(
    'Address of the printer: ipp://, ipps://, socket://HOST:9100, cups:QUEUE or windows:PRINTER; auto: that of the output port in the service, within printerNetwork',
  )
  .refine(
    (text) => text === 'auto' || namesZone(text) || printerSchemes.includes(parsedUrl(text)?.protocol ?? ''),
    'must be ipp://, ipps://, socket://, cups: or windows:, as in ipp://10.0.0.7/ipp/print, or auto',
  )
  .refine((text) => !namesZone(text), zoneRefusal)
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

/** Of one printer. */
const printerKeys = (outside: Outside) => ({
  uri: printerUri,
  ...printerAccess(outside),
  outputType: z
    .enum(['auto', 'raw', 'pdf', 'pcl6', 'ps3', 'ps2'])
    .default('auto')
    .describe(
      'Format in which documents reach the printer; raw: as they are; auto: as they are where the printer takes their format, else converted',
    ),
  stallSeconds: autoOr(z.number().int().min(5).max(600), 'a whole number from 5 to 600').describe(
    'Seconds in which the printer takes no byte, after which the transfer is broken off; auto: 30 before the first byte, 120 in the midst',
  ),
  jobStallSeconds: autoOr(z.number().int().min(30).max(86_400), 'a whole number from 30 to 86400').describe(
    'Seconds that a job may make no progress at the printer; auto: ten minutes and half a minute a page, while the printer works and reports no problem',
  ),
  pjl: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe('socket:// only; auto: PJL commands around the document; off: its bytes alone'),
  cutThrough: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe(
      'auto: a document above 8 MiB is sent on while it still arrives (ipp://, ipps:// and cups:); off: never',
    ),
  requireConfirmation: z
    .boolean()
    .default(false)
    .describe('true: a document that the printer took but did not confirm as printed is unknown'),
  resetIsEnd: z
    .boolean()
    .default(false)
    .describe(
      'socket:// only; true: a printer that took every byte and then breaks the connection has ended in order',
    ),
  monochrome: onOrOff.describe(
    'true: everything is printed in black and white; auto: as the output port says',
  ),
  sendUsername: onOrOff.describe('true: the printer is told the user name; auto: as the output port says'),
  softwareCopies: onOrOff.describe(
    'true: copies are made here and not by the printer; auto: as the output port says',
  ),
  reverseOutput: onOrOff.describe('true: the last sheet is printed first; auto: as the output port says'),
});

const credentialsAstray = {
  path: ['credentials'],
  error: 'need an address of this file to go to: printer.uri must be ipp://, ipps:// or cups:',
};

export const printer = (outside: Outside) =>
  z.strictObject(printerKeys(outside)).refine(hasWhereToGo, credentialsAstray);

/** One of several at one screen, which people tell apart by its name. */
export const namedPrinter = (outside: Outside) =>
  z
    .strictObject({
      name: z
        .string()
        .regex(/^\S(\P{Cc}{0,38}\S)?$/u, 'must be one line of 1 to 40 characters, without spaces around it')
        .describe('By which people tell it from the others, as in "Colour, first floor"; shown on the page'),
      ...printerKeys(outside),
    })
    .refine(hasWhereToGo, credentialsAstray);

/** More have no room on a page, and nobody stands before them all. */
export const mostPrinters = 8;
