/**
 * The HTTP of one printer: an IPP request goes out in a POST, and its answer comes back (RFC 8010 section 4). A request
 * is repeated only for a login, or if it is a question. It follows no redirect, always sends content-length, and reads
 * at most 4 MiB. `ipp-client.ts` interprets the answer. Every failure is a `Problem` whose `delivery` tells whether the
 * printer may have acted. `http-post.ts` draws the HTTP around this body:
 *
 * +---------------------------------+
 * |  IPP message (encode.ts)        |
 * +---------------------------------+
 * |  document, if there is one      |
 * +---------------------------------+
 */
import type { Socket } from 'node:net';
import { errnoOf } from '../../../core/errno.ts';
import type { Duration } from '../../../core/duration.ts';
import { inSeconds, seconds, shortest } from '../../../core/duration.ts';
import type { CallOptions } from '../../../domain/ports/call.ts';
import type { Delivery } from '../../../domain/problem/problem.ts';
import { isProblem, Problem } from '../../../domain/problem/problem.ts';
import { decodeAnswer, decodeMessage } from '../../../ipp/decode.ts';
import { encodeMessage } from '../../../ipp/encode.ts';
import type { Message } from '../../../ipp/message.ts';
import { DecodeError, limits } from '../../../ipp/octet-reader.ts';
import { operations } from '../../../ipp/registry.ts';
import type { Acquaintance } from './acquaintance.ts';
import type { Turnstile } from '../../../core/turnstile.ts';
import { turnstile } from '../../../core/turnstile.ts';
import type { HttpLogin, Post } from './http-login.ts';
import { readAway } from './http-login.ts';
import { httpRefusal, notIpp, tlsFault, wantsTls } from './other-answers.ts';
import type { HttpAnswer } from './http-post.ts';
import { posted } from './http-post.ts';
import type { PrinterAgent, PrinterLineDeps } from './printer-line.ts';
import { mostConnections, printerLine } from './printer-line.ts';

/** The document after a request. */
export interface RequestDocument {
  readonly length: number;
  /** Read once. An error in it breaks the request off. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

interface Outgoing extends CallOptions {
  /** The time after which the signal aborts, if it has a limit, and its start in monotonic time. */
  readonly limit?: Duration;
  readonly since?: number;
  readonly document?: RequestDocument;
}

export interface IppConnection extends AsyncDisposable {
  exchange(request: Message, outgoing: Outgoing): Promise<Message>;
  /** Sends the request without credentials to get a challenge that the next exchange can answer. */
  renewLogin(request: Message, call: Outgoing): Promise<void>;
}

export interface IppConnectionDeps extends PrinterLineDeps {
  readonly login: HttpLogin;
  readonly acquaintance: Pick<Acquaintance, 'meet' | 'vouchFor' | 'habits' | 'learn'>;
  /** Called with the parts of an answer that break the rules of RFC 8010, each with its octet; they were left out. */
  readonly onSkipped?: ((faults: readonly DecodeError[]) => void) | undefined;
}

export const ippConnection = (deps: IppConnectionDeps): IppConnection => new PrinterConnection(deps);

class PrinterConnection implements IppConnection {
  readonly #deps: IppConnectionDeps;
  readonly #line: { readonly agent: PrinterAgent; readonly places: Turnstile };
  readonly #closing = new AbortController();
  /** The operation that was refused without TLS. Until it is answered, no document and no login goes out. */
  #wantedTls: number | undefined;

  constructor(deps: IppConnectionDeps) {
    this.#deps = deps;
    this.#line = { agent: printerLine(deps), places: turnstile(mostConnections) };
  }

