/**
 * How the facts of one log record become a sentence. A sentence takes known facts by name, so an unexpected fact is
 * never shown. Each text passes `printable`, because any program may have written the log.
 */
import { printable } from '../../core/text/printable.ts';

export interface Facts {
  readonly [fact: string]: unknown;
}

export type Sentence = (facts: Facts) => string;

/** By the `msg` of the record. */
export type Sentences = Readonly<Record<string, Sentence>>;

/** The text of a string, number or boolean; empty for anything else. */
export const said = (fact: unknown): string =>
  ['string', 'number', 'boolean'].includes(typeof fact) ? printable(String(fact)) : '';

export const listed = (fact: unknown): string =>
  (Array.isArray(fact) ? fact : []).map(said).filter(Boolean).join(', ');

/** With a capital first letter, except for the name of a file or key, and with a full stop at the end. */
export function asSentence(text: string): string {
  const plain = text.trim();
  if (plain === '') return '';
  const isWord = /^\p{L}[\p{L}'’-]*(?=[\s,;!?]|$)/u.test(plain);
  const first = isWord ? plain.charAt(0).toUpperCase() + plain.slice(1) : plain;
  return /[.!?…:]\)?$/.test(first) ? first : `${first}.`;
}

/** The detail and the advice of the record, for the end of a line. */
export function because({ detail, error, advice }: Facts): string {
  const message = isFacts(error) ? error['message'] : error;
  return [said(detail) || said(message), said(advice)]
    .map(asSentence)
    .filter(Boolean)
    .map((one) => ` ${one}`)
    .join('');
}

/** The form that `platen releases show` accepts. */
export const release = ({ releaseId }: Facts): string => `Release ${said(releaseId).slice(0, 8)}`;

/** `1 document`, `3 documents`. */
export const counted = (count: unknown, one: string): string =>
  `${said(count) || 'some'} ${count === 1 ? one : `${one}s`}`;

export const isFacts = (value: unknown): value is Facts =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
