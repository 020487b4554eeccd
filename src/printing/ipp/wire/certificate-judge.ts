/**
 * Whether the certificate of an `ipps` printer is accepted (INVARIANTS.md D9, T13). An authority and the right name are
 * enough. Printers mostly have neither: then the certificate of the first use is kept, and from then on it must be
 * that one, whatever its names and dates. What is compared is the SHA-256 of the whole certificate, which is what
 * OpenSSL, browsers and printers show.
 */
import type { PrinterCertificate } from '../../../domain/ports/printer-memory.ts';
import { Problem } from '../../../domain/problem/problem.ts';

/** A certificate as a printer has just shown it. */
export interface SeenCertificate {
  readonly fingerprint: string;
  readonly subject: string;
  readonly issuer: string;
  /** Wall times, milliseconds since 1970. */
  readonly validFrom: number;
  readonly validTo: number;
  /** Why no authority stands for it under this name, in OpenSSL's or Node's word; absent: one does. */
  readonly fault?: string | undefined;
}

/** `printer.tls.trust` of the configuration. */
export type CertificateTrust = 'auto' | 'ca';

/** Throws `printer-certificate-changed`, or `printer-certificate-refused` for one that nothing stands for. */
export function judgeCertificate(
  seen: SeenCertificate,
  known: Pick<PrinterCertificate, 'fingerprint' | 'trustedBy'> | undefined,
  { trust, host, now }: { readonly trust: CertificateTrust; readonly host: string; readonly now: number },
): PrinterCertificate['trustedBy'] {
  if (seen.fault === undefined) return 'ca';
  if (trust === 'ca') throw notAccepted(host, seen.fault, 'no trusted authority has signed it');
  if (known === undefined) {
    // Before the first use nobody has compared anything: a certificate out of its time needs a person.
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
