/** `PUT /documents`: a file becomes a waiting document, as multipart/form-data (spec, Documents; RFC 7578). */
import { Readable } from 'node:stream';
import { z } from 'zod';
import { minutes } from '../../core/duration.ts';
import type { Sides } from '../../domain/document.ts';
import { documentUuid } from '../../domain/document.ts';
import type { CallerOptions } from '../../domain/ports/call.ts';
import { Problem } from '../../domain/problem/problem.ts';
import type { ResourceDeps } from '../http/caller.ts';
import { askAs } from '../http/caller.ts';
import type { Body, FormField, StreamedBody } from '../http/form.ts';
import { pairsOf } from '../http/form.ts';
import { valueOf } from '../http/json.ts';

/** It is sent as it comes, and never in memory as a whole; exactly so many octets have to come. */
export interface FlowingFile {
  readonly octets: number;
  readonly stream: Readable;
}

export interface Upload {
  readonly file: { readonly name: string } & ({ readonly bytes: Buffer } | FlowingFile);
  readonly title: string;
  readonly userName: string;
  /** Absent: the service guesses. */
  readonly providerId?: number;
  /** Name of the input port. */
  readonly portName: string;
  readonly copies?: number;
  readonly grayscale?: boolean;
  readonly sides?: Sides;
  readonly collate?: boolean;
  /** For push queues only. */
  readonly push?: {
    /** `Original`, the name of a size, or `<width>x<height>` in points. */
    readonly outputPageSize?: string;
    readonly orientation?: 'portrait' | 'landscape';
    /** Percent, 1 to 100. */
    readonly scale?: number;
  };
}

/** The service's limit for office formats; for memory's sake it applies to all formats here. */
const largest = 200 * 1024 * 1024;
const patience = minutes(10);

const duplexOf = { 'one-sided': 0, 'two-sided-long-edge': 1, 'two-sided-short-edge': 2 } as const;

const documentInfo = z.object({ uuid: z.string().regex(documentUuid) });

/**
 * Gives the uuid of the new document. Never repeated, because each call makes a document. Rejects `document-too-large`
 * above 200 MiB, without having sent anything.
 */
export async function uploadDocument(
  deps: ResourceDeps,
  upload: Upload,
  options: CallerOptions,
): Promise<string> {
  if (lengthOf(upload.file) > largest) {
    throw new Problem('document-too-large', `above ${largest} bytes`, { delivery: 'not-sent' });
  }
  const within = { ...options, signal: deps.clock.deadline(patience, options.signal) };
  const call = { method: 'PUT', path: '/api/v1/documents', ...(await bodyOf(upload)) } as const;
  return valueOf(await askAs(deps, call, within), documentInfo).uuid;
}

const lengthOf = (file: Upload['file']): number => ('bytes' in file ? file.bytes.length : file.octets);

/** In the form of a call. */
type Parts = { readonly body: Body } | { readonly flow: StreamedBody };

function bodyOf({ file, push, ...upload }: Upload): Promise<Parts> {
  return multipartBody(
    [
      ['providerid', upload.providerId],
      ['username', upload.userName],
      ['portname', upload.portName],
      ['title', titleFor(file.name, upload.title)],
      ['copies', upload.copies],
      ['grayscale', upload.grayscale],
      ['duplex', upload.sides && duplexOf[upload.sides]],
      ['outputpagesize', push?.outputPageSize],
      ['pageorientation', push?.orientation && { portrait: 0, landscape: 1 }[push.orientation]],
      ['scale', push?.scale],
      ['collate', upload.collate],
    ],
    file,
  );
}

/** If the file is no PDF, the title needs its extension: the service knows the format by it. */
function titleFor(fileName: string, title: string): string {
  const extension = /\.[A-Za-z0-9]+$/.exec(fileName)?.[0] ?? '';
  const isThere = title.toLowerCase().endsWith(extension.toLowerCase());
  return isThere || extension.toLowerCase() === '.pdf' ? title : title + extension;
}

async function multipartBody(fields: readonly FormField[], file: Upload['file']): Promise<Parts> {
  const form = new FormData();
  for (const [name, value] of pairsOf(fields)) form.append(name, value);
  const bytes = 'bytes' in file ? new Uint8Array(file.bytes) : new Uint8Array();
  form.append('data', new Blob([bytes], { type: 'application/octet-stream' }), file.name);
  // The platform's own encoder makes the boundary and escapes the names.
  const encoded = new Response(form);
  const type = encoded.headers.get('content-type') ?? '';
  const whole = Buffer.from(await encoded.arrayBuffer());
  return 'bytes' in file ? { body: { type, bytes: whole } } : { flow: { type, ...around(file, whole) } };
}

/** The file is the last part: its stream goes where the encoder put an empty file. */
function around({ octets, stream }: FlowingFile, empty: Buffer): Omit<StreamedBody, 'type'> {
  const end = empty.lastIndexOf('\r\n--');
  async function* parts(): AsyncGenerator<Buffer> {
    yield empty.subarray(0, end);
    yield* stream as AsyncIterable<Buffer>;
    yield empty.subarray(end);
  }
  return { length: empty.length + octets, stream: Readable.from(parts(), { objectMode: false }) };
}
