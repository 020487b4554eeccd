/**
 * Where the engine of a fleet is, with a line of its own to each gateway. As root that is a machine of its own, as far as
 * the network goes: a namespace with a cable for each gateway, which is pulled, or whose packets are lost one way or both. Elsewhere the lines are relays of the test.
 */
import { appendFile, chmod, chown, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { identityOf, makeCertificate } from '../certificates.ts';
import { makeNetwork, mayMakeNetworks } from '../cable.ts';
import type { Way } from '../cut-line.ts';
import { layLine } from '../cut-line.ts';
import type { Postgres } from './postgres.ts';
import { startPostgres } from './postgres.ts';

export interface EngineLine {
  cut(): void;
  silence(way: Way): void;
  mend(): void;
  /** Of a database, as whoever comes by this line writes it. */
  url(plain: string): string;
}

export interface EngineHost extends AsyncDisposable {
  readonly postgres: Postgres;
  readonly cuts: string;
  line(index: number): EngineLine;
}

/** `doors`: further addresses at which it is found. */
export const startEngineHost = (lines: number, doors: readonly string[] = []): Promise<EngineHost> =>
  mayMakeNetworks() ? inNamespace(lines, doors) : behindRelays(lines);

async function inNamespace(lines: number, doors: readonly string[]): Promise<EngineHost> {
  await using opened = new AsyncDisposableStack();
  const { cables, enter } = opened.use(makeNetwork(lines));
  const postgres = opened.use(await startPostgres(['listen_addresses=*'], enter));
  const authority = makeCertificate({ commonName: 'Authority' });
  const certificate = makeCertificate({
    commonName: 'engine',
    issuer: authority,
    hosts: [...cables.map(({ there }) => there), ...doors],
  });
  await appendFile(
    join(postgres.folder, 'data', 'pg_hba.conf'),
    'hostssl all all 10.0.0.0/8 scram-sha-256\n',
  );
  await proveItself(postgres, identityOf(certificate));
  const ca = join(postgres.folder, 'authority.pem');
  await writeFile(ca, authority.pem);
  const held = opened.move();
  return {
    postgres,
    cuts: 'cables and routes of network namespaces',
    line(index) {
      const cable = cables[index];
      if (cable === undefined) throw new RangeError('no such cable');
      const tls = `sslmode=verify-full&sslrootcert=${ca}`;
      return { ...cable, url: (plain) => `${plain.replace('@127.0.0.1:', `@${cable.there}:`)}?${tls}` };
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** Beyond this machine nothing is asked without TLS. */
export async function proveItself(
  { folder, query }: Postgres,
  { cert, key }: { readonly cert: string; readonly key: string },
): Promise<void> {
  const data = join(folder, 'data');
  const { uid, gid } = await stat(data);
  for (const [file, text] of Object.entries({ 'server.crt': cert, 'server.key': key })) {
    await writeFile(join(data, file), text);
    await chown(join(data, file), uid, gid);
    await chmod(join(data, file), 0o600);
  }
  await query('ALTER SYSTEM SET ssl = on');
  await query('SELECT pg_reload_conf()');
}

async function behindRelays(lines: number): Promise<EngineHost> {
  await using opened = new AsyncDisposableStack();
  const postgres = opened.use(await startPostgres());
  const relays = await Promise.all(Array.from({ length: lines }, () => layLine(postgres.port)));
  for (const relay of relays) opened.use(relay);
  const held = opened.move();
  return {
    postgres,
    cuts: 'relays of the test, for want of network namespaces',
    line(index) {
      const relay = relays[index];
      if (relay === undefined) throw new RangeError('no such line');
      return { ...relay, url: (plain) => plain.replace(`:${postgres.port}/`, `:${relay.port}/`) };
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
