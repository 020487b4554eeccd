/**
 * The service prints a document at one of its own output ports: the request, and the result from the document list. See
 * spec, Documents, and src/cloud/README.md 7 and 12, rows 18 and 19. The release machine watches it.
 */
import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { minutes } from '../../core/duration.ts';
import type { Secret } from '../../core/secret.ts';
import type { Change } from '../../domain/document-changes.ts';
import type { DocumentStatus } from '../../domain/document.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { Documents } from '../../domain/ports/service.ts';
import { isProblem, Problem } from '../../domain/problem/problem.ts';
import type { Api } from '../http/api.ts';
import { deadlines } from '../http/api.ts';
import { meaningOf } from '../http/error-code.ts';
import type { FormField } from '../http/form.ts';
import { formBody, pathSegment, query } from '../http/form.ts';
import type { Answer } from '../http/json.ts';
import { expectErrorCodeZero, nonsense, valueOf } from '../http/json.ts';
import { listPage } from '../http/list-answer.ts';
import { answerLimits } from '../http/transport.ts';
import { mostDocuments } from './document-list.ts';

export type DeliveryDeps = Readonly<{ api: Api; clock: Clock }>;

/** No specification says whether the service answers before or after printing. */
const patience = minutes(2);

/** By the number of the spec. */
const statuses: readonly DocumentStatus[] = [
  'ready',
  'printed',
  'deleted',
  'expired',
  'failed',
  'received',
  'awaiting-conversion',
  'converting',
  'conversion-failed',
  'stored',
];
/** All but `deleted`: a list may be full of those, and a missing document means the same. */
const asked = statuses.flatMap((status, number) => (status === 'deleted' ? [] : [number]));

/**
 * A "list of int" that the spec does not call repeatable is sent as one value. If a service refuses that, it is asked
 * once more with one parameter for each, and so from then on (src/cloud/README.md 12, row 46).
 */
const listForms = { 'one value': asked.join(','), repeated: asked };

const documentInfo = z.object({ uuid: z.string(), status: z.int() });

/** Settings that were not changed are left out: the service knows them. */
export const changeFields = ({ copies, grey, twoSided }: Change = {}): readonly FormField[] => [
  ['copies', copies],
  ['grayscale', grey],
  // At the long edge.
  ['duplex', twoSided && 1],
];

export async function deliverDocument(
  { api, clock }: DeliveryDeps,
  ...[uuid, { port, retain, changed }, token, { signal }]: Parameters<Documents['deliver']>
): Promise<void> {
  try {
    const answer = await api.request(
      {
        method: 'POST',
        path: `/api/v1/documents/${pathSegment(uuid)}/${pathSegment(port)}`,
        bearer: { authority: 'user', token: token.value },
        // The content type is required even if the form is empty.
        body: formBody([['retain', retain || undefined], ...changeFields(changed)]),
        urgency: 'person',
      },
      { signal: clock.deadline(patience, signal) },
    );
    expectErrorCodeZero(answer);
  } catch (error) {
    throw error instanceof Problem ? refusalOf(error) : error;
  }
}

const outputNotReady = meaningOf(1042).name;

/** The problem with a correct `delivery`: on this depends whether the document may be printed in another way. */
function refusalOf(problem: Problem): Problem {
  const { code, message, status, reasons } = problem;
  // It may come with any status.
  if (reasons.includes(outputNotReady)) {
    return new Problem('printer-not-ready', message, { cause: problem, reasons });
  }
  // A refused request (4xx) was not even read; a 5xx, or "unknown error", may come after the print.
  if (code !== 'cloud-busy') return problem;
  const isDefinite = status !== undefined && status >= 400 && status < 500;
  return new Problem(code, message, {
    cause: problem,
    reasons,
    delivery: isDefinite ? 'answered' : 'perhaps',
    ...(status === undefined ? {} : { status }),
  });
}

/**
 * Asks for one list with all states that help. If the document is missing from it, that means gone only if the whole
 * list was read.
 */
export function createDocumentStatus({ api, clock }: DeliveryDeps): Documents['statusOf'] {
  let form: keyof typeof listForms = 'one value';

  const ask = (status: FormField[1], token: Secret, options: CallOptions): Promise<Answer> =>
    api.request(
      {
        method: 'GET',
        path: `/api/v1/documents${query([
          ['status', status],
          ['maxRecords', mostDocuments],
        ])}`,
        bearer: { authority: 'user', token },
        largestAnswer: answerLimits.list,
        urgency: 'person',
      },
      options,
    );

  async function askEitherWay(token: Secret, options: CallOptions): Promise<Answer> {
    try {
      return await ask(listForms[form], token, options);
    } catch (error) {
      if (!isProblem(error) || error.status !== 400 || form === 'repeated') throw error;
      const answer = await ask(listForms.repeated, token, options);
      form = 'repeated';
      return answer;
    }
  }

  return async (uuid, token, { signal }) => {
    const within = { signal: clock.deadline(deadlines.interactive, signal) };
    return statusIn(await askEitherWay(token.value, within), uuid);
  };
}

function statusIn(answer: Answer, uuid: string): DocumentStatus | undefined {
  const { entries, nextPageToken } = valueOf(answer, listPage);
  const documents = entries.map((entry) => documentInfo.safeParse(entry).data);
  const found = documents.find((entry) => entry?.uuid === uuid);
  const goesOn = entries.length >= mostDocuments || nextPageToken !== undefined;
  if (!found && goesOn) throw nonsense(answer, 'the list goes on');
  if (!found && documents.includes(undefined)) throw nonsense(answer, 'the list cannot be read whole');
  const status = found && statuses[found.status];
  if (found && !status) throw nonsense(answer, `the document has status ${found.status}`);
  return status;
}
