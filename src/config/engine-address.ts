/**
 * Parses the address of a fleet's engine: `postgresql://user:password@host1,host2:5433/database?sslmode=verify-full`.
 * The form is that of libpq (PostgreSQL 15, section 34.1.1.2), without its weaker modes: a server must prove its
 * identity or be on this machine. Failures are plain `Error`s whose message never contains the password.
 */
import { Secret } from '../core/secret.ts';
import { isLoopback } from './schema/values.ts';

export interface EngineHost {
  /** Without the brackets of an IPv6 address. */
  readonly name: string;
  readonly port: number;
}

export interface EngineAddress {
  /** In the order to try; at least one. */
  readonly hosts: readonly EngineHost[];
  readonly user: string;
  readonly password: Secret;
  readonly database: string;
  /**
   * Set for verify-full. `ca` is the PEM of the only trusted authorities; without it the system's are trusted. Absent:
   * no TLS, allowed only for this machine.
   */
  readonly tls?: { readonly ca?: string };
}

const example = 'postgresql://user:password@host/database?sslmode=verify-full';
const shape =
  /^postgres(?:ql)?:\/\/(?<user>[^:@/?#]*)(?::(?<password>[^@/?#]*))?@(?<hosts>[^@/?#]+)\/(?<database>[^/?#]+)(?:\?(?<query>[^#]*))?$/;
const hostShape = /^(?<name>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(?<port>\d{1,5}))?$/;

/** `certificates` gives the PEM text of the file that `sslrootcert` names. */
export function engineAddress(url: Secret, certificates: (file: string) => string): EngineAddress {
  const parts = shape.exec(url.reveal())?.groups;
  if (!parts) throw new Error(`must be the address of a PostgreSQL server, for example ${example}`);
  const user = decoded(parts['user'], 'user name');
  if (user === '') throw new Error(`must contain a user name, for example ${example}`);
  const hosts = String(parts['hosts']).split(',').map(hostOf);
  const { sslmode, sslrootcert } = parametersOf(parts['query'] ?? '');
  const isHere = hosts.every(({ name }) => isLoopback(name));
  const mode = sslmode ?? (isHere ? 'disable' : 'verify-full');
  if (mode === 'disable' && !isHere) {
    throw new Error('leads to another machine without encryption. Write sslmode=verify-full');
  }
  if (mode === 'disable' && sslrootcert !== undefined) {
    throw new Error('has sslrootcert, but no TLS. Write sslmode=verify-full');
  }
  const tls = sslrootcert === undefined ? {} : { ca: certificates(sslrootcert) };
  return {
    hosts,
    user,
    password: new Secret(decoded(parts['password'] ?? '', 'password')),
    database: decoded(parts['database'], 'database'),
    ...(mode === 'disable' ? {} : { tls }),
  };
}

function hostOf(text: string): EngineHost {
  const parts = hostShape.exec(text)?.groups;
  const port = Number(parts?.['port'] ?? 5432);
  if (!parts || port < 1 || port > 65_535) {
    throw new Error(`must name hosts as HOST or HOST:PORT, separated by commas, for example ${example}`);
  }
  return { name: String(parts['name']).replace(/^\[|\]$/g, ''), port };
}

interface Parameters {
  readonly sslmode?: 'disable' | 'verify-full';
  readonly sslrootcert?: string;
}

function parametersOf(query: string): Parameters {
  const given = new URLSearchParams(query);
  const known = ['sslmode', 'sslrootcert', 'target_session_attrs'];
  const unknown = [...given.keys()].find((key) => !known.includes(key));
  if (unknown === 'sslcert' || unknown === 'sslkey' || unknown === 'sslpassword')
    throw new Error(
      `has the parameter ${unknown}, but Platen shows the engine no certificate of its own. Remove it, write a password, and let this user in by scram-sha-256 in pg_hba.conf`,
    );
  if (unknown !== undefined)
    throw new Error(`has the parameter ${unknown}. Only ${known.join(', ')} are allowed`);
  const sslmode = given.get('sslmode') ?? undefined;
  const meant = ['disable', 'verify-full'].find(
    (mode) => mode === sslmode?.toLowerCase().replaceAll('_', '-'),
  );
  if (meant !== undefined && meant !== sslmode) {
    throw new Error(`has sslmode=${sslmode}. Did you mean ${meant}?`);
  }
  if (sslmode !== undefined && sslmode !== 'disable' && sslmode !== 'verify-full') {
    throw new Error(
      `has sslmode=${sslmode}, which does not check the identity of the server. Write verify-full, or disable for a server on this machine`,
    );
  }
  // Copied addresses often have this parameter. The agent always looks for the primary server, so these two values are
  // accepted.
  const target = given.get('target_session_attrs') ?? 'primary';
  if (target !== 'primary' && target !== 'read-write') {
    throw new Error(`has target_session_attrs=${target}. The engine is always the primary server; remove it`);
  }
  const sslrootcert = given.get('sslrootcert') ?? undefined;
  if (sslrootcert === '') throw new Error('has an empty sslrootcert');
  return {
    ...(sslmode === undefined ? {} : { sslmode }),
    ...(sslrootcert === undefined || sslrootcert === 'system' ? {} : { sslrootcert }),
  };
}

function decoded(text: string | undefined, what: string): string {
  try {
    return decodeURIComponent(text ?? '');
  } catch (cause) {
    throw new Error(`contains a % in its ${what}. Write it as %25`, { cause });
  }
}
