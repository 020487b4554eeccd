/**
 * Asks one printer: request-ids, the attributes every request begins with (RFC 8011 section 4.1.4), the version both
 * sides speak. Statuses are not judged here, see `refusal.ts`.
 */
import type { Clock } from '../../core/clock.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { Attribute, Group, Message } from '../../ipp/message.ts';
import { attribute } from '../../ipp/message.ts';
import type { Operation } from '../../ipp/operations.ts';
import { operations } from '../../ipp/operations.ts';
import { statusCodes } from '../../ipp/status.ts';
import { charset, integer, nameWithoutLanguage, naturalLanguage, uri } from '../../ipp/values.ts';
import type { IppConnection, RequestDocument } from './ipp-connection.ts';
import { answerLimit } from '../timings.ts';

/** What the agent calls itself where no user's name is to be shown. */
export const agentName = 'platen';

export interface IppRequest {
  readonly operation: Operation;
  readonly jobId?: number | undefined;
  readonly userName?: string | undefined;
  /** The operation attributes after those that every request has. */
  readonly attributes?: readonly Attribute[];
  /** The job-attributes group. */
  readonly job?: readonly Attribute[];
}

export interface IppClient {
  /** Answered within 10 s, or a `Problem`. */
  ask(request: IppRequest, options: CallOptions): Promise<Message>;
  /** The same without a limit of its own: how long a document may take is for the caller. */
  sendDocument(request: IppRequest, document: RequestDocument, options: CallOptions): Promise<Message>;
  /** From `ipp-versions-supported`: 2.0 where the printer speaks it, else 1.1. */
  speak(versions: readonly string[]): void;
}

type Version = Message['version'];
const version1: Version = [1, 1];
const version2: Version = [2, 0];

export function ippClient(parts: { connection: IppConnection; printerUri: string; clock: Clock }): IppClient {
  const { connection, printerUri, clock } = parts;
  let version = version2;
  let lastRequestId = 0;

  function messageOf(request: IppRequest): Message {
    lastRequestId = (lastRequestId % 0x7fff_ffff) + 1;
    const groups: Group[] = [
      {
        tag: 'operation-attributes',
        attributes: [
          attribute('attributes-charset', charset('utf-8')),
          attribute('attributes-natural-language', naturalLanguage('en')),
          attribute('printer-uri', uri(printerUri)),
          ...(request.jobId === undefined ? [] : [attribute('job-id', integer(request.jobId))]),
          attribute('requesting-user-name', nameWithoutLanguage(request.userName ?? agentName)),
          ...(request.attributes ?? []),
        ],
      },
    ];
    if (request.job && request.job.length > 0)
      groups.push({ tag: 'job-attributes', attributes: request.job });
    return { version, code: operations[request.operation], requestId: lastRequestId, groups };
  }

  async function ask(request: IppRequest, { signal }: CallOptions): Promise<Message> {
    const limited = { signal: clock.deadline(answerLimit, signal) };
    const answer = await connection.exchange(messageOf(request), limited);
    if (answer.code !== statusCodes['server-error-version-not-supported'] || version === version1)
      return answer;
    // The printer has done nothing (RFC 8011 section 4.1.8), so the request may be made again.
    version = version1;
    return connection.exchange(messageOf(request), limited);
  }

  return {
    ask,
    async sendDocument(request, document, options) {
      const { jobId, userName } = request;
      await connection.renewLogin(messageOf({ operation: 'Get-Job-Attributes', jobId, userName }), {
        signal: clock.deadline(answerLimit, options.signal),
      });
      return connection.exchange(messageOf(request), { ...options, document });
    },
    speak(versions) {
      if (versions.length > 0) version = versions.some((one) => one.startsWith('2.')) ? version2 : version1;
    },
  };
}
