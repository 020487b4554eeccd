/**
 * Whether the certificate of an `ipps` printer is accepted (INVARIANTS.md D9, T13). A trusted authority and the right
 * name are enough. Most printers have neither: then the certificate of the first use is kept, and only that certificate
 * is accepted later, whatever its names and dates. The SHA-256 of the whole certificate is compared; OpenSSL, browsers
 * and printers show the same value.
 */
import type { PrinterCertificate } from '../../../domain/ports/printer-memory.ts';
import { Problem } from '../../../domain/problem/problem.ts';

/** A certificate as a printer has just shown it. */
export interface SeenCertificate {
  readonly fingerprint: string;
  readonly subject: string;
  readonly issuer: string;
  /** Wall times, in milliseconds since 1970. */
  readonly validFrom: number;
  readonly validTo: number;
  /** Why no authority confirms it for this name, in OpenSSL's or Node's words; absent if one does. */
  readonly fault?: string | undefined;
}

/** `printer.tls.trust` of the configuration. */
export type CertificateTrust = 'auto' | 'ca';

/** Throws `printer-certificate-changed`, or `printer-certificate-refused` for a certificate that nothing confirms. */
export function judgeCertificate(
  seen: SeenCertificate,
  known: Pick<PrinterCertificate, 'fingerprint' | 'trustedBy'> | undefined,
  { trust, host, now }: { readonly trust: CertificateTrust; readonly host: string; readonly now: number },
): PrinterCertificate['trustedBy'] {
  if (seen.fault === undefined) return 'ca';
  if (trust === 'ca') throw notAccepted(host, seen.fault, 'no trusted authority has signed it');
  if (known === undefined) {
    // Before the first use there is nothing to compare, so a certificate outside its dates needs a person's approval.
    if (now >= seen.validFrom && now <= seen.validTo) return 'pin';
    throw notAccepted(
      host,
      seen.fault,
      `it has expired or is not valid yet, and was not used here before; ${whatHelps}`,
    );
  }
  if (known.fingerprint !== seen.fingerprint) {
    throw new Problem(
      'printer-certificate-changed',
      `the certificate of ${host} was ${known.fingerprint} and is ${seen.fingerprint}`,
      { delivery: 'not-sent' },
    );
  }
  if (known.trustedBy === 'pin') return 'pin';
  throw notAccepted(host, seen.fault, `no trusted authority signs it any longer; ${whatHelps}`);
}

const whatHelps = 'compare the certificate in `platen trust --printer` and approve it';

const notAccepted = (host: string, fault: string, why: string): Problem =>
  new Problem(
    'printer-certificate-refused',
    `the certificate of ${host} is not accepted: ${why} (${fault})`,
    {
      delivery: 'not-sent',
      reasons: [fault],
    },
  );
