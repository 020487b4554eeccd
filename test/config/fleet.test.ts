/** `fleet`: what a gateway needs that stands in for others. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig, loadConfigWithoutSecrets } from '../../src/config/load.ts';
import { ConfigInvalid } from '../../src/config/mistakes.ts';
import { redactedSettings } from '../../src/config/redacted.ts';
import { engineAddress } from '../../src/config/engine-address.ts';
import { Secret } from '../../src/core/secret.ts';

const folder = mkdtempSync(join(tmpdir(), 'platen-fleet-'));
afterAll(() => rmSync(folder, { recursive: true }));

const cloud = 'cloud: { baseUrl: "https://cloud.example", authUrl: "https://cloud.example", apiKey: key }\n';
const key = Buffer.alloc(32, 7).toString('base64');
const written = (fleet: string) => {
  const file = join(folder, 'platen.yaml');
  writeFileSync(file, `${cloud}${fleet}`);
  return file;
};

function mistakesIn(fleet: string): readonly string[] {
  const file = written(fleet);
  try {
    loadConfig(file, {});
    return [];
  } catch (error) {
    if (!(error instanceof ConfigInvalid)) throw error;
    return error.lines.map((line) =>
      line
        .replace(`${file}:`, '')
        .replace(/^\s*\d+:\s*/, '')
        .trim(),
    );
  }
}

describe('a configuration with a fleet', () => {
  it('reads the address and the key from files, and has a site', () => {
    writeFileSync(join(folder, 'url'), 'postgresql://platen:p%40ss@db1.example,db2.example:5433/fleet\n');
    writeFileSync(join(folder, 'key'), Buffer.alloc(32, 7));
    const { fleet } = loadConfig(
      written('fleet: { engine: { url: { file: url } }, key: { file: key } }'),
      {},
    );
    expect(fleet).toMatchObject({
      engine: {
        url: {
          hosts: [
            { name: 'db1.example', port: 5432 },
            { name: 'db2.example', port: 5433 },
          ],
          user: 'platen',
          database: 'fleet',
          tls: {},
        },
      },
      site: 'main',
      signers: [],
    });
    expect(fleet?.engine.url.password.reveal()).toBe('p@ss');
    expect(fleet?.key.reveal()).toBe(key);
    expect(inspect(fleet, { depth: 9 })).not.toMatch(/p@ss|p%40ss/);
  });

  it('is none where nothing is said of it', () => {
    expect(loadConfig(written(''), {}).fleet).toBeUndefined();
  });

  it('names what is missing by its own path, and tells all mistakes at once', () => {
    expect(mistakesIn('fleet: {}')).toEqual(['fleet.engine.url: is missing', 'fleet.key: is missing']);
    expect(
      mistakesIn(
        'fleet: { engine: { url: "mysql://u@h/d", pool: 3 }, key: short-canary, site: "main building", signers: [""] }',
      ),
    ).toEqual([
      'fleet.engine.url: must be the address of a PostgreSQL server, for example postgresql://user:password@host/database?sslmode=verify-full',
      'fleet.engine.pool: is not a key of this file',
      'fleet.key: must be 32 bytes, raw, as base64 or as 64 hexadecimal digits',
      'fleet.site: must be 1 to 64 letters, digits and ._-',
      'fleet.signers[0]: must not be empty',
    ]);
  });

  it('is read without its secrets where they are not needed', () => {
    const file = written('fleet: { engine: { url: { file: nowhere } }, key: { file: nowhere } }');
    expect(loadConfigWithoutSecrets(file, {}).fleet?.site).toBe('main');
  });

  it('shows neither address nor key to others (I5)', () => {
    const fleet = { engine: { url: 'postgresql://u:canary@h/d' }, key: { file: 'key' }, site: 'main' };
    expect(redactedSettings({ fleet })).toEqual({
      fleet: { engine: { url: '[secret]' }, key: { file: 'key' }, site: 'main' },
    });
  });
});

const addressOf = (url: string) => engineAddress(new Secret(url), (file) => `the authority in ${file}`);

