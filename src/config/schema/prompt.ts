/**
 * `prompt` of a terminal: the TTY for people who have a keyboard and no kiosk page. A TTY belongs to one terminal and
 * must not be a reader too.
 */
import { z } from 'zod';
import { promptLanguageCodes } from '../../domain/language.ts';

/** tty(4): the controlling terminal of the process. */
const controllingTerminal = '/dev/tty';

const what = 'must be off, tty, or a device, for example /dev/tty2';

const device = z
  .union([z.literal('tty'), z.string().regex(/^\/dev\/[A-Za-z0-9._/-]+$/)], what)
  .describe('tty: the terminal on which platen was started. Or a device, for example /dev/tty2')
  .transform((name) => (name === 'tty' ? controllingTerminal : name));

export const prompt = z
  .union(
    [
      z.literal('off'),
      device,
      z.strictObject({
        tty: device,
        wedge: z
          .boolean()
          .default(false)
          .describe(
            'true: a card reader types into this TTY. Platen reads text as a badge if it comes faster than a person types',
          ),
        language: z
          .enum(promptLanguageCodes)
          .default('en')
          .describe(
            'The language of the prompt. Japanese and Arabic need the page: text consoles lack their letters',
          ),
      }),
    ],
    `${what}, or { tty: DEVICE, wedge: true or false, language: ${promptLanguageCodes.join(' or ')} }`,
  )
  .default('off')
  .transform((said) => {
    if (said === 'off') return undefined;
    return typeof said === 'string' ? { tty: said, wedge: false, language: 'en' as const } : said;
  });

export type PromptConfig = NonNullable<z.output<typeof prompt>>;
