/** Handles one HTTP request to a virtual printer (RFC 8010 section 4, RFC 8011 section 4). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { decodeMessage } from '../../ipp/decode.ts';
import { encodeMessage } from '../../ipp/encode.ts';
import type { Message } from '../../ipp/message.ts';
import { attribute, string } from '../../ipp/message.ts';
import { DecodeError } from '../../ipp/octet-reader.ts';
import { isSuccessful, statusCodes } from '../../ipp/registry.ts';
import * as ipp from '../../ipp/values.ts';
import type { Deviations } from '../news.ts';
import { checkRequest, Misformed, operationName } from './check.ts';
import {
  brokenGroups,
  brokenOctets,
  isElsewhere,
  saidByWeb,
  saidToDocument,
  saidToQuestion,
} from './habitual-answers.ts';
import type { PrinterContext, Reply } from './context.ts';
import { handlers } from './operations.ts';
import type { Reach } from './reach.ts';
import { refusedByHabit, refusedVersion, understoodVersions } from './refusals.ts';
import type { IncomingDocument } from './transfer.ts';
import type { WebAnswer } from './habitual-answers.ts';

export interface PrinterRequest {
  /** The operation's registered name, or its number in hexadecimal. */
  readonly operation: string;
  readonly jobName: string | undefined;
  readonly version: string;
  readonly message: Message;
}

interface Desk {
  readonly context: PrinterContext;
  readonly deviations: Deviations;
  readonly reach: Reach;
  readonly requests: PrinterRequest[];
}

export async function servePrinter(
  desk: Desk,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { context, deviations } = desk;
  const { mood, habits } = context;
  if (!(await desk.reach.arrives(request.socket))) return;
  sayMeanwhile(response, habits.value('interim-answers'));
  const blunt = mood.meets('http') ?? saidByWeb(context, request);
  if (blunt) return sayHttp(request, response, blunt);
  const elsewhere = isElsewhere(context, request);
  const complaint = elsewhere ? undefined : httpComplaint(request, new URL(context.settings.uri).pathname);
  if (complaint) {
    deviations.note({ call: `${request.method} ${request.url}`, ...complaint });
    return sayHttp(request, response, complaint);
  }
  const received = await receiveMessage(request);
  if (received instanceof DecodeError) {
    deviations.note({ call: 'POST', what: received.message, section: 'RFC 8010 3' });
    return sayHttp(request, response, { status: 400 });
  }
  const { message, document } = received;
  const operation = operationName(message.code);
  const call = operation ?? `0x${message.code.toString(16)}`;
  const [major, minor] = message.version;
  desk.requests.push({
    operation: call,
    jobName: string(message.groups[0]?.attributes ?? [], 'job-name'),
    version: `${major}.${minor}`,
    message,
  });
  context.news.changed();
  const outdated = refusedVersion(habits, message);
  const blunter =
    outdated?.http === undefined ? denied(context, request, operation) : { status: outdated.http };
  if (blunter) {
    sayHttp(request, response, blunter);
    return drain(document);
  }
  const unasked = saidToQuestion(context, operation);
  if (unasked === 'closes') return void request.socket.end();
  if (unasked) return sayHttp(request, response, unasked);
  const concernsIt = ({ to }: { to?: string }) => to === undefined || to === operation;
  if (mood.meets('never-answer', concernsIt)) {
    await drain(document);
    return;
  }
  const reply =
    outdated?.reply ??
    (elsewhere ? saidElsewhere(context, operation) : await replyTo(desk, { message, call }, document));
  const isLost = mood.meets('answer-lost', concernsIt) !== undefined;
  context.news.changed();
  if (isLost) request.socket.resetAndDestroy();
  else {
    sendReply(context, response, message, reply);
    await drain(document);
  }
}

/** The answer for an unknown queue. As in CUPS, the list of queues is given at any address. */
function saidElsewhere({ settings }: PrinterContext, operation: string | undefined): Reply {
  if (operation !== 'CUPS-Get-Printers') return { status: 'client-error-not-found' };
  const name = new URL(settings.uri).pathname.split('/').at(-1) ?? '';
  const attributes = [attribute('printer-name', ipp.nameWithoutLanguage(name))];
  return { status: 'successful-ok', groups: [{ tag: 'printer-attributes', attributes }] };
}

/** The rules of the transport (RFC 8010 section 4). */
function httpComplaint(
  request: IncomingMessage,
  path: string,
): { what: string; section: string; status: number } | undefined {
  const section = 'RFC 8010 4';
  const { method, url = '', headers } = request;
  if (method !== 'POST') return { what: 'IPP is POST', section, status: 405 };
  if (headers['content-type'] !== 'application/ipp') {
    return { what: `the content type is ${headers['content-type'] ?? 'missing'}`, section, status: 415 };
  }
  const isHere = url.startsWith(path) && /^(\/\d+)?$/.test(url.slice(path.length));
  if (!isHere) return { what: 'no printer here', section, status: 404 };
  return undefined;
}

