/**
 * Gives a document in parts (RFC 9110 sections 13.1.5 and 14). A header names the exact bytes, and a client that has
 * the beginning gets only the rest. Only a single range up to the end is supported; any other request gets the whole
 * document.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { httpDate } from '../../core/clock.ts';
import type { Answer } from './call.ts';
import { bytes, empty } from './call.ts';
import type { CloudSettings } from './settings.ts';
import type { CloudDocument } from './state.ts';

const type = 'application/octet-stream';

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
