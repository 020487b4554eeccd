/** When the certificates end that a configuration brings: its own, and those of the authorities that it believes. */
import { X509Certificate } from 'node:crypto';
import { Secret } from '../core/secret.ts';
import type { Config } from './schema/config.ts';

/**
 * Wall milliseconds. Of its own chain all count. Of a file of authorities the last one does: until then somebody in it is
 * believed, and such a file may hold old ones for ever.
 */
export function certificateEnds({
  operations: { tls, ...operations },
  ...config
}: Config): readonly number[] {
  const bundles = new Set(pemIn({ operations, callers: tls?.clientCa, ...config }));
  return [
    ...(tls ? endsIn(tls.certificate) : []),
    ...[...bundles].map((pem) => Math.max(...endsIn(pem))),
  ].filter(Number.isFinite);
}

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

function pemIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.includes('-----BEGIN CERTIFICATE-----') ? [value] : [];
  if (typeof value !== 'object' || value === null || value instanceof Secret) return [];
  return Object.values(value).flatMap(pemIn);
}

function endsIn(pem: string): readonly number[] {
  return (pem.match(block) ?? []).flatMap((one) => {
    try {
      return [new X509Certificate(one).validToDate.getTime()];
    } catch {
      // Whoever uses the file says what is wrong with it.
      return [];
    }
  });
}
