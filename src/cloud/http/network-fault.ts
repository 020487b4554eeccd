/**
 * Words for an administrator about a failed connection or exchange, from the codes of Node, OpenSSL and undici. The
 * code itself stays in brackets, for searching. Pure.
 */

/**
 * `TimeoutError` is our own deadline. Never quotes the error's text: it may hold sent data (I5). `section`: the section
 * of the configuration with `caFile` and `proxyUrl`.
 */
export function networkFault(error: unknown, section = 'cloud'): string {
  if (isTimeout(error)) return 'too slow';
  if (!(error instanceof Error)) return 'for no reason given';
  const proxy = /^Proxy .*\((\d{3})\)/.exec(error.message)?.[1];
  if (proxy === '407') return `${proxyWantsLogin} ${section}.proxyUrl`;
  if (proxy !== undefined) return `the proxy answered ${proxy}${proxy.startsWith('3') ? loginPage : ''}`;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  if (unknownAuthorities.has(code)) return `${unknownAuthority} ${section}.caFile (${code})`;
  const words = meanings[code] ?? meaningsByKind.find(([kind]) => kind.test(code))?.[1];
  return words === undefined ? code : `${words} (${code})`;
}

/** A deadline of `clock.deadline` ran out. */
export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

const proxyWantsLogin = 'the proxy asks for a user name and password (407). Put them into';

const loginPage =
  ' and leads elsewhere. It may want a login on a page of its own: open one in a browser here';

const noTls =
  'there is no TLS on this port. Check the port, that it is https, and that no login page stands in the way';

const unknownAuthority = 'its certificate comes from an authority that is not trusted here. Set';

const unknownAuthorities: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

const meanings: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name has no address. Check the spelling and DNS',
  EAI_AGAIN: 'the DNS server does not answer',
  ECONNREFUSED: 'the connection was refused. Check the address and the port, and that the service is running',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  ETIMEDOUT: 'the connection got no answer. Check for a firewall',
  UND_ERR_CONNECT_TIMEOUT: 'the connection got no answer. Check for a firewall',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_PRX_CONN: 'the proxy closed the connection',
  CERT_HAS_EXPIRED: 'its certificate has expired, or the clock of this machine is wrong',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet, or the clock of this machine is wrong',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate was issued for another name',
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  EPROTO: noTls,
  HTTPParserError: 'the answer is not HTTP. Check the port, and that it is https',
  HeadersOverflowError: 'the header of the answer is too large',
};

const meaningsByKind: readonly (readonly [RegExp, string])[] = [
  [/^ERR_SSL_|^ERR_TLS_/, 'no TLS connection could be made'],
  [/^CERT_|^UNABLE_TO_|CERT/, 'its certificate is not accepted'],
  [/^HPE_/, 'the answer is not HTTP. Check the port, and that it is https'],
];