  exchange(request: Message, outgoing: Outgoing): Promise<Message> {
    const { address, login, onSkipped } = this.#deps;
    return this.#throughPost(request, outgoing, async (post, onHeard) => {
      using answer = await (outgoing.document ? login.requestOnce(post) : login.request(post));
      onHeard();
      return await readAnswer(answer, request, { address, onSkipped }).then(
        (message) => {
          if (request.code === this.#wantedTls) this.#wantedTls = undefined;
          return message;
        },
        (problem: unknown) => {
          if (isProblem(problem, 'printer-tls-wanted')) this.#wantedTls = request.code;
          throw outgoing.document ? ofDocument(problem) : problem;
        },
      );
    });
  }

  renewLogin(request: Message, call: Outgoing): Promise<void> {
    return this.#throughPost(request, call, (post) => this.#deps.login.renew(post));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new Error('the printer is no longer used'));
    this.#line.agent.destroy();
  }

  /**
   * Runs `use` with a way to post. `use` reports when an answer begins; an error then tells whether the printer may
   * have acted.
   */
  async #throughPost<Result>(
    request: Message,
    outgoing: Outgoing,
    use: (post: Post, onHeard: () => void) => Promise<Result>,
  ): Promise<Result> {
    const { address, acquaintance } = this.#deps;
    const { document } = outgoing;
    const head = encodeMessage(request);
    const signal = AbortSignal.any([outgoing.signal, this.#closing.signal]);
    let delivery: Delivery = 'not-sent';
    let isHeard = false;
    async function* octets() {
      delivery = 'perhaps';
      yield head;
      if (document) yield* document.bytes;
    }
    const post: Post = (authorization) => {
      if (this.#wantedTls !== undefined && (document !== undefined || authorization !== undefined)) {
        return Promise.reject(wantsTls(address));
      }
      // A new post is made only after an answer that nothing was done.
      delivery = 'not-sent';
      const headers = {
        'content-type': 'application/ipp',
        ...(authorization === undefined ? {} : { authorization }),
      };
      const body = { length: head.length + (document?.length ?? 0), octets };
      const admit =
        authorization === undefined ? () => {} : (socket: Socket) => acquaintance.vouchFor(socket);
      return posted(
        this.#line,
        { ...address, headers, body, admit, isQuestion: isQuestion(request) },
        { signal },
      );
    };
    try {
      return await use(post, () => {
        isHeard = true;
      });
    } catch (cause) {
      if (cause instanceof Problem) throw cause;
      if (isHeard && !signal.aborted) throw brokenAnswer(cause, address.host, delivery);
      throw noAnswer(signal.aborted ? signal.reason : cause, address.host, {
        delivery,
        waited: this.#waitedFor(outgoing),
      });
    }
  }

  /** In whole seconds. A caller that stopped early has not waited for the whole limit. */
  #waitedFor({ limit, since }: Outgoing): Duration | undefined {
    if (limit === undefined || since === undefined) return undefined;
    return shortest(limit, seconds(Math.round((this.#deps.clock.monotonic() - since) / 1000)));
  }
}

/**
 * Any octets that decode are an answer, whatever their type says. An error counts even with a wrong request-id, because
 * some printers send 0 with a refusal. For a success, only the request-id proves that it is ours.
 */
async function readAnswer(
  answer: HttpAnswer,
  { code, requestId }: Message,
  { address, onSkipped }: Pick<IppConnectionDeps, 'address' | 'onSkipped'>,
): Promise<Message> {
  const { status, headers, body } = answer;
  const { host } = address;
  if (status !== 200) {
    await readAway(answer);
    throw httpRefusal(answer, address);
  }
  // After this line the printer has acted: if its answer cannot be read, its action is unknown.
  const octets = await readCapped(body);
  const { message, skipped = [] } = decoded(octets, code, (cause) =>
    notIpp({ headers, length: octets.length, cause }, address),
  );
  if (skipped.length > 0) onSkipped?.(skipped);
  if (message.version[0] > 2) throw senseless(`${host} answered in another version of IPP`);
  if (message.code < lowestError && message.requestId !== requestId) {
    throw senseless(`${host} answered another request`);
  }
  return message;
}

/** Operations that do not create, fill or end a job (RFC 8011 section 4). */
const questions: ReadonlySet<number> = new Set([
  operations['Get-Printer-Attributes'],
  operations['Get-Job-Attributes'],
  operations['Get-Jobs'],
  operations['Validate-Job'],
]);
const isQuestion = ({ code }: Message): boolean => questions.has(code);

/** RFC 8011 section B.1.1: client errors, then server errors. */
const lowestError = 0x0400;

async function readCapped(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > limits.octets) throw senseless(`an answer of more than ${limits.octets} octets`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/** If a job is missing in a list of jobs, that is taken as proof, so no part of the list may be skipped. */
function decoded(
  octets: Buffer,
  asked: number,
  otherwise: (cause: DecodeError) => Problem,
): { readonly message: Message; readonly skipped?: readonly DecodeError[] } {
  try {
    return asked === operations['Get-Jobs'] ? decodeMessage(octets) : decodeAnswer(octets);
  } catch (cause) {
    throw cause instanceof DecodeError ? otherwise(cause) : cause;
  }
}

const senseless = (message: string): Problem =>
  new Problem('printer-protocol', message, { delivery: 'perhaps' });

/**
 * A server in front of the printer may answer 503 or 429 after it passed the document on. Only IPP's own "busy" is
 * about the document.
 */
const ofDocument = (problem: unknown): unknown =>
  isProblem(problem, 'printer-busy') && problem.status !== undefined
    ? new Problem(problem.code, problem.message, {
        cause: problem,
        status: problem.status,
        delivery: 'perhaps',
      })
    : problem;

const brokenAnswer = (cause: unknown, host: string, delivery: Delivery): Problem =>
  new Problem('printer-unreachable', `${host} broke off in the middle of its answer`, { cause, delivery });

const certificateFault = /CERT|SIGNATURE|^ERR_TLS/;

function noAnswer(
  cause: unknown,
  host: string,
  { delivery, waited }: { readonly delivery: Delivery; readonly waited: Duration | undefined },
): Problem {
  const code = errnoOf(cause);
  const reasons = code === undefined ? [] : [code];
  const tls = code === undefined ? undefined : tlsFault(code);
  if (tls) return new Problem(tls.code, `${host} ${tls.says}`, { cause, delivery, reasons });
  if (code !== undefined && certificateFault.test(code)) {
    return new Problem('printer-certificate-refused', `the certificate of ${host} is not accepted: ${code}`, {
      cause,
      delivery,
      reasons,
    });
  }
  if (cause instanceof DOMException && cause.name === 'TimeoutError') {
    const span = waited === undefined ? 'in time' : `within ${inSeconds(waited)} s`;
    return new Problem('printer-unreachable', `no answer from ${host} ${span}`, {
      cause,
      delivery,
    });
  }
  return new Problem('printer-unreachable', `no answer from ${host}`, { cause, delivery, reasons });
}
