/**
 * The port Documents: list, content, delivery, deletion, each with the user's token (spec, Documents;
 * api-supplement.md 7).
 */
import { finished } from 'node:stream/promises';
import type { Chance } from '../../core/chance.ts';
import type { Clock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import type { Log } from '../../core/log.ts';
import type { Change } from '../../domain/document-changes.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { Documents, Download, ListOptions, ReadyDocuments, Rest } from '../../domain/ports/service.ts';
import { isProblem, Problem } from '../../domain/problem/problem.ts';
import type { UserToken } from '../../domain/user.ts';
import type { Api, ApiCall } from '../http/api.ts';
import { deadlines } from '../http/api.ts';
import { changeFields, createDocumentStatus, deliverDocument } from './document-delivery.ts';
import { mostDocuments, readDocuments } from './document-list.ts';
import { pathSegment, query } from '../http/form.ts';
import { expectErrorCodeZero, headerOf, nonsense, valueOf } from '../http/json.ts';
import { listPage } from '../http/list-answer.ts';
import type { TokenOwners } from './login.ts';
import { contentRange, validatorOf } from '../http/partial-content.ts';
import { watchPace } from '../http/pace.ts';
import { repeatSafely } from '../http/repeat.ts';
import type { OpenAnswer } from '../http/transport.ts';
import { answerLimits } from '../http/transport.ts';

export interface DocumentParts {
  readonly api: Api;
  readonly owners: TokenOwners;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
}

interface Content {
  readonly uuid: string;
  readonly retain: boolean;
  /** Where the document is not retained: how it is counted. What is printed here comes as it was sent. */
  readonly changed?: Change | undefined;
  readonly rest?: Rest | undefined;
}

/** What a look at the list is good for, from its first byte on. */
const lookHolds = seconds(2);
/** A printer waits for a look at the list; one that takes longer is none. */
const lookPatience = seconds(5);

interface Look {
  /** Monotonic milliseconds. */
  readonly at: number;
  readonly uuids: ReadonlySet<string>;
  readonly mayBeMore: boolean;
}

export function createDocuments(parts: DocumentParts): Documents {
  const { api, owners, clock, log } = parts;
  const statusOf = createDocumentStatus(parts);
  const lastLooks = new WeakMap<UserToken['value'], Look>();

  const askReady = async (
    token: UserToken,
    { inBackground = false, ...options }: ListOptions,
  ): Promise<ReadyDocuments> => {
    const urgency = inBackground ? 'background' : 'person';
    const at = clock.monotonic();
    const path = `/api/v1/documents?status=0&maxRecords=${mostDocuments}`;
    const answer = await api.request(
      { method: 'GET', path, bearer: bearerOf(token), largestAnswer: answerLimits.list, urgency },
      options,
    );
    const { entries, nextPageToken } = valueOf(answer, listPage);
    const { documents, leftOut } = readDocuments(entries, {
      owner: owners.get(token.value),
      now: clock.now(),
    });
    if (leftOut['other-user'] !== undefined) {
      log.warn('documents of another user hidden', { count: leftOut['other-user'] });
    }
    if (Object.keys(leftOut).length > 0) log.info('documents left out of the list', { ...leftOut });
    const mayBeMore = entries.length >= mostDocuments || nextPageToken !== undefined;
    lastLooks.set(token.value, { at, uuids: new Set(documents.map(({ uuid }) => uuid)), mayBeMore });
    return { documents, mayBeMore, underOtherName: leftOut['other-user'] ?? 0 };
  };

  const recentLook = (token: UserToken): Look | undefined => {
    const last = lastLooks.get(token.value);
    return last && clock.monotonic() - last.at <= lookHolds ? last : undefined;
  };

  /** `retain=false` ends the document's life in the cloud, or so it must be assumed (api-supplement.md 12, row 15). */
  const openContent = async (
    { uuid, retain, changed, rest }: Content,
    token: UserToken,
    { signal }: CallOptions,
  ): Promise<OpenAnswer> => {
    const call: ApiCall = {
      method: 'GET',
      path: `/api/v1/documents/${pathSegment(uuid)}.content${query([['retain', retain], ...changeFields(changed)])}`,
      headers: {
        accept: '*/*',
        ...(rest ? { range: `bytes=${rest.from}-`, 'if-range': rest.validator } : {}),
      },
      bearer: bearerOf(token),
      brokenOff: 'document-cut',
      urgency: retain ? 'person' : 'background',
    };
    const beginning = clock.deadline(deadlines.background, signal);
    const answer = await api.open(call, { whole: signal, beginning });
    refuseErrorPage(answer);
    watchPace(answer, clock);
    return answer;
  };

  return {
    ready: (token, options) =>
      options.inBackground === true
        ? askReady(token, { ...options, signal: clock.deadline(deadlines.background, options.signal) })
        : repeatSafely((within) => askReady(token, within), parts, options),

    async download(uuid, token, options) {
      try {
        const { rest } = options;
        return downloadOf(await openContent({ uuid, retain: true, rest }, token, options), rest);
      } catch (error) {
        throw isProblem(error, 'cloud-not-found') ? goneProblem(error) : error;
      }
    },

    async consume(uuid, token, { changed, ...options }) {
      try {
        const { body } = await openContent({ uuid, retain: false, changed }, token, options);
        await finished(body.resume());
      } catch (error) {
        if (!isProblem(error, 'cloud-not-found')) throw error;
      }
    },

    async requireReady(uuid, token, { signal }) {
      const within = { signal: clock.deadline(lookPatience, signal) };
      if (!recentLook(token)) await askReady(token, within);
      const look = lastLooks.get(token.value);
      if (look?.uuids.has(uuid)) return;
      if (look?.mayBeMore && (await statusOf(uuid, token, within)) === 'ready') return;
      throw new Problem('document-not-waiting', 'the document is not READY any more');
    },

    deliver: (...call) => deliverDocument(parts, ...call),
    statusOf,

    async remove(uuid, token, { signal }) {
      const within = { signal: clock.deadline(deadlines.background, signal) };
      const path = `/api/v1/documents/${pathSegment(uuid)}`;
      try {
        expectErrorCodeZero(await api.request({ method: 'DELETE', path, bearer: bearerOf(token) }, within));
      } catch (error) {
        if (!isProblem(error, 'cloud-not-found')) throw error;
      }
    },
  };
}

const bearerOf = (token: UserToken) => ({ authority: 'user', token: token.value }) as const;

const goneProblem = (cause: Problem): Problem =>
  new Problem('document-gone', 'the document is not there any longer', { cause, status: 404 });

/** A page that tells of a fault, or a captive portal's, is no document, whatever its status. */
function refuseErrorPage(answer: OpenAnswer): void {
  const type = headerOf(answer.headers, 'content-type') ?? '';
  if (!/\b(json|html)\b/i.test(type)) return;
  answer.body.destroy();
  throw nonsense(answer, 'what came is no document but a page or a message');
}

/** A service that was asked for the rest may give all of it once more: then it begins at 0 (RFC 9110 section 14.2). */
function downloadOf(answer: OpenAnswer, rest: Rest | undefined): Download {
  const { status, headers, body: bytes } = answer;
  const validator = validatorOf(headers);
  const named = validator === undefined ? {} : { validator };
  if (status !== 206) return { length: lengthOf(headers), bytes, ...named };
  const range = contentRange(headers);
  const { length, from } = range ?? {};
  if (rest === undefined || range === undefined || from !== rest.from || range.last !== range.length - 1) {
    bytes.destroy();
    throw nonsense(answer, 'what came is not the part that was asked for');
  }
  if (validator !== undefined && validator !== rest.validator) {
    bytes.destroy();
    throw new Problem('document-gone', 'the document became another one', { status });
  }
  return { length, from, bytes, ...named };
}

function lengthOf(headers: OpenAnswer['headers']): number | undefined {
  const length = Number(headerOf(headers, 'content-length') ?? Number.NaN);
  return Number.isSafeInteger(length) ? length : undefined;
}
