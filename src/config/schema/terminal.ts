/** One entry of `terminals` (contract, section 2). */
import { z } from 'zod';
import { required } from '../../core/required.ts';
import { parseCardRule } from '../../domain/card/rule-text.ts';
import { login } from './login.ts';
import type { Outside } from './values.ts';
import { mostPrinters, namedPrinter, printer } from './printer.ts';
import { prompt } from './prompt.ts';
import { reader } from './reader.ts';
import { stick } from './person/stick.ts';
import { autoOr, onOrOff, readBy } from './values.ts';

export const terminalId = z.string().regex(/^[a-z0-9-]{1,32}$/, 'must be 1 to 32 of a-z, 0-9 and -');

export const place = z
  .string()
  .regex(/^\P{Cc}{1,80}$/u, 'must be one line of 1 to 80 characters')
  .optional()
  .describe('Where the terminal stands, as in "Second floor, beside the lifts"; shown on the page');

/** What becomes of the number that a reader sends. */
const card = z.strictObject({
  rule: z
    .string()
    .default('')
    .transform(readBy(parseCardRule))
    .describe(
      'Rule that makes the card number of what the reader sends: steps joined by ; and +, as in Hex2Dec;LeftPadding(0,10). Empty: as it comes',
    ),
  decimal: onOrOff.describe(
    'Whether a hexadecimal card number is made decimal; auto: as the output port says, or no where card.rule is set',
  ),
  trim: z
    .enum(['auto', 'zeros', 'off'])
    .default('auto')
    .describe(
      'Whether leading zeros of a card number are taken away; auto: as the output port says, or no where card.rule is set',
    ),
});

const session = z.strictObject({
  autoRelease: onOrOff.describe(
    'true: signing in prints all waiting documents at once; auto: as the output port says',
  ),
  logoutTimeoutSeconds: autoOr(z.number().int().min(10).max(3600), '10 to 3600').describe(
    'Seconds without a sign of the person after which the session ends; auto: as the output port says, else 60',
  ),
});

/** Its keys, as they stand in the file. */
export const terminalKeys = (outside: Outside) =>
  z.strictObject({
    id: terminalId.describe(
      'Name of the terminal in commands, logs and addresses: 1 to 32 of a-z, 0-9 and -',
    ),
    serialNumber: z
      .string()
      .min(1)
      .max(255)
      .describe(
        'Serial number by which the service knows the terminal: it finds its output port and terminal config',
      ),
    place,
    printer: printer(outside).optional(),
    printers: z
      .array(namedPrinter(outside))
      .min(1)
      .max(mostPrinters)
      .optional()
      .describe(
        'In place of printer: several printers at this screen, each with a name and the keys of printer. The first is the default; people pick another on the page',
      ),
    readers: z
      .array(reader(outside))
      .default([])
      .describe('The card readers of the terminal; each type has its own keys'),
    login,
    prompt: prompt.describe('TTY on which people type where there is no kiosk page; off: none'),
    card: card.prefault({}),
    outputPortId: autoOr(z.number().int().positive(), 'the number of an output port').describe(
      'Number of the output port in the service; auto: found by serial number, then by address',
    ),
    delivery: z
      .enum(['local', 'cloud', 'cloud-then-local'])
      .default('local')
      .describe(
        'Who sends documents to the printer; local: Platen; cloud: the service; cloud-then-local: the service, and Platen what it refused',
      ),
    finish: z
      .enum(['delete', 'consume', 'keep'])
      .default('delete')
      .describe(
        'What becomes of a printed document in the service; delete: it is deleted; consume: it is fetched once more, so that the service counts it as released; keep: it stays',
      ),
    preview: z
      .enum(['off', 'on'])
      .default('off')
      .describe(
        'Whether people may look at the pages of a document on the page before they print it. Whoever stands behind them can look, too',
      ),
    stick,
    session: session.prefault({}),
  });

/** Where nothing says where it prints, the address of its printer is what is missing. */
const withPrinter = (given: unknown): unknown =>
  typeof given === 'object' && given !== null && !('printer' in given) && !('printers' in given)
    ? { ...given, printer: {} }
    : given;

/** `printer` of the outcome is the default one of several, too. */
export const terminal = (outside: Outside) =>
  z.preprocess(
    withPrinter,
    terminalKeys(outside)
      .refine(({ printer: one, printers: several }) => one === undefined || several === undefined, {
        path: ['printer'],
        error:
          'stands beside printers: two say which one is the default. Move it into the list, as the first',
      })
      .transform(({ printer: one, printers, ...rest }) => ({
        ...rest,
        ...(printers && { printers }),
        printer: required(printers?.[0] ?? one, 'printer'),
      })),
  );
