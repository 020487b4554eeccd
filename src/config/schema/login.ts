/** `login` of a terminal: the ways to log in beside the badge (src/cloud/README.md 6; 12, rows 12 to 14). */
import { z } from 'zod';
import type { LocalSettings } from '../../domain/terminal/terminal-settings.ts';
import { autoOr } from './values.ts';

const offered = (what: string) => autoOr(z.boolean(), 'true or false').describe(what);
const unproven = (what: string) =>
  z.boolean().default(false).describe(`${what} alone opens the session: no secret is asked for`);

export const login = z
  .strictObject({
    cardPin: z
      .enum(['off', 'on'])
      .default('off')
      .describe('on: after the badge its PIN, checked by the service; for everybody'),
    shortId: offered('A short id; auto: where the terminal config in the cloud says so'),
    password: offered('User name and password; auto: unless the cloud says cards only'),
    nameOnly: unproven('The user name'),
    emailOnly: unproven('The e-mail address'),
    enrollment: offered(
      'Who signs in with an unknown badge in hand makes it theirs; auto: as the cloud says',
    ),
  })
  .prefault({});

type LoginConfig = z.output<typeof login>;

/** What only people who can type are offered is left to the cloud only where there is something to type on. */
export function localLogins(
  { shortId, password, enrollment }: LoginConfig,
  { canType }: { readonly canType: boolean },
): Pick<LocalSettings, 'shortIdLogin' | 'passwordLogin' | 'cardEnrollment'> {
  const own = (said: boolean | 'auto') => (said === 'auto' ? (canType ? undefined : false) : said);
  return {
    shortIdLogin: own(shortId),
    passwordLogin: own(password),
    cardEnrollment: own(enrollment),
  };
}
