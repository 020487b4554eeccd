/** What a PostgreSQL is refused for (F1), and how it proves who it is (F2): real servers, each set as it must not be. */
import { chmod, chown, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { seconds } from '../../../src/core/duration.ts';
import type { Certificate } from '../../support/certificates.ts';
import { identityOf, makeCertificate } from '../../support/certificates.ts';
import { addressOf, runEngine } from '../../support/fleet/fleet-engine.ts';
import type { Postgres } from '../../support/fleet/postgres.ts';
import { needsPostgres, startPostgres } from '../../support/fleet/postgres.ts';
import { eventually } from '../../support/patience.ts';

async function refusalAt(url: string, ca?: string): Promise<string> {
  await using member = runEngine(addressOf(url, () => ca ?? ''));
  await eventually(() => expect(member.condition()?.code).toBe('fleet-engine-refused'));
  return member.condition()?.detail ?? '';
}

needsPostgres()('a server', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  it.each([
    ['fsync', 'can lose data that it has confirmed. Set fsync = on'],
    ['full_page_writes', 'may be damaged by a power failure. Set full_page_writes = on'],
    [
      'synchronous_commit',
      'has synchronous_commit = off, so a power failure can remove confirmed claims. Set synchronous_commit = on',
    ],
  ])('with %s = off is refused, and taken when it is on again (F1)', async (setting, sentence) => {
    const url = await postgres.newDatabase();
    await postgres.query(`ALTER SYSTEM SET ${setting} = off`);
    await postgres.query('SELECT pg_reload_conf()');
    await using member = runEngine(url);
    await eventually(() => expect(member.condition()?.detail).toBe(`127.0.0.1:${postgres.port} ${sentence}`));
    expect(member.condition()?.code).toBe('fleet-engine-refused');
    expect(await postgres.query(`SELECT to_regnamespace('platen') AS schema`, url)).toEqual([
      { schema: null },
    ]);
    await postgres.query(`ALTER SYSTEM RESET ${setting}`);
    await postgres.query('SELECT pg_reload_conf()');
    await member.until('up');
  });

  it.each([
    ['synchronous_commit = local', 'has synchronous_commit = local'],
    ['default_transaction_read_only = on', 'takes no changes'],
  ])('whose role or database is set to %s is refused too (F1)', async (setting, sentence) => {
    const url = await postgres.newDatabase();
    await postgres.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET ${setting}`);
    expect(await refusalAt(url)).toContain(sentence);
  });

  it('whose transactions are serializable by default is asked as any other', async () => {
    const url = await postgres.newDatabase();
    await postgres.query(
      `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_isolation = serializable`,
    );
    await using member = runEngine(url);
    await member.until('up');
    const [row] = await member.engine.ask(
      { name: 'isolation', text: `SELECT current_setting('transaction_isolation') AS isolation` },
      [],
      { within: seconds(3) },
    );
    expect(row).toEqual({ isolation: 'read committed' });
  });
});

needsPostgres()('a replica', () => {
  it('is refused alone, passed by beside its primary, and taken when it is promoted (F1, F2)', async () => {
    await using replica = await startPostgres();
    const url = await replica.newDatabase();
    await replica.stop();
    await writeFile(join(replica.folder, 'data', 'standby.signal'), '');
    await replica.start();
    expect(await refusalAt(url)).toBe(
      `127.0.0.1:${replica.port} is a replica. Write the address of the primary into fleet.engine.url, and keep this address too if the two can change roles`,
    );
    await using primary = await startPostgres();
    await using beside = runEngine(
      primary.url.replace(`127.0.0.1:${primary.port}`, `127.0.0.1:${replica.port},127.0.0.1:${primary.port}`),
    );
    expect(await beside.until('up')).toMatchObject({ facts: { place: `127.0.0.1:${primary.port}` } });
    await using waiting = runEngine(url);
    await eventually(() => expect(waiting.condition()?.code).toBe('fleet-engine-refused'));
    await replica.query('SELECT pg_promote()');
    await waiting.until('up');
  });
});

needsPostgres()('a server with TLS', () => {
  const authority = makeCertificate({ commonName: 'Authority' });
  const another = makeCertificate({ commonName: 'Another' });
  let postgres: Postgres;

  async function show(certificate: Certificate): Promise<void> {
    const { cert, key } = identityOf(certificate);
    const data = join(postgres.folder, 'data');
    const { uid, gid } = await stat(data);
    for (const [name, text] of Object.entries({ 'server.crt': cert, 'server.key': key })) {
      await writeFile(join(data, name), text);
      await chown(join(data, name), uid, gid);
      await chmod(join(data, name), 0o600);
    }
    await postgres.query('SELECT pg_reload_conf()');
  }
  const withTls = (host: string) =>
    `${postgres.url.replace('127.0.0.1', host)}?sslmode=verify-full&sslrootcert=ca.pem`;

  beforeAll(async () => {
    postgres = await startPostgres();
    await show(makeCertificate({ commonName: 'db', hosts: ['localhost', '127.0.0.1'], issuer: authority }));
    await postgres.stop();
    await postgres.start(['ssl=on']);
  });
  afterAll(() => postgres[Symbol.asyncDispose]());

  it.each(['127.0.0.1', 'localhost'])(
    'is believed as %s by the authority that vouches for it',
    async (host) => {
      await using member = runEngine(addressOf(withTls(host), () => authority.pem));
      await member.until('up');
      const [row] = await member.engine.ask(
        { name: 'line', text: 'SELECT ssl, version FROM pg_stat_ssl WHERE pid = pg_backend_pid()' },
        [],
        { within: seconds(3) },
      );
      expect(row).toMatchObject({ ssl: true, version: expect.stringMatching(/^TLSv1\.[23]$/) });
    },
  );

  it('is not believed by another authority, nor by those of the system', async () => {
    expect(await refusalAt(withTls('127.0.0.1'), another.pem)).toMatch(/its certificate is not believed/);
    expect(await refusalAt(withTls('127.0.0.1').replace('ca.pem', 'system'))).toMatch(
      /its certificate is not believed/,
    );
  });

  it.each([
    ['of another host', { hosts: ['db.example'] }, /its certificate is not believed .*does not match/],
    [
      'that has run out',
      { hosts: ['127.0.0.1'], notAfter: new Date(Date.now() - 3_600_000) },
      /its certificate is not believed .*expired/,
    ],
  ])('with a certificate %s is refused', async (_, wanted, sentence) => {
    await show(makeCertificate({ commonName: 'db', issuer: authority, ...wanted }));
    expect(await refusalAt(withTls('127.0.0.1'), authority.pem)).toMatch(sentence);
  });

  it('is not believed because the environment of Node or libpq says so (T22)', async () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    vi.stubEnv('PGSSLMODE', 'disable');
    expect(await refusalAt(withTls('127.0.0.1'), another.pem)).toMatch(/its certificate is not believed/);
  });
});
