/**
 * The ways to say who one is, what a terminal offers of them (src/cloud/README.md 6; 12, rows 12 to 14), and what
 * typed words must look like before anybody is asked about them.
 */
import type { Chance } from '../core/chance.ts';
import { numberBelow } from '../core/chance.ts';
import { Secret } from '../core/secret.ts';
import type { Credentials } from './user.ts';

export type TypedCredentials = Exclude<Credentials, { kind: 'card' }>;

/** What may be typed instead of a badge. */
export type TypedWay = TypedCredentials['kind'];

/** As the log names it. */
export type LoginWay = TypedWay | 'card' | 'card-pin';

export const wayOf = (credentials: Credentials): LoginWay =>
  credentials.kind === 'card' && credentials.password ? 'card-pin' : credentials.kind;

export interface LoginOffer {
  readonly ways: readonly TypedWay[];
  /** A badge alone opens nothing: its PIN is asked for. */
  readonly cardPin: boolean;
  /** An unknown badge may become the badge of whoever signs in with it in hand. */
  readonly enrollment: boolean;
}

/** Short ids: INVARIANTS.md B.4, 2; their length: src/cloud/README.md 12, row 13. */
const shortId = /^\d{4,16}$/;
/** As many as the shortest limit that services are known to have. */
const drawnDigits = 8;
const longest = 255;

/** Nothing that is not seen, but for the two joiners that some scripts are written with. */
const unprintable = /(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}]/u;
const controls = /[\p{Cc}\p{Cs}]/u;

/** Whether anybody could be called so, or have such a secret; what does not pass is not sent. */
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
 * The service's API draws none (spec, Users). It is all that opens a session where it is typed (T09): so it comes from the
 * random numbers that keys come from. It begins with no 0, which a service may take for nothing.
 */
export function drawnShortId(chance: Chance): Secret {
  const least = 10n ** BigInt(drawnDigits - 1);
  return new Secret(String(least + numberBelow(chance, 9n * least)));
}

/** Forgets what was typed in secret. */
export function wipe(credentials: Credentials): void {
  if (credentials.kind === 'card' || credentials.kind === 'password') credentials.password?.wipe();
  if (credentials.kind === 'short-id') credentials.shortId.wipe();
}

const isName = (text: string): boolean => text.trim() !== '' && !unprintable.test(text) && isShort(text);

const isSecret = (text: string): boolean => text !== '' && !controls.test(text) && isShort(text);

/** As people count (UAX #29); what could not be so few is not counted. */
function isShort(text: string): boolean {
  if (text.length <= longest) return true;
  if (text.length > longest * 16) return false;
  return [...new Intl.Segmenter().segment(text)].length <= longest;
}
