/**
 * The meaning of a failed TLS handshake with a printer, by OpenSSL's reason as Node gives it: `ERR_SSL_` and the text
 * of openssl/sslerr.h or tls1.h. An alert comes from the printer (RFC 8446 section 6.2). Node speaks TLS 1.2 and 1.3,
 * with ciphers and keys of OpenSSL's security level 2 or more, and there is no switch to lower that.
 * `certificate-judge.ts` judges certificates.
 */
import type { ProblemCode } from '../../../domain/problem/problem-kinds.ts';

export interface TlsFault {
  readonly code: ProblemCode;
  /** The text after the printer's name. */
  readonly says: string;
}

const oldVersion: TlsFault = { code: 'printer-tls-too-old', says: 'speaks no TLS newer than 1.1' };
const weak: TlsFault = {
  code: 'printer-tls-too-old',
  says: 'has no cipher or no key for TLS that is still safe',
};
const noTls: TlsFault = { code: 'printer-tls-missing', says: 'does not speak TLS at this port' };
const wantsOurs: TlsFault = {
  code: 'printer-tls-refused',
  says: 'wants a certificate of this terminal, which has none',
};

const faults: Readonly<Record<string, TlsFault>> = {
  // The printer's ServerHello is TLS 1.1 or older, or it answers our 1.2 and 1.3 with the alert protocol_version.
  UNSUPPORTED_PROTOCOL: oldVersion,
  TLSV1_ALERT_PROTOCOL_VERSION: oldVersion,
  // The alerts handshake_failure (no common cipher; older OpenSSL names it after SSLv3) and insufficient_security.
  'SSL/TLS_ALERT_HANDSHAKE_FAILURE': weak,
  SSLV3_ALERT_HANDSHAKE_FAILURE: weak,
  TLSV1_ALERT_INSUFFICIENT_SECURITY: weak,
  // The printer chose something below our level: Diffie-Hellman, signatures, keys, renegotiation older than RFC 5746.
  DH_KEY_TOO_SMALL: weak,
  EE_KEY_TOO_SMALL: weak,
  CA_KEY_TOO_SMALL: weak,
  CA_MD_TOO_WEAK: weak,
  LEGACY_SIGALG_DISALLOWED_OR_UNSUPPORTED: weak,
  WRONG_SIGNATURE_TYPE: weak,
  UNSAFE_LEGACY_RENEGOTIATION_DISABLED: weak,
  // The answer is not a TLS record, usually plain HTTP.
  WRONG_VERSION_NUMBER: noTls,
  PACKET_LENGTH_TOO_LONG: noTls,
  TLSV13_ALERT_CERTIFICATE_REQUIRED: wantsOurs,
  'SSL/TLS_ALERT_BAD_CERTIFICATE': wantsOurs,
};

const prefix = 'ERR_SSL_';

/** `undefined` if the code is not about TLS. */
export function tlsFault(code: string): TlsFault | undefined {
  const known = code.startsWith(prefix) ? faults[code.slice(prefix.length)] : undefined;
  if (known) return known;
  const isTls = code.startsWith(prefix) || code === 'EPROTO';
  return isTls ? { code: 'printer-tls-refused', says: `broke off TLS with ${code}` } : undefined;
}