describe("an engine's address", () => {
  it.each<[string, object | undefined]>([
    ['postgres://u@127.0.0.1/d', undefined],
    ['postgresql://u@[::1]:5433/d', undefined],
    ['postgresql://u@localhost/d?sslmode=disable', undefined],
    ['postgresql://u@localhost/d?sslmode=verify-full', {}],
    ['postgresql://u@db.example/d', {}],
    ['postgresql://u@localhost,db.example/d', {}],
    ['postgresql://u@db.example/d?sslmode=verify-full&target_session_attrs=read-write', {}],
    ['postgresql://u@db.example/d?sslrootcert=system', {}],
    ['postgresql://u@db.example/d?sslrootcert=ca.pem', { ca: 'the authority in ca.pem' }],
  ])('%s is spoken to with TLS: %j', (url, tls) => {
    expect(addressOf(url).tls).toEqual(tls);
  });

  it('has IPv6 addresses without their brackets', () => {
    expect(addressOf('postgresql://u@[fd00::1]:5433/d').hosts).toEqual([{ name: 'fd00::1', port: 5433 }]);
  });

  it.each([
    ['', /^must be the address of a PostgreSQL/],
    ['postgresql://db.example/d', /^must be the address of a PostgreSQL/],
    ['postgresql://:canary@db.example/d', /^must contain a user name/],
    ['postgresql://u:canary@db.example', /^must be the address of a PostgreSQL/],
    ['postgresql://u:canary@db.example/', /^must be the address of a PostgreSQL/],
    ['postgresql://u:can@ary@db.example/d', /^must be the address of a PostgreSQL/],
    ['postgresql://u:canary@db.example/d#x', /^must be the address of a PostgreSQL/],
    ['postgresql://u:canary%@db.example/d', /^contains a % in its password\. Write it as %25$/],
    ['postgresql://u:canary@db.example,/d', /^must name hosts as HOST or HOST:PORT/],
    ['postgresql://u:canary@db.example:0/d', /^must name hosts as HOST or HOST:PORT/],
    ['postgresql://u:canary@db.example:65536/d', /^must name hosts as HOST or HOST:PORT/],
    ['postgresql://u:canary@%2Frun%2Fpostgresql/d', /^must name hosts as HOST or HOST:PORT/],
    ['postgresql://u:canary@db.example/d?sslmode=disable', /^leads to another machine without encryption/],
    [
      'postgresql://u:canary@localhost,db.example/d?sslmode=disable',
      /^leads to another machine without encryption/,
    ],
    [
      'postgresql://u:canary@db.example/d?sslmode=require',
      /^has sslmode=require, which does not check the identity/,
    ],
    [
      'postgresql://u:canary@db.example/d?sslmode=VERIFY-FULL',
      /^has sslmode=VERIFY-FULL\. Did you mean verify-full\?$/,
    ],
    [
      'postgresql://u:canary@db.example/d?sslmode=verify_full',
      /^has sslmode=verify_full\. Did you mean verify-full\?$/,
    ],
    [
      'postgresql://u:canary@db.example/d?sslmode=prefer',
      /^has sslmode=prefer, which does not check the identity/,
    ],
    ['postgresql://u:canary@db.example/d?sslmode=', /^has sslmode=, which does not check the identity/],
    ['postgresql://u:canary@localhost/d?sslrootcert=ca.pem', /^has sslrootcert, but no TLS/],
    ['postgresql://u:canary@db.example/d?sslrootcert=', /^has an empty sslrootcert$/],
    [
      'postgresql://u:canary@db.example/d?sslcert=a.crt&sslkey=a.key',
      /^has the parameter sslcert, but Platen shows the engine no certificate of its own\. Remove it/,
    ],
    ['postgresql://u:canary@db.example/d?sslkey=a.key', /^has the parameter sslkey, but Platen shows/],
    ['postgresql://u:canary@db.example/d?options=-cfsync%3Doff', /^has the parameter options\. Only/],
    [
      'postgresql://u:canary@db.example/d?target_session_attrs=any',
      /^has target_session_attrs=any\. The engine is/,
    ],
  ])('%s is a mistake, told without the password', (url, sentence) => {
    const reported = () => addressOf(url);
    expect(reported).toThrow(sentence);
    expect(reported).not.toThrow(/canary/);
  });
});
