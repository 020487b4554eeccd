/** Finds when the certificates of a configuration expire: its own chain, and the authorities that it trusts. */
import { X509Certificate } from 'node:crypto';
import { Secret } from '../core/secret.ts';
import type { Config } from './schema/config.ts';

export interface CertificateEnd {
  /** The key path in the configuration. */
  readonly key: string;
  /** In wall milliseconds. */
  readonly end: number;
}

/**
 * Each file counts once. In the agent's own chain every certificate counts. In a file of authorities only the last end
 * counts, because such a file may hold expired authorities for ever.
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
      // The code that uses the file reports what is wrong with it.
      return [];
    }
  });
}
