/**
 * What a failed TLS handshake with a printer means, by OpenSSL's reason as Node gives it (`ERR_SSL_` and the text of
 * openssl/sslerr.h or tls1.h; an alert is the printer's word, RFC 8446 section 6.2). Node speaks TLS 1.2 and 1.3, with
 * ciphers and keys of OpenSSL's security level 2 or more; there is no switch to speak less. Certificates are judged
 * elsewhere, see `certificate-judge.ts`.
 */
import type { ProblemCode } from '../../../domain/problem/problem-kinds.ts';

export interface TlsFault {
  readonly code: ProblemCode;
  /** After the printer's name. */
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
  // Its ServerHello is of TLS 1.1 or before; or it answers our 1.2 and 1.3 by the alert protocol_version.
  UNSUPPORTED_PROTOCOL: oldVersion,
  TLSV1_ALERT_PROTOCOL_VERSION: oldVersion,
  // The alerts handshake_failure (no common cipher; older OpenSSL calls it SSLv3's) and insufficient_security.
  'SSL/TLS_ALERT_HANDSHAKE_FAILURE': weak,
  SSLV3_ALERT_HANDSHAKE_FAILURE: weak,
  TLSV1_ALERT_INSUFFICIENT_SECURITY: weak,
  // What it chose is below our level: Diffie-Hellman, signatures, keys, renegotiation before RFC 5746.
  DH_KEY_TOO_SMALL: weak,
  EE_KEY_TOO_SMALL: weak,
  CA_KEY_TOO_SMALL: weak,
  CA_MD_TOO_WEAK: weak,
  LEGACY_SIGALG_DISALLOWED_OR_UNSUPPORTED: weak,
  WRONG_SIGNATURE_TYPE: weak,
  UNSAFE_LEGACY_RENEGOTIATION_DISABLED: weak,
  // What it said is no record of TLS: plain HTTP, as a rule.
  WRONG_VERSION_NUMBER: noTls,
  PACKET_LENGTH_TOO_LONG: noTls,
  TLSV13_ALERT_CERTIFICATE_REQUIRED: wantsOurs,
  'SSL/TLS_ALERT_BAD_CERTIFICATE': wantsOurs,
};

const prefix = 'ERR_SSL_';

/** `undefined`: it is none of TLS. */
export function tlsFault(code: string): TlsFault | undefined {
  const known = code.startsWith(prefix) ? faults[code.slice(prefix.length)] : undefined;
  if (known) return known;
  const isTls = code.startsWith(prefix) || code === 'EPROTO';
  return isTls ? { code: 'printer-tls-refused', says: `broke off TLS with ${code}` } : undefined;
}
