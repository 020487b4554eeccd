/**
 * The content of a document: fetched for a printer, or fetched so that the service counts the document as released
 * (spec, Documents; INVARIANTS.md D6).
 */
import { finished } from 'node:stream/promises';
import type { Clock } from '../../core/clock.ts';
import type { Change } from '../../domain/document-changes.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { Documents, Download, Rest } from '../../domain/ports/service.ts';
import { isProblem, Problem } from '../../domain/problem/problem.ts';
import type { UserToken } from '../../domain/user.ts';
import type { Api } from '../http/api.ts';
import { deadlines } from '../http/api.ts';
import { pathSegment, query } from '../http/form.ts';
import { headerOf, nonsense } from '../http/json.ts';
import { watchPace } from '../http/pace.ts';
import { contentRange, validatorOf } from '../http/partial-content.ts';
import type { OpenAnswer } from '../http/exchange.ts';
import { changeFields } from './document-delivery.ts';

export type ContentDeps = Readonly<{ api: Api; clock: Clock }>;

interface Content {
  readonly uuid: string;
  readonly retain: boolean;
  /** If the document is not retained: how it is counted. A document that is printed here comes as it was sent. */
  readonly changed?: Change | undefined;
  readonly rest?: Rest | undefined;
}

export async function downloadDocument(
  deps: ContentDeps,
  ...[uuid, token, options]: Parameters<Documents['download']>
): Promise<Download> {
  const { rest } = options;
  try {
    return downloadOf(await openContent(deps, { uuid, retain: true, rest }, token, options), rest);
  } catch (error) {
    throw isProblem(error, 'cloud-not-found') ? goneProblem(error) : error;
  }
}

export async function consumeDocument(
  deps: ContentDeps,
  ...[uuid, token, { changed, ...options }]: Parameters<Documents['consume']>
): Promise<void> {
  try {
    const { body } = await openContent(deps, { uuid, retain: false, changed }, token, options);
    await finished(body.resume());
  } catch (error) {
    if (!isProblem(error, 'cloud-not-found')) throw error;
  }
}

/** `retain=false` ends the document's life in the cloud, or so it must be assumed (src/cloud/README.md 12, row 15). */
async function openContent(
  { api, clock }: ContentDeps,
  { uuid, retain, changed, rest }: Content,
  token: UserToken,
  { signal }: CallOptions,
): Promise<OpenAnswer> {
  const answer = await api.open(
    {
      method: 'GET',
      path: `/api/v1/documents/${pathSegment(uuid)}.content${query([['retain', retain], ...changeFields(changed)])}`,
      headers: {
        accept: '*/*',
        ...(rest ? { range: `bytes=${rest.from}-`, 'if-range': rest.validator } : {}),
      },
      bearer: { authority: 'user', token: token.value },
      brokenOff: 'document-cut',
      urgency: retain ? 'person' : 'background',
    },
    { whole: signal, beginning: clock.deadline(deadlines.background, signal) },
  );
  refuseErrorPage(answer);
  watchPace(answer, clock);
  return answer;
}

const goneProblem = (cause: Problem): Problem =>
  new Problem('document-gone', 'the document is not there any longer', { cause, status: 404 });

/** A page with an error message, or of a captive portal, is no document, with any status. */
function refuseErrorPage(answer: OpenAnswer): void {
  const type = headerOf(answer.headers, 'content-type') ?? '';
  if (!/\b(json|html)\b/i.test(type)) return;
  answer.body.destroy();
  throw nonsense(answer, 'the answer is a page or a message, not a document');
}

/** A service that was asked for the rest may send everything again: then it begins at 0 (RFC 9110 section 14.2). */
function downloadOf(answer: OpenAnswer, rest: Rest | undefined): Download {
  const { status, headers, body: bytes } = answer;
  const validator = validatorOf(headers);
  const named = validator === undefined ? {} : { validator };
  if (status !== 206) return { length: lengthOf(headers), bytes, ...named };
  const range = contentRange(headers);
  const { length, from } = range ?? {};
  if (rest === undefined || range === undefined || from !== rest.from || range.last !== range.length - 1) {
    bytes.destroy();
    throw nonsense(answer, 'the answer is not the requested part');
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
