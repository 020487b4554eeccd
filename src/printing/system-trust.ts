/**
 * Whom `ipps` printers are believed: the roots Node brings and those of the system, put together when first asked
 * for. One context serves all printers; each of its own would cost a megabyte.
 */
import type { SecureContext } from 'node:tls';
import { createSecureContext, getCACertificates } from 'node:tls';

export type Trust = () => SecureContext;

export function systemTrust(): Trust {
  let context: SecureContext | undefined;
  return () => {
    context ??= createSecureContext({
      ca: [...new Set([...getCACertificates('default'), ...getCACertificates('system')])],
    });
    return context;
  };
}