/** Only for a document, because a job may be created without credentials (RFC 9110 section 15.5.2). */
function denied(
  context: PrinterContext,
  { headers }: IncomingMessage,
  operation: string | undefined,
): WebAnswer | undefined {
  if (operation !== 'Send-Document') return undefined;
  if (!context.habits.has('denies-at-send') || headers.authorization !== undefined) {
    return saidToDocument(context);
  }
  return { status: 401, headers: { 'www-authenticate': 'Basic realm="printer"' } };
}

/** Sends interim answers (RFC 9110 section 15.2), whether or not the client asked for them. */
function sayMeanwhile(response: ServerResponse, codes: string | undefined): void {
  for (const code of codes?.split('+') ?? []) {
    if (code === '100') response.writeContinue();
    if (code === '102') response.writeProcessing();
    if (code === '103') response.writeEarlyHints({ link: '</ipp/print>; rel=preload' });
  }
}

function sayHttp(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body = '' }: WebAnswer,
): void {
  request.resume();
  response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers });
  response.end(body);
}

/** Reads until the message is complete. The rest of the body is the document. Rejects when the connection breaks. */
async function receiveMessage(
  request: IncomingMessage,
): Promise<{ message: Message; document: IncomingDocument } | DecodeError> {
  const chunks: AsyncIterator<Buffer> = request[Symbol.asyncIterator]();
  let received = Buffer.alloc(0);
  for (;;) {
    const { done, value } = await chunks.next();
    if (!done) received = Buffer.concat([received, value]);
    try {
      const { message, rest } = decodeMessage(received);
      return { message, document: { request, chunks: precededBy(rest, chunks) } };
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      if (done || !error.truncated) return error;
    }
  }
}

/** The first chunk may contain the end of the message and the beginning of the document. */
async function* precededBy(first: Buffer, others: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  for (;;) {
    const { done, value } = await others.next();
    if (done) return;
    yield value;
  }
}

async function drain({ chunks }: IncomingDocument): Promise<void> {
  while (!(await chunks.next()).done);
}

async function replyTo(
  { context, deviations }: Desk,
  { message, call }: { message: Message; call: string },
  document: IncomingDocument,
): Promise<Reply> {
  try {
    const { uri } = context.settings;
    const checked = checkRequest(message, { uri, versions: understoodVersions(context.habits) });
    const refusal = refusedByHabit(context, checked);
    return refusal ?? (await handlers[checked.operation](context, checked, document));
  } catch (error) {
    if (!(error instanceof Misformed)) throw error;
    deviations.note({ call, what: error.message, section: error.section });
    const { status } = error;
    return status === 'server-error-version-not-supported' ? { status, version: [2, 0] } : { status };
  }
}

function sendReply(
  { mood, habits, clock }: PrinterContext,
  response: ServerResponse,
  request: Message,
  { status, groups = [], version = request.version, requestId }: Reply,
): void {
  const garbage = mood.meets('garbage');
  // A list must be complete, so no habit breaks it.
  const broken = operationName(request.code) === 'Get-Jobs' ? undefined : habits.value('broken-answers');
  const code = statusCodes[status];
  const isZero = habits.has('wrong-request-id-in-errors') && !isSuccessful(code);
  const ownId = mood.meets('wrong-request-id') ? request.requestId + 1 : request.requestId;
  const answer: Message = {
    version,
    code,
    requestId: requestId ?? (isZero ? 0 : ownId),
    groups: [
      {
        tag: 'operation-attributes',
        attributes: [
          attribute('attributes-charset', ipp.charset('utf-8')),
          attribute('attributes-natural-language', ipp.naturalLanguage('en')),
          attribute('status-message', ipp.textWithoutLanguage(status)),
        ],
      },
      ...brokenGroups(broken, groups),
    ],
  };
  const body = garbage
    ? (garbage.bytes ?? Buffer.from('It works!'))
    : brokenOctets(broken, encodeMessage(answer));
  const type = habits.value('wrong-content-type') ?? 'application/ipp';
  response.writeHead(200, {
    ...(habits.has('no-content-type') ? {} : { 'content-type': type }),
    ...(habits.has('closes-every-connection') ? { connection: 'close' } : {}),
    'content-length': body.length,
  });
  response.end(body, () => hangUp({ habits, clock }, response));
}

/** After hanging up, the printer resets the connection if more data comes. */
function hangUp(
  { habits, clock }: Pick<PrinterContext, 'habits' | 'clock'>,
  { socket }: ServerResponse,
): void {
  const after = habits.number('hangs-up');
  if (after === undefined || socket === null) return;
  clock.setTimeout(() => {
    socket.end();
    socket.once('data', () => socket.resetAndDestroy());
  }, after);
}
