/** `printer` of a terminal: its address, and how documents reach it; and `printerNetwork`. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { changeable } from '../../domain/document-changes.ts';
import { paperWork } from '../../domain/printer/paper-work-form.ts';
import { namesZone, zoneRefusal } from '../../domain/printer/printer-address.ts';
import { spoolerQueue } from '../../domain/printer/spooler-queue.ts';
import type { LocalPrinterSettings } from '../../domain/terminal/terminal-settings.ts';
import type { Outside } from './values.ts';
import { autoOr, neverShown, onOrOff, parsedUrl, readBy, secretSource, unlessAuto } from './values.ts';

const printerSchemes = ['ipp:', 'ipps:', 'socket:', 'cups:', 'cupss:', 'windows:'];
export const printerUri = z
  .string()
  .describe(
    'Address of the printer: ipp://, ipps://, socket://HOST:9100, cups:QUEUE, cups://HOST/QUEUE, cupss://HOST/QUEUE or windows:PRINTER. auto: the address of the output port in the service, if printerNetwork allows it',
  )
  .refine(
    (text) => text === 'auto' || namesZone(text) || printerSchemes.includes(parsedUrl(text)?.protocol ?? ''),
    'must be ipp://, ipps://, socket://, cups: or windows:, for example ipp://10.0.0.7/ipp/print, or auto',
  )
  .refine((text) => !namesZone(text), zoneRefusal)
  .refine((text) => {
    const url = parsedUrl(text);
    return !url || !/^(ipps?|socket):$/.test(url.protocol) || url.hostname !== '';
  }, 'names no host')
  .refine((text) => {
    const url = parsedUrl(text);
    return !url || (url.username === '' && url.password === '');
  }, 'must not contain a user name or a password, because everybody could read it. Use printer.credentials')
  .refine(
    (text) => !/^cupss?:/.test(text) || spoolerQueue(text) !== undefined,
    'must be cups:QUEUE, cups://host/QUEUE or cupss://host/QUEUE, with a queue of 1 to 127 of A-Z, a-z, 0-9, _, . and -',
  );

const printerKeys = (outside: Outside) => ({
  uri: printerUri,
  ...printerAccess(outside),
  outputType: z
    .enum(['auto', 'raw', 'pdf', 'pcl6', 'ps3', 'ps2'])
    .default('auto')
    .describe(
      'Format in which documents reach the printer. raw: unchanged. auto: unchanged if the printer accepts their format, otherwise converted',
    ),
  stallSeconds: autoOr(z.number().int().min(5).max(600), 'a whole number from 5 to 600').describe(
    'If the printer takes no byte for this many seconds, Platen stops the transfer. auto: 30 before the first byte, 120 after it',
  ),
  jobStallSeconds: autoOr(z.number().int().min(30).max(86_400), 'a whole number from 30 to 86400').describe(
    'Maximum number of seconds without progress of a job at the printer. auto: 10 minutes and half a minute for each page, while the printer works and reports no problem',
  ),
  pjl: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe(
      'Only for socket://. auto: PJL commands before and after the document. off: only the bytes of the document',
    ),
  cutThrough: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe(
      'auto: Platen starts to send a document above 8 MiB to the printer while it still arrives from the service (ipp://, ipps:// and cups:). off: never',
    ),
  offers: z
    .array(z.enum(changeable))
    .default([...changeable])
    .describe(
      'The options that people may choose for a document, if the printer can do them. Without this key: all. The work on paper needs ipp://, ipps:// or cups:',
    ),
  defaults: paperWork
    .default({})
    .describe(
      'The work on paper if a person chooses nothing else, in the words of the printer, for example staple: staple-top-left or output-bin: tray-1',
    ),
  requireConfirmation: z
    .boolean()
    .default(false)
    .describe('true: if the printer took a document but did not confirm the print, the outcome is unknown'),
  resetIsEnd: z
    .boolean()
    .default(false)
    .describe(
      'Only for socket://. true: if the printer took every byte and then breaks the connection, Platen counts this as a normal end',
    ),
  monochrome: onOrOff.describe(
    'true: everything is printed in black and white. auto: the output port decides',
  ),
  sendUsername: onOrOff.describe(
    'true: Platen sends the user name to the printer. auto: the output port decides',
  ),
  softwareCopies: onOrOff.describe(
    'true: Platen makes the copies, not the printer. auto: the output port decides',
  ),
  reverseOutput: onOrOff.describe('true: the last sheet is printed first. auto: the output port decides'),
});

type PrinterKeys = z.output<z.ZodObject<ReturnType<typeof printerKeys>>>;

/** With the names that the service uses. */
export const localPrinterSettings = (printer: PrinterKeys): Required<LocalPrinterSettings> => ({
  printerUri: unlessAuto(printer.uri),
  outputType: unlessAuto(printer.outputType),
  monochrome: unlessAuto(printer.monochrome),
  sendUsername: unlessAuto(printer.sendUsername),
  softwareCopyCollation: unlessAuto(printer.softwareCopies),
  isReverseFinisher: unlessAuto(printer.reverseOutput),
});

