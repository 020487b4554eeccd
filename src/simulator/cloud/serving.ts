/** Serves one request of the simulated cloud: it is logged, carried out and perhaps spoilt. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, BearerKind } from './call.ts';
import { errorAnswer, json } from './call.ts';
import type { CallLimit } from './call-limit.ts';
import type { CloudContext } from './context.ts';
import type { ControlCall } from './control/control-body.ts';
import { isControlCall } from './control/control.ts';
import type { Fault, Faults } from './faults.ts';
import { acts, deliver, keepsWhole, spoil } from './faults.ts';
import type { Route } from './route.ts';
import { answerTo, callerOf } from './service.ts';
import { apiKeysOf } from './settings.ts';

export interface CallRecord {
  readonly method: string;
  readonly path: string;
  /** The text after `?`. */
  readonly query: string;
  /** As text. A long body is cut. */
  readonly body: string;
  /** Wall time of the arrival. */
  readonly at: number;
  readonly bearer: BearerKind;
  /** The user of the token, if it was a user token. */
  readonly user?: string;
  /** The `Content-Type` of the request. */
  readonly contentType: string | undefined;
  /** The status of the call, even if a fault kept it back. Absent if the call was not carried out. */
  status?: number;
  /** The reason for a refusal. */
  why?: string;
  /** The media type of the answer, and its text if it is JSON of moderate size. Absent if a fault spoilt the answer. */
  answerType?: string;
  answerBody?: string;
  fault?: Fault['kind'];
}

const largestKept = 64 * 1024;

/** The spec limits only files (Limits: 200 MB; a larger file fails in conversion). */
const largestBody = 1024 * 1024;
const largestUpload = 256 * 1024 * 1024;

interface Desk {
  readonly context: CloudContext;
  readonly routes: readonly Route[];
  readonly faults: Faults;
  readonly callLimit: CallLimit;
  readonly calls: CallRecord[];
  readonly keptCalls: number;
  /** Answers calls that are not part of the API. */
  control(call: ControlCall): Promise<Answer>;
  changed(): void;
}

export async function serve(desk: Desk, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { context, faults, callLimit, calls } = desk;
  const { method = '', url = '/', headers } = request;
  const limit = mayUpload(context, headers) ? largestUpload : largestBody;
  const body = bringsBody(headers) ? await bodyOf(request, limit) : nothing;
  const [path = '', ...query] = url.split('?');
  const sending = { response, clock: context.clock };
  if (!body) {
    if (isControlCall(path)) return deliver(sending, tooLarge(limit));
    context.note({ method, path }, `a body of more than ${limit} bytes`, 'src/simulator/cloud/README.md');
    return deliver(sending, errorAnswer(413));
  }
  if (isControlCall(path))
    return deliver(sending, await desk.control({ method, path, query: query.join('?'), headers, body }));

  const caller = callerOf(context, headers.authorization);
  const record: CallRecord = {
    method,
    path,
    query: query.join('?'),
    body: body === nothing ? '' : body.toString('utf8', 0, largestKept),
    at: context.clock.now(),
    bearer: caller.kind,
    ...(caller.kind === 'user' ? { user: caller.user.userName } : {}),
    contentType: headers['content-type'],
  };
  calls.push(record);
  if (calls.length > desk.keptCalls) calls.shift();
  const tooMany = callLimit.refusal();
  const fault = tooMany ? undefined : faults.take(record);
  const carryOut = () =>
    answerTo(context, desk.routes, { method, path, query: record.query, headers, body, caller });
  const answer = tooMany ?? (fault && !acts(fault) ? undefined : await carryOut());
  const status = fault?.kind === 'status' ? fault.status : answer?.status;
  if (status !== undefined) record.status = status;
  if (answer?.why !== undefined) record.why = answer.why;
  if (fault) record.fault = fault.kind;
  if (answer?.type !== undefined && (!fault || keepsWhole(fault)))
    keepAnswer(record, answer.type, answer.body);
  response.once('close', () => {
    answer?.settled?.(response.writableFinished && (!fault || keepsWhole(fault)));
    desk.changed();
  });
  desk.changed();
  if (fault) await spoil(sending, fault, answer);
  else if (answer) deliver(sending, answer);
}

const tooLarge = (limit: number): Answer =>
  json(413, {
    error:
      limit === largestUpload
        ? `a file has at most ${largestUpload / 1024 / 1024} MiB here`
        : 'a body has at most 1 MiB; a larger file comes as multipart/form-data with an X-API-Key',
  });

/** A caller without an API key may use only as much memory as a form needs. */
function mayUpload({ settings }: CloudContext, headers: IncomingHttpHeaders): boolean {
  const isFile = /^(?:multipart\/form-data|application\/octet-stream)\b/i.test(headers['content-type'] ?? '');
  return isFile && apiKeysOf(settings).includes(String(headers['x-api-key']));
}

/** RFC 9112 section 6: without these headers there is no body to wait for. */
const bringsBody = (headers: IncomingHttpHeaders): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
const nothing = Buffer.alloc(0);

/**
 * Gives `undefined` if the body was longer than the limit; its data was then dropped. It uses events, because a stream
 * iterator or a Blob costs more than the rest of a small call.
 */
function bodyOf(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
  const parts: Buffer[] = [];
  let length = 0;
  request.on('data', (part: Buffer) => {
    length += part.length;
    if (length <= limit) parts.push(part);
    else parts.length = 0;
  });
  request.once('end', () => {
    const [first = nothing] = parts;
    if (length > limit) resolve(undefined);
    else resolve(parts.length > 1 ? Buffer.concat(parts) : first);
  });
  request.once('error', reject);
  return promise;
}

function keepAnswer(record: CallRecord, type: string, body: Answer['body']): void {
  record.answerType = type;
  if (type === 'application/json' && body.length <= largestKept) record.answerBody = String(body);
}
