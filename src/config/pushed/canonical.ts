/** One canonical text for a value, whatever the order of its keys. Signatures and comparisons need the same text. */
import { createHash } from 'node:crypto';

/** JSON with the keys of every map sorted. */
export const canonical = (value: unknown): string => JSON.stringify(inOrder(value));

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, within]) => [key, inOrder(within)]));
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
