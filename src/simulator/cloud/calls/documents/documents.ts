/**
 * List, content and deletion of documents in the simulated cloud (spec, Documents; src/cloud/README.md 7). The
 * content comes whole or in parts.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { httpDate } from '../../../../core/clock.ts';
import type { Answer, Call } from '../../call.ts';
import { bytes, Deviation, empty, errorAnswer, errorCode, json, Refusal } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { isOf } from '../../context.ts';
import { listed } from '../../paging.ts';
import { formBoolean, formInteger, formIntegers, readQuery, requireNoParameters } from '../../parameters.ts';
import type { CloudSettings } from '../../settings.ts';
import type { CloudDocument, DocumentStatus } from '../../state.ts';
import { documentStatus } from '../../state.ts';
import { recordRelease } from './history.ts';

const section = 'spec, Documents';

const listQuery = z.strictObject({
  status: formIntegers(0, 9).default([documentStatus.READY]),
  maxRecords: formInteger(1, 500).default(50),
});

export function listDocuments(context: CloudContext, call: Call): Answer {
  const { status, maxRecords } = readQuery(call, { schema: listQuery, section, repeatable: ['status'] });
  if (context.settings.statusLists === 'repeated' && /%2c|,/i.test(call.query)) {
    throw new Refusal('a list of status is taken as many values only', errorAnswer(400));
  }
  refuseInsecureKey(context);
  const owner = ownerOf(call);
  const found = context.state.documents.filter((one) => isOf(one, owner) && status.includes(one.info.status));
  context.tell(`documents: ${owner.userName} asks, ${found.length} there`);
  const infos = found.slice(0, maxRecords).map((one) => one.info);
  return json(200, listed(infos, context.settings.listShape));
}

/** The parameters of a download and of a release by the service. */
export const releaseParameters = z.strictObject({
  copies: formInteger(1, 999).optional(),
  grayscale: formBoolean.optional(),
  retain: formBoolean.default(false),
  duplex: formInteger(0, 2).optional(),
});

/** Without `retain=true`, the document ends here (src/cloud/README.md 12, row 15). */
export function documentContent(context: CloudContext, call: Call): Answer {
  const { retain, ...wishes } = readQuery(call, { schema: releaseParameters, section });
  refuseInsecureKey(context);
  const document = ownDocument(context, call, errorAnswer(404));
  const { documentName, storageOnline } = document.info;
  if (!isWaiting(document)) throw new Refusal('the document is gone', errorAnswer(404));
  if (!storageOnline) throw new Refusal('the storing computer cannot be reached', errorAnswer(503));
  if (!retain) {
    document.consumed = true;
    setStatus(document, documentStatus.PRINTED);
    recordRelease(context, document, { wishes });
  }
  context.tell(
    `content: “${documentName}”, ${document.bytes.length} bytes, ${retain ? 'retained' : 'consumed'}`,
  );
  return {
    ...(retain
      ? contentAnswer(document, call.headers, context.settings)
      : bytes(200, 'application/octet-stream', document.bytes)),
    settled: (delivered) => {
      if (delivered) document.fetched += 1;
    },
  };
}

export function deleteDocument(context: CloudContext, call: Call): Answer {
  requireNoParameters(call, section);
  // The spec lists only 403.
  const missing = errorAnswer(403, errorCode.deleteDocument);
  const document = ownDocument(context, call, missing);
  if (document.info.status === documentStatus.DELETED) throw new Refusal('the document is gone', missing);
  setStatus(document, documentStatus.DELETED);
  context.tell(`delete: “${document.info.documentName}”`);
  return json(200, { errorCode: errorCode.ok });
}

/** Whether the document is still stored and may be released. */
export const isWaiting = ({ info: { status } }: CloudDocument): boolean =>
  status === documentStatus.READY || status === documentStatus.STORED;

export function setStatus(document: CloudDocument, status: DocumentStatus): void {
  document.info = { ...document.info, status };
}

/** Probably the spec means a key that allows unauthenticated requests (src/cloud/README.md 5). */
export function refuseInsecureKey({ settings }: CloudContext): void {
  if (settings.keyAllows.includes('unauthenticated-requests')) {
    throw new Refusal('the API key is insecure', errorAnswer(403));
  }
}

function ownerOf({ caller }: Call) {
  if (caller.kind !== 'user') throw new Refusal('needs a user token', errorAnswer(403));
  return caller.user;
}

/** `missing` is the answer for an unknown document, which differs between calls in the spec. */
export function ownDocument(context: CloudContext, call: Call, missing: Answer): CloudDocument {
  const document = context.state.documents.find((one) => one.info.uuid === call.parts['uuid']);
  if (document === undefined) throw new Refusal('no such document', missing);
  if (!isOf(document, ownerOf(call))) {
    throw new Deviation("another user's document", section, errorAnswer(403));
  }
  return document;
}

const type = 'application/octet-stream';

/**
 * Gives a document in parts (RFC 9110 sections 13.1.5 and 14). A header names the exact bytes, and a client that has
 * the beginning gets only the rest. Only a single range up to the end is supported; any other request gets the whole
 * document.
 */
export function contentAnswer(
  document: CloudDocument,
  headers: IncomingHttpHeaders,
  { parts }: CloudSettings,
): Answer {
  const { bytes: content } = document;
  const whole = bytes(200, type, content);
  if (parts === 'none') return whole;
  const named = { 'accept-ranges': 'bytes', ...nameOf(document, parts) };
  const from = firstByte(headers, Object.values(nameOf(document, parts)));
  if (from === undefined) return { ...whole, headers: named };
  if (from >= content.length) {
    return { ...empty(416), headers: { 'content-range': `bytes */${content.length}` } };
  }
  const range = `bytes ${from}-${content.length - 1}/${content.length}`;
  return { ...bytes(206, type, content.subarray(from)), headers: { ...named, 'content-range': range } };
}

/** The name changes with each property of the document that can change here. */
function nameOf(
  { info: { uuid, documentName, dateTime }, bytes: content }: CloudDocument,
  parts: 'by-etag' | 'by-date',
): Record<string, string> {
  if (parts === 'by-date') return { 'last-modified': httpDate(dateTime) };
  return {
    etag: `"${Buffer.from(`${uuid} ${dateTime} ${content.length} ${documentName}`).toString('hex')}"`,
  };
}

/** Gives `undefined` if the client wants the whole document, or a part of other bytes. */
function firstByte(headers: IncomingHttpHeaders, names: readonly string[]): number | undefined {
  const { range, 'if-range': condition } = headers;
  const from = /^bytes=(\d{1,15})-$/.exec(range ?? '')?.[1];
  if (from === undefined || (condition !== undefined && !names.includes(String(condition)))) return undefined;
  return Number(from);
}
