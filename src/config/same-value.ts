/**
 * Whether two values of a checked configuration are equal. Secrets are compared by content, which a general comparison
 * cannot see. Functions count as equal, because the text that they come from is compared beside them, as in a
 * card-number rule.
 */
import { Secret } from '../core/secret.ts';

export function isSameValue(one: unknown, other: unknown): boolean {
  if (one instanceof Secret) return other instanceof Secret && one.equals(other);
  if (typeof one === 'function') return typeof other === 'function';
  if (!isObject(one) || !isObject(other)) return Object.is(one, other);
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].every((key) => isSameValue(one[key], other[key]));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
