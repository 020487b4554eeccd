/**
 * `GET /certificate/ca` and `GET /certificate/root`: authorities that the service offers as trust anchors (spec,
 * Certificates; CertificateInfo). All facts are read from the certificate itself, not from the service's description.
 * Nothing is trusted here, and gateways do not offer the resource.
 */
import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import type { CallerOptions } from '../../domain/ports/call.ts';
import type { ResourceDeps } from '../http/caller.ts';
import { unlessStatus } from '../http/caller.ts';
import { optionalText } from '../http/optional-fields.ts';
import { readList } from '../http/pages.ts';
import { visibleText } from '../../core/text/visible-text.ts';

export interface Certificate {
  /** The service's name for it. */
  readonly alias: string | undefined;
  /** Hex. */
  readonly serial: string;
  readonly subject: string;
  readonly issuer: string;
  /** ISO 8601. */
  readonly notBefore: string;
  readonly notAfter: string;
  /** SHA-256 over the DER form: pairs of hex digits with colons. */
  readonly fingerprint: string;
  readonly pem: string;
}

export interface Certificates {
  /** Uploaded authorities; `undefined` if the server does not offer this, as on every gateway. */
  authorities(options: CallerOptions): Promise<readonly Certificate[] | undefined>;
  /** Roots of the chains that the service made itself; `undefined` as above. */
  roots(options: CallerOptions): Promise<readonly Certificate[] | undefined>;
}

const certificateInfo = z
  .object({ alias: optionalText, body: z.string() })
  .transform(({ alias, body }, context): Certificate => {
    try {
      return certificateOf(alias, body);
    } catch {
      context.addIssue('is no certificate');
      return z.NEVER;
    }
  });

function certificateOf(alias: string | undefined, body: string): Certificate {
  const certificate = new X509Certificate(body.includes('-----BEGIN') ? body : Buffer.from(body, 'base64'));
  return {
    alias: alias === undefined ? undefined : visibleText(alias),
    serial: certificate.serialNumber,
    subject: nameOf(certificate.subject),
    issuer: nameOf(certificate.issuer),
    notBefore: certificate.validFromDate.toISOString(),
    notAfter: certificate.validToDate.toISOString(),
    fingerprint: certificate.fingerprint256,
    pem: certificate.toString(),
  };
}

/** Node puts each part of a name on a line of its own. */
const nameOf = (lines: string): string => visibleText(lines.trim().replaceAll('\n', ', '));

const notOffered = [400, 404, 405, 501];

export function createCertificates(deps: ResourceDeps): Certificates {
  const listAt = (path: string, options: CallerOptions) =>
    unlessStatus(notOffered, readList(deps, { name: 'certificates', path, entry: certificateInfo }, options));
  return {
    authorities: (options) => listAt('/api/v1/certificate/ca', options),
    roots: (options) => listAt('/api/v1/certificate/root', options),
  };
}
