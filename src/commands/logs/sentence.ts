/**
 * How a sentence is made of the facts of one log record. A sentence takes the facts it knows by name, so nothing comes
 * through that nobody has thought of; and each text passes `printable`, whoever wrote the log.
 */
import { printable } from '../../core/text/printable.ts';

export interface Facts {
  readonly [fact: string]: unknown;
}

export type Sentence = (facts: Facts) => string;

/** By the `msg` of the record. */
export type Sentences = Readonly<Record<string, Sentence>>;

/** Of a text, number or boolean; nothing of anything else. */
export const said = (fact: unknown): string =>
  ['string', 'number', 'boolean'].includes(typeof fact) ? printable(String(fact)) : '';

export const listed = (fact: unknown): string =>
  (Array.isArray(fact) ? fact : []).map(said).filter(Boolean).join(', ');

/** With a capital, unless a name of a file or key comes first, and with a full stop where it has no end. */
export function asSentence(text: string): string {
  const plain = text.trim();
  if (plain === '') return '';
  const isWord = /^\p{L}[\p{L}'’-]*(?=[\s,;!?]|$)/u.test(plain);
  const first = isWord ? plain.charAt(0).toUpperCase() + plain.slice(1) : plain;
  return /[.!?…:]\)?$/.test(first) ? first : `${first}.`;
}

/** What was seen, and what the record says is to be done; for the end of a line. */
export function because({ detail, error, advice }: Facts): string {
  const message = isFacts(error) ? error['message'] : error;
  return [said(detail) || said(message), said(advice)]
    .map(asSentence)
    .filter(Boolean)
    .map((one) => ` ${one}`)
    .join('');
}

/** As `platen releases show` takes it. */
export const release = ({ releaseId }: Facts): string => `Release ${said(releaseId).slice(0, 8)}`;

/** `1 document`, `3 documents`. */
export const counted = (count: unknown, one: string): string =>
  `${said(count) || 'some'} ${count === 1 ? one : `${one}s`}`;

export const isFacts = (value: unknown): value is Facts =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
