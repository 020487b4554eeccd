/**
 * A printer that answers every operation as it should, but for the one that the test takes over, down to the octets of
 * the connection. It shares nothing with the virtual printer, which speaks the protocol; it keeps what it was sent.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { decodeMessage } from '../../../src/ipp/decode.ts';
import { encodeMessage } from '../../../src/ipp/encode.ts';
import type { Attribute, Group, Message } from '../../../src/ipp/message.ts';
import { attribute, group, integer, string } from '../../../src/ipp/message.ts';
import type { Operation } from '../../../src/ipp/registry.ts';
import * as ipp from '../../../src/ipp/values.ts';
import { idlePrinter, operationOf } from './scripted-printer.ts';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** What a decent printer would answer. */
  readonly answer: Message;
}

export type Hostility = (exchange: Exchange) => unknown;

export interface HostilePrinter extends AsyncDisposable {
  readonly uri: string;
  /** SHA-256 of every document it took whole. */
  readonly documents: readonly string[];
  readonly operations: readonly Operation[];
  /** From now on, until `clear`. */
  be(to: Operation, hostility: Hostility): void;
  clear(): void;
}

interface Job {
  readonly id: number;
  readonly name: string;
}

export async function startHostilePrinter(): Promise<HostilePrinter> {
  const jobs: Job[] = [];
  const documents: string[] = [];
  const asked: Operation[] = [];
  let taken: { to: Operation; hostility: Hostility } | undefined;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A document may be refused before it was read: what is asked stands in the first octets.
    const first = await firstChunk(request);
    const operation = operationOf({ ...emptyMessage, code: first.readUInt16BE(2) });
    if (operation) asked.push(operation);
    const hostility = taken?.to === operation ? taken?.hostility : undefined;
    if (hostility && operation === 'Send-Document') {
      return void hostility({
        request,
        response,
        answer: { ...emptyMessage, requestId: first.readInt32BE(4) },
      });
    }
    const { message, rest } = decodeMessage(Buffer.concat([first, await buffer(request)]));
    if (operation === 'Send-Document') documents.push(createHash('sha256').update(rest).digest('hex'));
    const answer = { ...emptyMessage, requestId: message.requestId, groups: groupsFor(operation, message) };
    if (hostility) hostility({ request, response, answer });
    else say({ response, answer });
  }

  function groupsFor(operation: Operation | undefined, message: Message): readonly Group[] {
    const attributes = group(message, 'operation-attributes');
    if (operation === 'Get-Printer-Attributes') return idlePrinter().groups ?? [];
    if (operation === 'Create-Job') {
      jobs.push({ id: jobs.length + 1, name: string(attributes, 'job-name') ?? '' });
      return [ofJob(attribute('job-id', ipp.integer(jobs.length)))];
    }
    const job = jobs.find(({ id }) => id === integer(attributes, 'job-id'));
    if (operation !== 'Get-Job-Attributes' || !job) return [];
    return [
      ofJob(
        attribute('job-id', ipp.integer(job.id)),
        attribute('job-name', ipp.nameWithoutLanguage(job.name)),
        attribute('job-state', ipp.enumValue(9)),
        attribute('job-impressions-completed', ipp.integer(3)),
        attribute('job-media-sheets-completed', ipp.integer(3)),
      ),
    ];
  }

  const server = createServer((request, response) => {
    void serve(request, response).catch(() => response.destroy());
  });
  // Whoever is attacked may break off.
  server.on('connection', (socket) => socket.on('error', () => {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    uri: `ipp://127.0.0.1:${port}/ipp/print`,
    documents,
    operations: asked,
    be: (to, hostility) => void (taken = { to, hostility }),
    clear: () => void (taken = undefined),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const emptyMessage: Message = { version: [2, 0], code: 0, requestId: 1, groups: [] };

const ofJob = (...attributes: readonly Attribute[]): Group => ({ tag: 'job-attributes', attributes });

async function firstChunk(request: IncomingMessage): Promise<Buffer> {
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  const { value } = await chunks.next();
  return value as Buffer;
}

/** In order, as a decent printer does. */
export function say({ response, answer }: Pick<Exchange, 'response' | 'answer'>): void {
  sayOctets(response, encodeMessage(answer));
}

export function sayOctets(response: ServerResponse, octets: Buffer): void {
  response.setHeader('content-type', 'application/ipp').end(octets);
}

/** The decent answer with these attributes in its last group, in place of those of the same name. */
export function saying(...changed: readonly Attribute[]): Hostility {
  const names = new Set(changed.map(({ name }) => name));
  return ({ response, answer }) => {
    const groups = answer.groups.map(({ tag, attributes }) => ({
      tag,
      attributes: [...changed, ...attributes.filter(({ name }) => !names.has(name))],
    }));
    say({ response, answer: { ...answer, groups } });
  };
}
