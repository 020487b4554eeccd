/** Partial content in HTTP, so that a download that broke off can go on (RFC 9110 sections 8.8, 13.1.5, 14). */
import { parseInstant } from '../../core/clock.ts';
import type { Headers } from './json.ts';
import { headerOf } from './json.ts';

export interface ContentRange {
  readonly from: number;
  /** The last octet, included. */
  readonly last: number;
  /** The length of the whole document. */
  readonly length: number;
}

/** `undefined` if it is missing, or leaves the length open. */
export function contentRange(headers: Headers): ContentRange | undefined {
  const parts = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/i.exec(headerOf(headers, 'content-range') ?? '');
  if (parts === null) return undefined;
  const [from = 0, last = 0, length = 0] = parts.slice(1).map(Number);
  return { from, last, length };
}

/**
 * A strong ETag, or a date of the last change at least a second before the answer. Within a second the document could
 * have changed again (RFC 9110 section 8.8.2.2). `undefined`: the service has no name for exactly these bytes.
 */
export function validatorOf(headers: Headers): string | undefined {
  const etag = headerOf(headers, 'etag');
  if (etag !== undefined) return /^"[\x21\x23-\x7e\x80-\xff]*"$/.test(etag) ? etag : undefined;
  const modified = headerOf(headers, 'last-modified');
  const changedAt = parseInstant(modified ?? '');
  const answeredAt = parseInstant(headerOf(headers, 'date') ?? '');
  if (changedAt === undefined || answeredAt === undefined) return undefined;
  return answeredAt - changedAt >= 1000 ? modified : undefined;
}
