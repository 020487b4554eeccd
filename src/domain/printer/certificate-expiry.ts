/** The certificate of a printer in words, and an early warning before it expires. */
import { isoInstant } from '../../core/clock.ts';
import { hours, milliseconds } from '../../core/duration.ts';
import type { PrinterCertificate } from '../ports/printer-memory.ts';

const warnBefore = hours(30 * 24);

/**
 * `undefined` if more than 30 days are left. A pinned certificate stays valid beyond its end, because only its pin
 * vouches for it.
 */
export function complaintAboutExpiry(
  { validTo, trustedBy }: PrinterCertificate,
  now: number,
): string | undefined {
  const left = milliseconds(validTo - now);
  if (left > warnBefore) return undefined;
  const day = isoInstant(validTo).slice(0, 10);
  if (left > 0) return `the certificate of the printer runs out on ${day}`;
  return `the certificate of the printer ran out on ${day}${trustedBy === 'pin' ? '; its pin still holds' : ''}`;
}

export function certificateInWords(certificate: PrinterCertificate, now: number): string {
  const { fingerprint, validTo, trustedBy } = certificate;
  const why =
    trustedBy === 'ca' ? 'a trusted authority has signed its certificate' : 'its certificate is pinned';
  const complaint = complaintAboutExpiry(certificate, now);
  return `${why}: ${fingerprint}, ${complaint ?? `until ${isoInstant(validTo).slice(0, 10)}`}`;
}
