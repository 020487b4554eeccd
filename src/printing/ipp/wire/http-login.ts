/**
 * Logs in to one printer (RFC 9110 section 11). Credentials go out only after the printer has asked for them, only over
 * the connection of the configured address, whose certificate an authority or a person stands for (reliability.md T12;
 * `ipp-connection.ts` has that looked at), and never as Basic in the clear. Wrong ones are tried once a call.
 */
import { isLoopback } from '../../../config/schema/values.ts';
import type { Chance } from '../../../core/chance.ts';
import { Problem } from '../../../domain/problem/problem.ts';
import type { Challenge } from './http-challenge.ts';
import { challengesOf } from './http-challenge.ts';
import type { PrinterCredentials } from './http-credentials.ts';
import { basicAuthorization, digestAuthorization, strongest } from './http-credentials.ts';
import type { HttpAnswer } from './http-post.ts';
import type { IppAddress } from './ipp-address.ts';

/** Makes one request, with this Authorization. */
export type Post = (authorization: string | undefined) => Promise<HttpAnswer>;

/** More than that of a page nobody reads is not worth the connection. */
const longestPage = 128 * 1024;

/** An answer of which only the head is of interest: its connection is kept where the rest is short. */
export async function readAway({ body }: HttpAnswer): Promise<void> {
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > longestPage) return;
  }
}

export interface HttpLogin {
  /** For what may be made again, because a 401 says that nothing was done. Rejects `printer-denied`. */
  request(post: Post): Promise<HttpAnswer>;
  /** For what may not: a document is never sent twice. Rejects `printer-denied` at the first 401. */
  requestOnce(post: Post): Promise<HttpAnswer>;
  /**
   * Before a document: gets a nonce of which nothing is spent, by a request without credentials that does no harm. Many
   * printers let each nonce live for a few requests or seconds, and the document must not be what finds that out.
   */
  renew(post: Post): Promise<void>;
}

interface Session {
  readonly challenge: Challenge;
  /** How often its nonce was used. */
  uses: number;
}

export function createHttpLogin(parts: {
  readonly address: IppAddress;
  readonly access:
    | { readonly credentials?: PrinterCredentials | undefined; readonly chance: Chance }
    | undefined;
}): HttpLogin {
  const { host, path, origin } = parts.address;
  const { credentials, chance } = parts.access ?? {};
  const isPrivate = origin.startsWith('https:') || isLoopback(host);
  let session: Session | undefined;

  const denied = (message: string) => new Problem('printer-denied', `${host} ${message}`, { status: 401 });

  function authorization(): string | undefined {
    if (!session || !credentials || !chance) return undefined;
    session.uses += 1;
    if (session.challenge.scheme === 'basic') return basicAuthorization(credentials);
    const { challenge, uses: count } = session;
    const cnonce = chance.bytes(16).toString('hex');
    return digestAuthorization({ challenge, credentials, method: 'POST', path, count, cnonce });
  }

  /** Whatever was remembered, a restarted printer may have forgotten; only a password stays refused. */
  function takeUp({ headers }: HttpAnswer, shown: string | undefined): void {
    const before = session;
    session = undefined;
    if (!credentials) throw denied('asks for a user name and a password: set printer.credentials');
    const challenge = strongest(challengesOf(headers['www-authenticate']));
    if (!challenge) throw denied('asks for a login that is neither Basic nor Digest with qop=auth');
    if (challenge.scheme === 'basic' && !isPrivate) {
      throw denied('asks for the password in the clear (Basic), and gets none: use ipps://');
    }
    if (challenge.scheme === 'basic' && shown?.startsWith('Basic ')) throw wrong();
    const isSame = challenge.parameters['nonce'] === before?.challenge.parameters['nonce'];
    session = { challenge, uses: isSame && before ? before.uses : 0 };
  }

  const wrong = () => denied('does not accept the user name and the password of printer.credentials');

  /** RFC 7616 section 3.5: the printer may name the nonce of the next request. */
  function noteAccepted({ headers }: HttpAnswer): void {
    if (session?.challenge.scheme !== 'digest') return;
    const info = [headers['authentication-info'] ?? []].flat().join(', ');
    const nonce = challengesOf(`Info ${info}`)[0]?.parameters['nextnonce'];
    if (nonce === undefined) return;
    const { scheme, parameters } = session.challenge;
    session = { challenge: { scheme, parameters: { ...parameters, nonce } }, uses: 0 };
  }

  /** `undefined` where the printer asks for a login, whose challenge is then taken up. */
  async function attempt(post: Post, shown: string | undefined): Promise<HttpAnswer | undefined> {
    const answer = await post(shown);
    if (answer.status !== 401) {
      noteAccepted(answer);
      return answer;
    }
    await readAway(answer);
    takeUp(answer, shown);
    return undefined;
  }

  async function request(post: Post): Promise<HttpAnswer> {
    const answer = (await attempt(post, authorization())) ?? (await attempt(post, authorization()));
    if (answer) return answer;
    session = undefined;
    throw wrong();
  }

  async function requestOnce(post: Post): Promise<HttpAnswer> {
    const answer = await attempt(post, authorization());
    if (answer) return answer;
    throw denied('asked for a new login when a document came');
  }

  async function renew(post: Post): Promise<void> {
    if (session?.challenge.scheme !== 'digest' || session.uses === 0) return;
    const answer = await attempt(post, undefined);
    if (answer) await readAway(answer);
  }

  return { request, requestOnce, renew };
}
