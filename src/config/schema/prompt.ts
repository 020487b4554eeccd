/**
 * `prompt` of a terminal: the TTY on which it speaks with people who have a keyboard and no kiosk page. A TTY belongs
 * to one terminal, and to no reader beside it.
 */
import { z } from 'zod';

/** tty(4): the controlling terminal of the process. */
const controllingTerminal = '/dev/tty';

const what = 'must be off, tty, or a device as in /dev/tty2';

const device = z
  .union([z.literal('tty'), z.string().regex(/^\/dev\/[A-Za-z0-9._/-]+$/)], what)
  .describe('tty: the terminal on which platen was started; or a device, as in /dev/tty2')
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
            'A card reader types into this TTY: text that comes faster than a person types is a badge',
          ),
      }),
    ],
    `${what}, or { tty: DEVICE, wedge: true }`,
  )
  .default('off')
  .transform((said) => {
    if (said === 'off') return undefined;
    return typeof said === 'string' ? { tty: said, wedge: false } : said;
  });

export type PromptConfig = NonNullable<z.output<typeof prompt>>;
