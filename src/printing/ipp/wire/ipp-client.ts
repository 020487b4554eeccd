/**
 * Asks one printer: it sets request-ids, the attributes that begin every request (RFC 8011 section 4.1.4), and the
 * version (`SpokenVersion` below). `refusal.ts` judges statuses.
 */
import type { Clock } from '../../../core/clock.ts';
import type { CallOptions } from '../../../domain/ports/call.ts';
import type { WaitingOptions } from '../../../domain/ports/printing.ts';
import type { Attribute, Group, Message } from '../../../ipp/message.ts';
import { attribute } from '../../../ipp/message.ts';
import type { Operation } from '../../../ipp/registry.ts';
import { isSuccessful, operations, statusCodes } from '../../../ipp/registry.ts';
import { charset, integer, nameWithoutLanguage, naturalLanguage, uri } from '../../../ipp/values.ts';
import type { PrinterHabits } from '../../../domain/ports/printer-memory.ts';
import { isProblem } from '../../../domain/problem/problem.ts';
import type { IppConnection, RequestDocument } from './ipp-connection.ts';
import type { Acquaintance } from './acquaintance.ts';
import type { Conversation, Limited } from './ipp-conversation.ts';
import { conversation } from './ipp-conversation.ts';

/** The agent's name if no user's name may be shown. */
export const agentName = 'platen';

export interface IppRequest {
  readonly operation: Operation;
  readonly jobId?: number | undefined;
  /** Empty: no name is sent, to a printer that refuses it. */
  readonly userName?: string | undefined;
  /** The operation attributes after those that every request has. */
  readonly attributes?: readonly Attribute[];
  /** The job-attributes group. */
  readonly job?: readonly Attribute[];
}

export interface IppClient {
  /**
   * Answered within 10 s, or within 45 s for the first question about the printer's state after a silence; or rejects
   * with a `Problem`.
   */
  ask(request: IppRequest, options: WaitingOptions): Promise<Message>;
  /** The same without a time limit: the caller limits the time for a document. */
  sendDocument(request: IppRequest, document: RequestDocument, options: CallOptions): Promise<Message>;
  /** Takes `ipp-versions-supported` of the printer after it was recognised; the best of these versions is used. */
  speak(versions: readonly string[]): void;
}

const requestingUser = (name: string): readonly Attribute[] =>
  name === '' ? [] : [attribute('requesting-user-name', nameWithoutLanguage(name))];

interface ClientDeps {
  readonly connection: IppConnection;
  readonly printerUri: string;
  readonly clock: Clock;
  /** Remembers the version; if absent, nothing is remembered. */
  readonly acquaintance?: Pick<Acquaintance, 'habits' | 'learn'> | undefined;
}

export const ippClient = (deps: ClientDeps): IppClient => new PrinterClient(deps);

class PrinterClient implements IppClient {
  readonly #connection: IppConnection;
  readonly #printerUri: string;
  readonly #spoken: SpokenVersion;
  readonly #conversation: Conversation;
  #lastRequestId = 0;

  constructor({ connection, printerUri, clock, acquaintance }: ClientDeps) {
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

  /**
   * A printer that refuses the version has done nothing (RFC 8011 section 4.1.8), so the request is made in another
   * version.
   */
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
    // If every version was refused, the cause is another one, and the first refusal describes it best.
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

type IppVersion = NonNullable<PrinterHabits['version']>;

/** The best first. */
const versions: readonly IppVersion[] = ['2.0', '1.1', '1.0'];
const numbers: Readonly<Record<IppVersion, Message['version']>> = {
  '2.0': [2, 0],
  '1.1': [1, 1],
  '1.0': [1, 0],
};

const versionNumber = (version: IppVersion): Message['version'] => numbers[version];

type Outcome = { readonly answer: Message } | { readonly fault: unknown };

/** HTTP statuses that may refuse the version or the whole request. */
const httpRefusals: ReadonlySet<number | undefined> = new Set([400, 505]);

/**
 * Whether the version may be the cause of the refusal. A printer that has understood this version before means
 * something else by a bad request.
 */
function isRefusedAs(outcome: Outcome, isSettled: boolean): boolean {
  if (!('answer' in outcome)) {
    return !isSettled && isProblem(outcome.fault) && httpRefusals.has(outcome.fault.status);
  }
  const { code } = outcome.answer;
  if (code === statusCodes['server-error-version-not-supported']) return true;
  return !isSettled && code === statusCodes['client-error-bad-request'];
}

/**
 * The version of IPP for one printer (RFC 8011 section 4.1.8): 2.0 unless the printer lists only lower ones, and the
 * next lower one after a refusal. Printers refuse by server-error-version-not-supported, by client-error-bad-request or
 * in HTTP; CUPS steps down at these too (backend/ipp.c). The version that worked is remembered with the printer's
 * identity.
 */
interface SpokenVersion {
  /** The versions to try one after the other, for a request that may be repeated. */
  order(): readonly IppVersion[];
  /** The version for a request that may not be repeated, because a document follows it. */
  settled(): IppVersion;
  isSettled(version: IppVersion): boolean;
  /** The printer obeyed a request in this version, and had refused it in the others. */
  worked(version: IppVersion, refused: readonly IppVersion[]): void;
  /** `ipp-versions-supported` of the printer after it was recognised. */
  listed(supported: readonly string[]): void;
}

function spokenVersion(acquaintance: Pick<Acquaintance, 'habits' | 'learn'> | undefined): SpokenVersion {
  let next = acquaintance?.habits().version ?? '2.0';
  let understood: IppVersion | undefined;
  // Only since the start of the agent: new firmware may list a version again.
  const notAtAll = new Set<IppVersion>();

  return {
    order() {
      const at = versions.indexOf(next);
      return [...versions.slice(at), ...versions.slice(0, at)];
    },
    settled: () => understood ?? next,
    isSettled: (version) => version === understood,
    worked(version, refused) {
      for (const one of refused) notAtAll.add(one);
      next = version;
      understood = version;
    },
    listed(supported) {
      const isGood = (one: IppVersion) => !notAtAll.has(one) && supported.some((own) => isOf(own, one));
      next = versions.find(isGood) ?? next;
      const remembered = understood === '2.0' ? undefined : understood;
      if (acquaintance && acquaintance.habits().version !== remembered) {
        acquaintance.learn({ version: remembered });
      }
    },
  };
}

/** 2.1 and 2.2 are 2.0 with more mandatory operations (PWG 5100.12). */
const isOf = (own: string, version: IppVersion): boolean =>
  version === '2.0' ? own.startsWith('2.') : own === version;
