/** An entry of `terminals` (contract, section 2). */
import { z } from 'zod';
import { required } from '../../core/required.ts';
import { parseCardRule } from '../../domain/card/rule-text.ts';
import type { Outside } from './values.ts';
import { mostPrinters, namedPrinter, printer } from './printer.ts';
import { prompt } from './prompt.ts';
import { reader } from './reader.ts';
import { stick } from './stick.ts';
import { autoOr, onOrOff, readBy } from './values.ts';

export const terminalId = z.string().regex(/^[a-z0-9-]{1,32}$/, 'must be 1 to 32 of a-z, 0-9 and -');

export const place = z
  .string()
  .regex(/^\P{Cc}{1,80}$/u, 'must be one line of 1 to 80 characters')
  .optional()
  .describe('Place of the terminal, for example "Second floor, beside the lifts". The page shows it');

/** How the number from a reader is changed. */
const card = z.strictObject({
  rule: z
    .string()
    .default('')
    .transform(readBy(parseCardRule))
    .describe(
      "Rule that makes the card number from the reader's text. ; and + join its steps, for example Hex2Dec;LeftPadding(0,10). Empty: the text stays unchanged",
    ),
  decimal: onOrOff.describe(
    'Whether Platen converts a hexadecimal card number to decimal. auto: the output port decides; if card.rule is set, no',
  ),
  trim: z
    .enum(['auto', 'zeros', 'off'])
    .default('auto')
    .describe(
      'Whether Platen removes leading zeros of a card number. auto: the output port decides; if card.rule is set, no',
    ),
});

const session = z.strictObject({
  autoRelease: onOrOff.describe(
    'true: when a person signs in, all waiting documents are printed at once. auto: the output port decides',
  ),
  logoutTimeoutSeconds: autoOr(z.number().int().min(10).max(3600), '10 to 3600').describe(
    'The session ends when the person does nothing for this many seconds. auto: the output port decides, otherwise 60',
  ),
});

/** The keys as they are in the file. */
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
        'Serial number of the terminal in the service. Platen uses it to find the output port and the terminal config',
      ),
    place,
    printer: printer(outside).optional(),
    printers: z
      .array(namedPrinter(outside))
      .min(1)
      .max(mostPrinters)
      .optional()
      .describe(
        'Instead of printer: several printers at this screen, each with a name and the keys of printer. The first is the default. People can choose another on the page',
      ),
    readers: z
      .array(reader(outside))
      .default([])
      .describe('The card readers of the terminal. Each type has its own keys'),
    login,
    prompt: prompt.describe('TTY on which people type if there is no kiosk page. off: none'),
    card: card.prefault({}),
    outputPortId: autoOr(z.number().int().positive(), 'the number of an output port').describe(
      'Number of the output port in the service. auto: Platen finds it by serial number, then by address',
    ),
    delivery: z
      .enum(['local', 'cloud', 'cloud-then-local'])
      .default('local')
      .describe(
        'Sender of documents to the printer. local: Platen. cloud: the service. cloud-then-local: the service; if it refuses a document, Platen sends it',
      ),
    finish: z
      .enum(['delete', 'consume', 'keep'])
      .default('delete')
      .describe(
        'Handling of a printed document in the service. delete: Platen deletes it. consume: Platen fetches it once more, so that the service counts it as released. keep: it stays',
      ),
    preview: z
      .enum(['off', 'on'])
      .default('off')
      .describe(
        'Whether people may see the pages of a document on the page before they print it. A person behind them can see the pages, too',
      ),
    stick,
    session: session.prefault({}),
  });

/** If both printer keys are missing, the check shall report a missing printer address. */
const withPrinter = (given: unknown): unknown =>
  typeof given === 'object' && given !== null && !('printer' in given) && !('printers' in given)
    ? { ...given, printer: {} }
    : given;

/** In the result, `printer` is the default printer, also if there are several. */
export const terminal = (outside: Outside) =>
  z.preprocess(
    withPrinter,
    terminalKeys(outside)
      .refine(({ printer: one, printers: several }) => one === undefined || several === undefined, {
        path: ['printer'],
        error:
          'must not be set together with printers, because both name a default printer. Move it to the start of the list printers',
      })
      .transform(({ printer: one, printers, ...rest }) => ({
        ...rest,
        ...(printers && { printers }),
        printer: required(printers?.[0] ?? one, 'printer'),
      })),
  );

/** `login` of a terminal: the ways to sign in besides the badge (src/cloud/README.md 6; 12, rows 12 to 14). */
const offered = (what: string) => onOrOff.describe(what);
const unproven = (what: string) =>
  z.boolean().default(false).describe(`${what} alone opens the session: no secret is asked for`);

const login = z
  .strictObject({
    cardPin: z
      .enum(['off', 'on'])
      .default('off')
      .describe('on: every person enters a PIN after the badge. The service checks it'),
    shortId: offered(
      'Whether people may sign in with an ID number (the short id of the service). auto: the terminal config in the service decides; without it, no',
    ),
    password: offered(
      'Whether people may sign in with user name and password. auto: yes, unless the terminal config in the service allows only cards',
    ),
    nameOnly: unproven('The user name'),
    emailOnly: unproven('The e-mail address'),
    enrollment: offered(
      'Whether Platen registers an unknown badge for the person who then signs in. auto: the terminal config in the service decides',
    ),
  })
  .prefault({});
