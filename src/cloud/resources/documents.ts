/** The port Documents: list, download, delete, each with the user's token (spec, Documents; api-supplement.md 7). */
import type { Chance } from '../../core/chance.ts';
import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import type { Document } from '../../domain/document.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { Documents, Download } from '../../domain/ports/service.ts';
import { isProblem, Problem } from '../../domain/problem.ts';
import type { UserToken } from '../../domain/user.ts';
import type { Api, ApiCall } from '../api.ts';
import { deadlines } from '../api.ts';
import { mostDocuments, readDocuments } from './document-list.ts';
import { pathSegment } from '../form.ts';
import { expectErrorCodeZero, headerOf, nonsense, valueOf } from '../json.ts';
import { listPage } from '../list-answer.ts';
import type { TokenOwners } from './login.ts';
import { watchPace } from '../pace.ts';
import { repeatSafely } from '../repeat.ts';
import type { OpenAnswer } from '../transport.ts';
import { answerLimits } from '../transport.ts';

export interface DocumentParts {
  readonly api: Api;
  readonly owners: TokenOwners;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
}

export function createDocuments(parts: DocumentParts): Documents {
  const { api, owners, clock, log } = parts;

  const askReady = async (token: UserToken, options: CallOptions): Promise<readonly Document[]> => {
    const path = `/api/v1/documents?status=0&maxRecords=${mostDocuments}`;
    const answer = await api.request(
      { method: 'GET', path, bearer: bearerOf(token), largestAnswer: answerLimits.list },
      options,
    );
    const { entries } = valueOf(answer, listPage);
    const { documents, leftOut } = readDocuments(entries, owners.get(token.value));
    if (leftOut['other-user'] !== undefined) {
      log.warn('documents of another user hidden', { count: leftOut['other-user'] });
    }
    if (Object.keys(leftOut).length > 0) log.info('documents left out of the list', { ...leftOut });
    return documents;
  };

  return {
    ready: (token, options) => repeatSafely((within) => askReady(token, within), parts, options),

    async download(uuid, token, { signal }) {
      const call: ApiCall = {
        method: 'GET',
        path: `/api/v1/documents/${pathSegment(uuid)}.content?retain=true`,
        headers: { accept: '*/*' },
        bearer: bearerOf(token),
        brokenOff: 'document-cut',
      };
      const beginning = clock.deadline(deadlines.background, signal);
      try {
        const answer = await api.open(call, { whole: signal, beginning });
        refuseErrorPage(answer);
        watchPace(answer, clock);
        return downloadOf(answer);
      } catch (error) {
        throw isProblem(error, 'cloud-not-found') ? goneProblem(error) : error;
      }
    },

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

function downloadOf(answer: OpenAnswer): Download {
  const length = Number(headerOf(answer.headers, 'content-length') ?? Number.NaN);
  return { length: Number.isSafeInteger(length) ? length : undefined, bytes: answer.body };
}
