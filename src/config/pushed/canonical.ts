/** One text for one value, whatever order its keys came in: what is signed and compared is text. */
import { createHash } from 'node:crypto';

/** JSON with the keys of every map in order. */
export const canonical = (value: unknown): string => JSON.stringify(inOrder(value));

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, within]) => [key, inOrder(within)]));
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
