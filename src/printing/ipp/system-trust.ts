/**
 * The authorities that are trusted for `ipps` printers: the roots of Node and of the system, loaded when first needed,
 * and those of a printer's own `caFile`. All printers with the same authorities share a context, because each context
 * costs a megabyte.
 */
import type { SecureContext } from 'node:tls';
import { createSecureContext, getCACertificates } from 'node:tls';

/** `ca` is PEM and is added to the system's authorities. */
export type Trust = (ca?: string) => SecureContext;

export function systemTrust(): Trust {
  const contexts = new Map<string, SecureContext>();
  return (ca = '') => {
    const present = contexts.get(ca);
    if (present) return present;
    const roots = new Set([...getCACertificates('default'), ...getCACertificates('system')]);
    const context = createSecureContext({ ca: [...roots, ...(ca === '' ? [] : [ca])] });
    contexts.set(ca, context);
    return context;
  };
}
