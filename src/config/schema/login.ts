/** `login` of a terminal: the ways to log in beside the badge (src/cloud/README.md 6; 12, rows 12 to 14). */
import { z } from 'zod';
import { onOrOff } from './values.ts';

const offered = (what: string) => onOrOff.describe(what);
const unproven = (what: string) =>
  z.boolean().default(false).describe(`${what} alone opens the session: no secret is asked for`);

export const login = z
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
