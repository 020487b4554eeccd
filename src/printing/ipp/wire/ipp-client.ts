/**
 * Asks one printer: request-ids, the attributes every request begins with (RFC 8011 section 4.1.4), the version both
 * sides speak, see `spoken-version.ts`. Statuses are not judged here, see `refusal.ts`.
 */
import type { Clock } from '../../../core/clock.ts';
import type { CallOptions } from '../../../domain/ports/call.ts';
import type { WaitingOptions } from '../../../domain/ports/printing.ts';
import type { Attribute, Group, Message } from '../../../ipp/message.ts';
import { attribute } from '../../../ipp/message.ts';
import type { Operation } from '../../../ipp/operations.ts';
import { operations } from '../../../ipp/operations.ts';
import { isSuccessful } from '../../../ipp/status.ts';
import { charset, integer, nameWithoutLanguage, naturalLanguage, uri } from '../../../ipp/values.ts';
import type { IppConnection, RequestDocument } from './ipp-connection.ts';
import type { Acquaintance } from './acquaintance.ts';
import type { Conversation, Limited } from './conversation.ts';
import { conversation } from './conversation.ts';
import type { IppVersion, Outcome, SpokenVersion } from './spoken-version.ts';
import { isRefusedAs, spokenVersion, versionNumber } from './spoken-version.ts';

/** What the agent calls itself where no user's name is to be shown. */
export const agentName = 'platen';

export interface IppRequest {
  readonly operation: Operation;
  readonly jobId?: number | undefined;
  /** Empty: none is told, to a printer that refuses it. */
  readonly userName?: string | undefined;
  /** The operation attributes after those that every request has. */
  readonly attributes?: readonly Attribute[];
  /** The job-attributes group. */
  readonly job?: readonly Attribute[];
}

export interface IppClient {
  /** Answered within 10 s, or 45 s where the printer is asked how it is after a silence; or a `Problem`. */
  ask(request: IppRequest, options: WaitingOptions): Promise<Message>;
  /** The same without a limit of its own: how long a document may take is for the caller. */
  sendDocument(request: IppRequest, document: RequestDocument, options: CallOptions): Promise<Message>;
  /** From `ipp-versions-supported` of the printer that is known to be the right one: it is asked in the best of them. */
  speak(versions: readonly string[]): void;
}

const requestingUser = (name: string): readonly Attribute[] =>
  name === '' ? [] : [attribute('requesting-user-name', nameWithoutLanguage(name))];

interface ClientParts {
  readonly connection: IppConnection;
  readonly printerUri: string;
  readonly clock: Clock;
  /** What is remembered of the version; absent: nothing. */
  readonly acquaintance?: Pick<Acquaintance, 'habits' | 'learn'> | undefined;
}

export const ippClient = (parts: ClientParts): IppClient => new PrinterClient(parts);

class PrinterClient implements IppClient {
  readonly #connection: IppConnection;
  readonly #printerUri: string;
  readonly #spoken: SpokenVersion;
  readonly #conversation: Conversation;
  #lastRequestId = 0;

  constructor({ connection, printerUri, clock, acquaintance }: ClientParts) {
    this.#connection = connection;
    this.#printerUri = printerUri;
    this.#spoken = spokenVersion(acquaintance);
    this.#conversation = conversation(clock);
  }

  ask(request: IppRequest, call: WaitingOptions): Promise<Message> {
    const isOpening = request.operation === 'Get-Printer-Attributes';
    return this.#conversation.hold({ ...call, isOpening }, (limited) => this.#askIn(request, limited));
  }

  async sendDocument(request: IppRequest, document: RequestDocument, options: CallOptions): Promise<Message> {
    const version = this.#spoken.settled();
    const { jobId, userName } = request;
    const harmless = { operation: 'Get-Job-Attributes', jobId, userName } as const;
    await this.#conversation.hold({ ...options, isOpening: false }, (limited) =>
      this.#connection.renewLogin(this.#messageOf(harmless, version), limited),
    );
    return this.#connection.exchange(this.#messageOf(request, version), { ...options, document });
  }

  speak(versions: readonly string[]): void {
    this.#spoken.listed(versions);
  }

  /** Whoever refuses the version has done nothing (RFC 8011 section 4.1.8): the request is made in another one. */
  async #askIn(request: IppRequest, limited: Limited): Promise<Message> {
    const refusals: { readonly version: IppVersion; readonly outcome: Outcome }[] = [];
    for (const version of this.#spoken.order()) {
      const outcome = await outcomeOf(this.#connection.exchange(this.#messageOf(request, version), limited));
      if (isRefusedAs(outcome, this.#spoken.isSettled(version))) {
        refusals.push({ version, outcome });
        continue;
      }
      const answer = answerIn(outcome);
      if (isSuccessful(answer.code))
        this.#spoken.worked(
          version,
          refusals.map((one) => one.version),
        );
      return answer;
    }
    // What is refused in every version was refused for something else, and the first refusal says it best.
    return answerIn(refusals[0]?.outcome ?? { fault: new Error('no version was tried') });
  }

  #messageOf(request: IppRequest, version: IppVersion): Message {
    this.#lastRequestId = (this.#lastRequestId % 0x7fff_ffff) + 1;
    const groups: Group[] = [
      {
        tag: 'operation-attributes',
        attributes: [
          attribute('attributes-charset', charset('utf-8')),
          attribute('attributes-natural-language', naturalLanguage('en')),
          attribute('printer-uri', uri(this.#printerUri)),
          ...(request.jobId === undefined ? [] : [attribute('job-id', integer(request.jobId))]),
          ...requestingUser(request.userName ?? agentName),
          ...(request.attributes ?? []),
        ],
      },
    ];
    if (request.job && request.job.length > 0)
      groups.push({ tag: 'job-attributes', attributes: request.job });
    return {
      version: versionNumber(version),
      code: operations[request.operation],
      requestId: this.#lastRequestId,
      groups,
    };
  }
}

const outcomeOf = (exchange: Promise<Message>): Promise<Outcome> =>
  exchange.then(
    (answer) => ({ answer }),
    (fault: unknown) => ({ fault }),
  );

function answerIn(outcome: Outcome): Message {
  if ('answer' in outcome) return outcome.answer;
  throw outcome.fault;
}