const credentialsWithoutAddress = {
  path: ['credentials'],
  error: 'need an address in this file. printer.uri must be ipp://, ipps:// or cups:',
};

export const printer = (outside: Outside) =>
  z.strictObject(printerKeys(outside)).refine(hasWhereToGo, credentialsWithoutAddress);

/** One of several printers at a screen. People tell them apart by name. */
export const namedPrinter = (outside: Outside) =>
  z
    .strictObject({
      name: z
        .string()
        .regex(/^\S(\P{Cc}{0,38}\S)?$/u, 'must be one line of 1 to 40 characters, without spaces at its ends')
        .describe('Name of the printer for people, for example "Colour, first floor". The page shows it'),
      ...printerKeys(outside),
    })
    .refine(hasWhereToGo, credentialsWithoutAddress);

/** A page has no room for more, and no person stands before so many printers. */
export const mostPrinters = 8;

/**
 * Part of `terminals[].printer`: how Platen trusts a printer (`tls`), and how Platen signs in at it (`credentials`).
 * Both are for IPP printers. Credentials are only for an address that the administrator wrote (INVARIANTS.md T12).
 */
const printerAccess = (outside: Outside) => ({
  credentials: z
    .strictObject({
      username: z
        .string()
        .min(1)
        .max(255)
        .regex(/^[^:\p{Cc}]+$/u, 'must not contain a colon or control characters')
        .describe('User name of Platen at the printer')
        .meta(neverShown),
      password: secretSource
        .transform(readBy(outside.secret))
        .describe('Password of Platen at the printer; a secret'),
    })
    .optional()
    .describe(
      'User name and password for the printer. Platen uses HTTP Digest, and Basic only over ipps:// or cupss://, or on this computer',
    ),
  tls: z
    .strictObject({
      trust: z
        .enum(['auto', 'ca'])
        .default('auto')
        .describe(
          'Which certificates Platen trusts over ipps:// and cupss://. auto: certificates of a trusted authority, otherwise the certificate of the first connection. ca: only certificates of a trusted authority',
        ),
      caFile: z
        .string()
        .min(1)
        .transform(readBy(outside.certificates))
        .optional()
        .describe(
          'PEM file of authorities that Platen trusts for the printer, in addition to those of the system',
        ),
    })
    .prefault({})
    .describe('ipps:// and cupss:// only'),
});

/** Credentials never go to an address that may come from the service. Other protocols have no credentials. */
const hasWhereToGo = ({
  uri,
  credentials,
}: {
  readonly uri: string;
  readonly credentials?: object | undefined;
}) => credentials === undefined || /^(ipps?|cupss?):/.test(uri);

const cidr = z.string().refine((text) => {
  const [address = '', prefix = '', ...rest] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits;
}, 'must be a network, for example 10.0.0.0/24 or fd00::/8');

const portNumber = z.int().min(1).max(65_535);

const portRange = z
  .union([portNumber, z.string()], 'must be a port or a range of ports')
  .transform((ports, context) => {
    const [first = 0, last = first] = String(ports).split('-', 2).map(Number);
    const isRange = /^\d{1,5}(-\d{1,5})?$/.test(String(ports)) && first <= last;
    if (isRange && portNumber.safeParse(first).success && portNumber.safeParse(last).success) {
      return { first, last };
    }
    context.addIssue({
      code: 'custom',
      message: 'must be a port or a range of ports, for example 9100-9109',
    });
    return z.NEVER;
  });

/**
 * `printerNetwork`: the networks in which a printer may be if its address comes from the service (INVARIANTS.md D9).
 * It does not limit addresses in the configuration itself.
 */
export const printerNetwork = z.strictObject({
  allow: z
    .array(cidr)
    .default([])
    .describe(
      'If the address of a printer comes from the service, it must be in one of these networks, for example 10.0.0.0/24. []: no such address is allowed',
    ),
  ports: z
    .array(portRange)
    .prefault([631, 443, '9100-9109'])
    .describe('Ports that such an address may have: numbers, or ranges such as 9100-9109'),
  schemes: z
    .array(z.enum(['ipp', 'ipps', 'socket']))
    .default(['ipp', 'ipps', 'socket'])
    .describe('Protocols that such an address may have'),
});
