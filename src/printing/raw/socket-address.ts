/** The host and port of a `socket` URI; the port is 9100 unless another is written. */
import { isIPv6 } from 'node:net';
import { namesZone, zoneRefusal } from '../../domain/printer/printer-address.ts';
import { Problem } from '../../domain/problem/problem.ts';

export interface SocketAddress {
  /** A name or an IP address, without brackets. */
  readonly host: string;
  readonly port: number;
}

export const socketScheme = 'socket:';
const usualPort = 9100;

/** Throws `config-invalid` for any other address. */
export function socketAddress(uri: string): SocketAddress {
  if (namesZone(uri)) throw new Problem('config-invalid', `the address of the printer ${zoneRefusal}`);
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (url?.protocol !== socketScheme || url.hostname === '') {
    throw new Problem('config-invalid', 'the printer needs an address like socket://10.0.0.7:9100');
  }
  if (url.username !== '' || url.password !== '' || !/^\/?$/.test(url.pathname + url.search + url.hash)) {
    throw new Problem('config-invalid', 'a socket:// address is a host and a port, and nothing else');
  }
  const bare = url.hostname.replace(/^\[|\]$/g, '');
  return {
    host: isIPv6(bare) ? bare : url.hostname,
    port: url.port === '' ? usualPort : Number(url.port),
  };
}
