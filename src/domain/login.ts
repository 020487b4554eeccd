/**
 * The ways to log in, the ways that a terminal offers (src/cloud/README.md 6; 12, rows 12 to 14), and the check of
 * typed words before a call.
 */
import type { Chance } from '../core/chance.ts';
import { numberBelow } from '../core/chance.ts';
import { Secret } from '../core/secret.ts';
import type { Credentials } from './user.ts';

export type TypedCredentials = Exclude<Credentials, { kind: 'card' }>;

/** The ways to log in by typing instead of a badge. */
export type TypedWay = TypedCredentials['kind'];

/** As the log names it. */
export type LoginWay = TypedWay | 'card' | 'card-pin';

export const wayOf = (credentials: Credentials): LoginWay =>
  credentials.kind === 'card' && credentials.password ? 'card-pin' : credentials.kind;

export interface LoginOffer {
  readonly ways: readonly TypedWay[];
  /** A badge alone opens nothing: its PIN is asked for. */
  readonly cardPin: boolean;
  /** An unknown badge may be registered for the person who signs in with it in hand. */
  readonly enrollment: boolean;
}

/** Short ids: INVARIANTS.md B.4, 2; their length: src/cloud/README.md 12, row 13. */
const shortId = /^\d{4,16}$/;
/** As many digits as the shortest limit of all known services. */
const drawnDigits = 8;
const longest = 255;

/** Invisible characters, except the two joiners that some scripts need. */
const unprintable = /(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}]/u;
const controls = /[\p{Cc}\p{Cs}]/u;

/** Whether a real person could have this name or secret. Other words are not sent. */
export function isPlausible(credentials: Credentials): boolean {
  switch (credentials.kind) {
    case 'card':
      return credentials.password === undefined || isSecret(credentials.password.reveal());
    case 'short-id':
      return shortId.test(credentials.shortId.reveal());
    case 'password':
      return isName(credentials.userName) && isSecret(credentials.password.reveal());
    case 'name':
      return isName(credentials.userName);
    default:
      return isName(credentials.email);
  }
}

/**
 * The service's API draws none (spec, Users). A short id alone opens a session (T09), so it comes from the same random
 * source as keys. It does not begin with 0, because a service may drop a leading 0.
 */
export function drawnShortId(chance: Chance): Secret {
  const least = 10n ** BigInt(drawnDigits - 1);
  return new Secret(String(least + numberBelow(chance, 9n * least)));
}

/** Wipes the secrets that were typed. */
export function wipe(credentials: Credentials): void {
  if (credentials.kind === 'card' || credentials.kind === 'password') credentials.password?.wipe();
  if (credentials.kind === 'short-id') credentials.shortId.wipe();
}

const isName = (text: string): boolean => text.trim() !== '' && !unprintable.test(text) && isShort(text);

const isSecret = (text: string): boolean => text !== '' && !controls.test(text) && isShort(text);

/** Counted as people count characters (UAX #29). A text that is certainly too long is not counted. */
function isShort(text: string): boolean {
  if (text.length <= longest) return true;
  if (text.length > longest * 16) return false;
  return [...new Intl.Segmenter().segment(text)].length <= longest;
}
