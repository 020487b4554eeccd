/** Who may read what the operations listener tells: whoever brings its token, or a certificate of its authority. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { Secret } from '../core/secret.ts';

export interface Credentials {
  /** RFC 6750, 2.1. */
  readonly token: Secret | undefined;
  /** Callers are asked for certificates. */
  readonly wantsCertificate: boolean;
}

/** The status of the refusal; `undefined` lets the caller read. One of the two is enough, where both are wanted. */
export function refusalOf(
  { headers: { authorization }, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  { token, wantsCertificate }: Credentials,
): 401 | 403 | undefined {
  if (!token && !wantsCertificate) return undefined;
  if (wantsCertificate && hasShown(socket)) return undefined;
  if (!token) return 403;
  return isSame(authorization ?? '', `Bearer ${token.reveal()}`) ? undefined : 401;
}

/** In a session that is resumed it is the one that was shown in it, if any was. */
const hasShown = (socket: IncomingMessage['socket']): boolean =>
  socket instanceof TLSSocket && socket.authorized && socket.getPeerX509Certificate() !== undefined;

/** Takes as long for a near miss as for any other. */
function isSame(given: string, right: string): boolean {
  const [a, b] = [given, right].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
