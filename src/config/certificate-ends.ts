/** When the certificates end that a configuration brings: its own, and those of the authorities that it believes. */
import { X509Certificate } from 'node:crypto';
import { Secret } from '../core/secret.ts';
import type { Config } from './schema/config.ts';

export interface CertificateEnd {
  /** Where the configuration names it. */
  readonly key: string;
  /** Wall milliseconds. */
  readonly end: number;
}

/**
 * Each file once. Of its own chain all count. Of a file of authorities the last one does: until then somebody in it is
 * believed, and such a file may hold old ones for ever.
 */
export function certificateEnds({
  operations: { tls, ...operations },
  ...config
}: Config): readonly CertificateEnd[] {
  const callers = tls?.clientCa === undefined ? {} : { tls: { clientCa: tls.clientCa } };
  const bundles = pemIn({ operations: { ...operations, ...callers }, ...config }, '');
  const once = new Map(bundles.toReversed().map(({ pem, key }) => [pem, key]));
  return [
    ...(tls ? endsIn(tls.certificate).map((end) => ({ key: 'operations.tls.certificateFile', end })) : []),
    ...[...once].toReversed().map(([pem, key]) => ({ key, end: Math.max(...endsIn(pem)) })),
  ].filter(({ end }) => Number.isFinite(end));
}

const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

interface Bundle {
  readonly key: string;
  readonly pem: string;
}

function pemIn(value: unknown, key: string): readonly Bundle[] {
  if (typeof value === 'string') {
    return value.includes('-----BEGIN CERTIFICATE-----') ? [{ key, pem: value }] : [];
  }
  if (typeof value !== 'object' || value === null || value instanceof Secret) return [];
  return Object.entries(value).flatMap(([name, inner]) => pemIn(inner, key === '' ? name : `${key}.${name}`));
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
