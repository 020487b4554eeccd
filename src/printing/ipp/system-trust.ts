/**
 * Which authorities `ipps` printers are believed by: the roots Node brings and those of the system, put together when
 * first asked for, and those of a printer's own `caFile`. One context serves all printers of the same authorities; each
 * of its own would cost a megabyte.
 */
import type { SecureContext } from 'node:tls';
import { createSecureContext, getCACertificates } from 'node:tls';

/** `ca`: PEM, added to the system's. */
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
