/** IPP requests built by hand over node:http: what the virtual printer is tried with. */
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request as httpRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { decodeMessage } from '../../../src/ipp/decode.ts';
import { encodeMessage } from '../../../src/ipp/encode.ts';
import type { Attribute, Group, Message } from '../../../src/ipp/message.ts';
import { attribute, group, integer, strings } from '../../../src/ipp/message.ts';
import { operations, statusName } from '../../../src/ipp/registry.ts';
import * as ipp from '../../../src/ipp/values.ts';
import type { VirtualPrinter } from '../../../src/simulator/printer/printer.ts';

type OperationName = keyof typeof operations;
type Asking = Pick<VirtualPrinter, 'uri'>;

export interface Asked {
  readonly operation: OperationName;
  readonly version?: readonly [number, number];
  readonly requestId?: number;
  readonly jobId?: number;
  /** After the charset, the language and the target. */
  readonly attributes?: readonly Attribute[];
  readonly template?: readonly Attribute[];
  /** In place of everything above. */
  readonly groups?: readonly Group[];
  readonly document?: Buffer;
}

export const charset = attribute('attributes-charset', ipp.charset('utf-8'));
export const language = attribute('attributes-natural-language', ipp.naturalLanguage('en'));
export const printerUri = (printer: Asking): Attribute => attribute('printer-uri', ipp.uri(printer.uri));
export const lastDocument = attribute('last-document', ipp.boolean(true));
export const jobNamed = (name: string): Attribute => attribute('job-name', ipp.nameWithoutLanguage(name));
export const userNamed = (name: string): Attribute =>
  attribute('requesting-user-name', ipp.nameWithoutLanguage(name));

export function messageFor(printer: Asking, asked: Asked): Message {
  const target = [printerUri(printer)];
  if (asked.jobId !== undefined) target.push(attribute('job-id', ipp.integer(asked.jobId)));
  const attributes = [charset, language, ...target, ...(asked.attributes ?? [])];
  const template: Group[] = asked.template ? [{ tag: 'job-attributes', attributes: asked.template }] : [];
  return {
    version: asked.version ?? [2, 0],
    code: operations[asked.operation],
    requestId: asked.requestId ?? 1,
    groups: asked.groups ?? [{ tag: 'operation-attributes', attributes }, ...template],
  };
}

const httpUrl = (printer: Asking): string => printer.uri.replace('ipp:', 'http:');

export interface Answered {
  readonly status: string;
  readonly message: Message;
  readonly job: readonly Attribute[];
}

export async function ask(printer: Asking, asked: Asked): Promise<Answered> {
  const body = Buffer.concat([encodeMessage(messageFor(printer, asked)), asked.document ?? Buffer.alloc(0)]);
  const answer = await post(printer, body);
  const { message } = decodeMessage(answer.body);
  return { status: statusName(message.code), message, job: group(message, 'job-attributes') };
}

export interface Posted {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** One request on a connection of its own. Rejects with what the socket met. */
export async function post(printer: Asking, body: Buffer): Promise<Posted> {
  const sending = httpRequest(httpUrl(printer), {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/ipp', 'content-length': body.length },
  });
  sending.end(body);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sending.once('response', resolve);
    sending.on('error', reject);
  });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: await buffer(response),
  };
}

/** Sends the parts one after the other, chunked, and says what came back. */
export async function stream(printer: Asking, asked: Asked, parts: readonly Buffer[]): Promise<string> {
  const { sending, answer } = beginStream(printer, asked);
  for (const part of parts) {
    if (!sending.write(part)) await once(sending, 'drain');
  }
  sending.end();
  return answer;
}

/** A request whose body the caller writes, ends or breaks. */
export function beginStream(printer: Asking, asked: Asked) {
  const sending = httpRequest(httpUrl(printer), {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/ipp' },
  });
  const answer = new Promise<string>((resolve) => {
    sending.on('error', () => resolve('broken'));
    sending.on('response', (response) => {
      buffer(response).then(
        (body) => resolve(statusName(decodeMessage(body).message.code)),
        () => resolve('broken'),
      );
    });
  });
  sending.write(encodeMessage(messageFor(printer, asked)));
  return { sending, answer };
}

/** Create-Job; gives the job's id. */
export async function createJob(printer: Asking, rest: Omit<Asked, 'operation'> = {}): Promise<number> {
  const { job } = await ask(printer, { operation: 'Create-Job', ...rest });
  return integer(job, 'job-id') ?? 0;
}

export async function jobState(printer: Asking, jobId: number) {
  const { job } = await ask(printer, { operation: 'Get-Job-Attributes', jobId });
  return {
    state: integer(job, 'job-state'),
    reasons: strings(job, 'job-state-reasons'),
    impressions: integer(job, 'job-impressions-completed'),
    sheets: integer(job, 'job-media-sheets-completed'),
  };
}

/** Resolves once the job has ended, by whatever end. */
export const ended = (printer: VirtualPrinter, jobId: number): Promise<void> =>
  printer.waitFor(() =>
    ['completed', 'aborted', 'canceled'].includes(printer.jobs.find((job) => job.id === jobId)?.state ?? ''),
  );
