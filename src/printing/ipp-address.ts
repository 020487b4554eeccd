/**
 * Where the HTTP of an `ipp` or `ipps` URI goes (RFC 3510, RFC 7472). No name or number in it is judged here: it is the
 * administrator's, from the configuration, or has passed `address-guard.ts`.
 */
import { Problem } from '../domain/problem.ts';

export interface IppAddress {
  /** As it stands in `printer-uri`. */
  readonly uri: string;
  /** `http://host:631`. */
  readonly origin: string;
  readonly path: string;
  readonly host: string;
}

const ippPort = '631';
const schemes: Readonly<Record<string, string>> = { 'ipp:': 'http:', 'ipps:': 'https:' };

/** Throws `config-invalid` for what is no IPP address. */
export function ippAddress(uri: string): IppAddress {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  const scheme = url && schemes[url.protocol];
  if (!url || !scheme || url.hostname === '') {
    throw new Problem('config-invalid', 'the printer needs an address like ipp://10.0.0.7/ipp/print');
  }
  if (url.username !== '' || url.password !== '') {
    throw new Problem('config-invalid', 'the address of a printer carries no user name and no password');
  }
  return {
    uri,
    origin: `${scheme}//${url.hostname}:${url.port || ippPort}`,
    path: `${url.pathname || '/'}${url.search}`,
    host: url.hostname,
  };
}
