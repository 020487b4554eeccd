/**
 * Logs in to one printer (RFC 9110 section 11). Credentials go out only after the printer has asked for them, and only
 * over the connection of the configured address. An authority or a person must confirm its certificate (INVARIANTS.md
 * T12; `ipp-connection.ts` has that checked), and Basic is never sent unencrypted. Wrong credentials are tried once for
 * each call.
 */
import { isLoopback } from '../../../config/schema/values.ts';
import type { Chance } from '../../../core/chance.ts';
import { Problem } from '../../../domain/problem/problem.ts';
import type { Challenge, PrinterCredentials } from './http-credentials.ts';
import { basicAuthorization, challengesOf, digestAuthorization, strongest } from './http-credentials.ts';
import type { HttpAnswer } from './http-post.ts';
import type { IppAddress } from './ipp-address.ts';

/** Makes one request with this Authorization. */
export type Post = (authorization: string | undefined) => Promise<HttpAnswer>;

/** To read more than this of an unused page costs more than a new connection. */
const longestPage = 128 * 1024;

/** Reads the rest of an answer whose head is enough; the connection is kept if the rest is short. */
export async function readAway({ body }: HttpAnswer): Promise<void> {
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > longestPage) return;
  }
}

export interface HttpLogin {
  /** For a request that may be repeated, because a 401 says that nothing was done. Rejects with `printer-denied`. */
  request(post: Post): Promise<HttpAnswer>;
  /**
   * For a request that may not be repeated: a document is never sent twice. Rejects with `printer-denied` at the first
   * 401.
   */
  requestOnce(post: Post): Promise<HttpAnswer>;
  /**
   * Called before a document: gets an unused nonce by a harmless request without credentials. Many printers accept a
   * nonce only for a few requests or seconds, and the document must not be the request that finds this out.
   */
  renew(post: Post): Promise<void>;
}

interface Session {
  readonly challenge: Challenge;
  /** How often its nonce was used. */
  uses: number;
}

interface LoginDeps {
  readonly address: IppAddress;
  readonly access:
    | { readonly credentials?: PrinterCredentials | undefined; readonly chance: Chance }
    | undefined;
}

export const createHttpLogin = (deps: LoginDeps): HttpLogin => new PrinterLogin(deps);

class PrinterLogin implements HttpLogin {
  readonly #address: IppAddress;
  readonly #credentials: PrinterCredentials | undefined;
  readonly #chance: Chance | undefined;
  readonly #isPrivate: boolean;
  #session: Session | undefined;

  constructor({ address, access }: LoginDeps) {
    this.#address = address;
    this.#credentials = access?.credentials;
    this.#chance = access?.chance;
    this.#isPrivate = address.origin.startsWith('https:') || isLoopback(address.host);
  }

  async request(post: Post): Promise<HttpAnswer> {
    let answer =
      (await this.#attempt(post, this.#authorization())) ??
      (await this.#attempt(post, this.#authorization()));
    // The password was right, but its nonce was too old.
    if (!answer && this.#isStale()) answer = await this.#attempt(post, this.#authorization());
    if (answer) return answer;
    this.#session = undefined;
    throw this.#wrong();
  }

  async requestOnce(post: Post): Promise<HttpAnswer> {
    const answer = await this.#attempt(post, this.#authorization());
    if (answer) return answer;
    throw this.#denied('asked for a new login when a document came');
  }

  async renew(post: Post): Promise<void> {
    if (this.#session?.challenge.scheme !== 'digest' || this.#session.uses === 0) return;
    const answer = await this.#attempt(post, undefined);
    if (answer) await readAway(answer);
  }

  /** `undefined` if the printer asks for a login; its challenge is then stored. */
  async #attempt(post: Post, shown: string | undefined): Promise<HttpAnswer | undefined> {
    const answer = await post(shown);
    if (answer.status !== 401) {
      this.#noteAccepted(answer);
      return answer;
    }
    await readAway(answer);
    this.#takeUp(answer, shown);
    return undefined;
  }

  /** RFC 7616 section 3.3. */
  #isStale(): boolean {
    return this.#session?.challenge.parameters['stale']?.toLowerCase() === 'true';
  }

  #authorization(): string | undefined {
    const credentials = this.#credentials;
    if (!this.#session || !credentials || !this.#chance) return undefined;
    this.#session.uses += 1;
    const { challenge, uses: count } = this.#session;
    if (challenge.scheme === 'basic') return basicAuthorization(credentials);
    const cnonce = this.#chance.bytes(16).toString('hex');
    const { path } = this.#address;
    return digestAuthorization({ challenge, credentials, method: 'POST', path, count, cnonce });
  }

  /** A restarted printer may have forgotten the earlier session, so only a refused password is final. */
  #takeUp({ headers }: HttpAnswer, shown: string | undefined): void {
    const before = this.#session;
    this.#session = undefined;
    if (!this.#credentials)
      throw this.#denied('asks for a user name and a password: set printer.credentials');
    const challenge = strongest(challengesOf(headers['www-authenticate']));
    if (!challenge)
      throw this.#denied('asks for a login that is neither Basic nor Digest with MD5 or SHA-256');
    if (challenge.scheme === 'basic' && !this.#isPrivate) {
      const secure = this.#address.queue ? 'cupss://' : 'ipps://';
      throw this.#denied(
        `asks for the password without encryption (Basic), and Platen does not send it. Use ${secure}`,
      );
    }
    if (challenge.scheme === 'basic' && shown?.startsWith('Basic ')) throw this.#wrong();
    const isSame = challenge.parameters['nonce'] === before?.challenge.parameters['nonce'];
    this.#session = { challenge, uses: isSame && before ? before.uses : 0 };
  }

  /** RFC 7616 section 3.5: the printer may name the nonce of the next request. */
  #noteAccepted({ headers }: HttpAnswer): void {
    if (this.#session?.challenge.scheme !== 'digest') return;
    const info = [headers['authentication-info'] ?? []].flat().join(', ');
    const nonce = challengesOf(`Info ${info}`)[0]?.parameters['nextnonce'];
    if (nonce === undefined) return;
    const { scheme, parameters } = this.#session.challenge;
    this.#session = { challenge: { scheme, parameters: { ...parameters, nonce } }, uses: 0 };
  }

  #wrong(): Problem {
    return this.#denied('does not accept the user name and the password of printer.credentials');
  }

  #denied(message: string): Problem {
    return new Problem('printer-denied', `${this.#address.host} ${message}`, { status: 401 });
  }
}
