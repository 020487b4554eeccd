/**
 * The challenges of a 401, and the Authorization that answers one: Basic (RFC 7617), and Digest with MD5 or SHA-256,
 * also the session variants, with qop=auth (RFC 7616) or without qop for old printers (RFC 2069). It is our own code,
 * because Node's client supports neither and it is only a few hashes.
 */
import { createHash } from 'node:crypto';
import type { Secret } from '../../../core/secret.ts';

/** `printer.credentials` of the configuration. */
export interface PrinterCredentials {
  readonly username: string;
  readonly password: Secret;
}

const hashes: Readonly<Record<string, string>> = { 'SHA-256': 'sha256', MD5: 'md5' };
const sessionForm = /-SESS$/i;
const hashOf = ({ parameters }: Challenge): string | undefined => {
  const { algorithm = 'MD5' } = parameters;
  return hashes[algorithm.toUpperCase().replace(sessionForm, '')];
};
const isOfSession = ({ parameters }: Challenge): boolean => sessionForm.test(parameters['algorithm'] ?? '');

/** The quality of protection to answer with: none if the printer offers none; the session variants need one. */
function qopOf(challenge: Challenge): 'auth' | 'none' | undefined {
  const { qop } = challenge.parameters;
  if (qop === undefined) return isOfSession(challenge) ? undefined : 'none';
  const offers = qop.split(',').map((one) => one.trim().toLowerCase());
  return offers.includes('auth') ? 'auth' : undefined;
}

const isDigest = (challenge: Challenge): boolean => {
  const { nonce, realm } = challenge.parameters;
  return (
    challenge.scheme === 'digest' &&
    hashOf(challenge) !== undefined &&
    nonce !== undefined &&
    realm !== undefined &&
    qopOf(challenge) !== undefined
  );
};

/** The strongest challenge that can be answered; `undefined` if there is none. */
export function strongest(challenges: readonly Challenge[]): Challenge | undefined {
  const digests = challenges.filter(isDigest);
  return (
    digests.find((one) => hashOf(one) === 'sha256') ??
    digests.find((one) => qopOf(one) === 'auth') ??
    digests[0] ??
    challenges.find(({ scheme }) => scheme === 'basic')
  );
}

export const basicAuthorization = ({ username, password }: PrinterCredentials): string =>
  `Basic ${Buffer.from(`${username}:${password.reveal()}`).toString('base64')}`;

interface DigestUse {
  readonly challenge: Challenge;
  readonly credentials: PrinterCredentials;
  readonly method: string;
  /** The request-target. */
  readonly path: string;
  /** How often this nonce was used, including this time. */
  readonly count: number;
  readonly cnonce: string;
}

/** RFC 7616 section 3.4; without qop RFC 2069 section 2.1.2. */
export function digestAuthorization({ challenge, credentials, count, cnonce, ...use }: DigestUse): string {
  const { method, path } = use;
  const { nonce = '', realm = '', opaque, algorithm } = challenge.parameters;
  const { username, password } = credentials;
  const hash = (text: string) =>
    createHash(hashOf(challenge) ?? 'md5')
      .update(text)
      .digest('hex');
  const nc = count.toString(16).padStart(8, '0');
  const own = hash(`${username}:${realm}:${password.reveal()}`);
  const secret = isOfSession(challenge) ? hash(`${own}:${nonce}:${cnonce}`) : own;
  const hasQop = qopOf(challenge) === 'auth';
  const between = hasQop ? [nonce, nc, cnonce, 'auth'] : [nonce];
  const response = hash([secret, ...between, hash(`${method}:${path}`)].join(':'));
  const parameters = [
    nameParameter(username),
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(path)}`,
    `response="${response}"`,
    ...(algorithm === undefined ? [] : [`algorithm=${algorithm}`]),
    ...(hasQop ? ['qop=auth', `nc=${nc}`, `cnonce="${cnonce}"`] : []),
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
  ];
  return `Digest ${parameters.join(', ')}`;
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** A name beyond ASCII is written as in RFC 5987 (RFC 7616 section 3.4.4). */
const nameParameter = (username: string): string =>
  /^[\x20-\x7e]*$/.test(username)
    ? `username=${quoted(username)}`
    : `username*=UTF-8''${encodeURIComponent(username).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`;

export interface Challenge {
  /** In small letters, as are the names of the parameters. */
  readonly scheme: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const separators = /[\s,]*/y;
const token = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y;
const value = /\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))(?=\s*(?:,|$))/y;
const rest = /[^,]*/y;

/**
 * Reads the challenges of a 401 (RFC 9110 section 11.6.1): several in one header line or in many, with parameters
 * between. Text outside this grammar is skipped, including a token68.
 *
 * Digest realm="printer", nonce="5a1f", qop="auth" , Basic realm="printer"
 * \____/ \_______________________________________/   \___/ \_____________/
 * scheme  parameters                                 scheme parameters
 */
export function challengesOf(header: string | readonly string[] | undefined): readonly Challenge[] {
  const text = [header ?? []].flat().join(', ');
  const challenges: { scheme: string; parameters: Record<string, string> }[] = [];
  let at = 0;
  const take = (form: RegExp): RegExpExecArray | null => {
    form.lastIndex = at;
    const found = form.exec(text);
    if (found) at = form.lastIndex;
    return found;
  };
  while (at < text.length) {
    take(separators);
    const word = take(token)?.[0].toLowerCase();
    const assigned = word === undefined ? null : take(value);
    if (word === undefined) take(rest);
    else if (assigned) {
      const current = challenges.at(-1);
      const [, inQuotes, bare] = assigned;
      if (current) current.parameters[word] ??= inQuotes?.replace(/\\(.)/g, '$1') ?? bare ?? '';
    } else if (/[\s,]|^$/.test(text.charAt(at))) challenges.push({ scheme: word, parameters: {} });
    else take(rest);
  }
  return challenges;
}
