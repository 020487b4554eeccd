import { existsSync } from 'node:fs';
import { readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sampleData } from '../../../src/simulator/sample/sample-data.ts';
import { makeCertificate } from '../../support/certificates.ts';
import type { ServiceStageOptions } from '../service-stage.ts';
import { password, setServiceStage } from '../service-stage.ts';

const authority = (commonName: string) => {
  const x509 = new X509Certificate(makeCertificate({ commonName, notAfter: new Date('2036-01-02') }).pem);
  return { pem: x509.toString(), fingerprint: x509.fingerprint256 };
};
const own = authority('Example root');
const uploaded = authority('Example partner');
const unknown = 'AB:'.repeat(32).slice(0, -1);

/** The service names its root in both lists. */
const seed = {
  ...sampleData,
  certificates: [
    { store: 'root', alias: 'example-root', pem: own.pem },
    { store: 'ca', alias: 'example-root', pem: own.pem },
    { store: 'ca', alias: 'partner', pem: uploaded.pem },
  ],
} as const;
const setStage = ({ cloud, ...options }: ServiceStageOptions = {}) =>
  setServiceStage({ ...options, cloud: { seed, ...cloud } });

describe('platen trust', () => {
  it('shows each authority of the service once, by what the certificate itself says', async () => {
    await using stage = await setStage();
    const { code, out, error } = await stage.platen('trust');
    expect([code, error]).toEqual([0, '']);
    const [heading = '', ...lines] = out.split('\n');
    expect(heading.split(/ {2,}/)).toEqual([
      'ALIAS',
      'SUBJECT',
      'ISSUER',
      'VALID UNTIL',
      'SHA-256 FINGERPRINT',
    ]);
    expect(lines.slice(0, 3).map((line) => line.split(/ {2,}/))).toEqual([
      ['example-root', 'CN=Example root', 'CN=Example root', '2036-01-02', own.fingerprint],
      ['partner', 'CN=Example partner', 'CN=Example partner', '2036-01-02', uploaded.fingerprint],
      [''],
    ]);
    expect(lines.join(' ')).toContain('Platen trusts none of these yet');
  });

  it('prints the same as JSON', async () => {
    await using stage = await setStage();
    const { code, out } = await stage.platen('trust', '--json');
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      [{ alias: 'example-root', fingerprint: own.fingerprint }, { fingerprint: uploaded.fingerprint }],
    ]);
    expect(out).not.toContain('BEGIN CERTIFICATE');
  });

  it.each([
    ['as printed', own.fingerprint],
    ['in small letters without colons', own.fingerprint.replaceAll(':', '').toLowerCase()],
    ['as OpenSSL prints it', `sha256 Fingerprint=${own.fingerprint}`],
  ])('writes what was compared, %s, and says what to configure', async (_, fingerprint) => {
    await using stage = await setStage();
    const file = join(stage.folder, 'ca.pem');
    const options = ['--save', file, '--fingerprint', fingerprint];
    const { code, out } = await stage.platen('trust', ...options);
    expect([code, await readFile(file, 'utf8')]).toEqual([0, own.pem]);
    expect((await stat(file)).mode & 0o777).toBe(0o644);
    expect(out).toContain(`cloud.caFile: ${file}`);
    expect(await stage.platen('trust', ...options)).toMatchObject({
      code: 0,
      out: expect.stringContaining('there already'),
    });
  });

  it('writes several authorities into one file, in the order of the service', async () => {
    await using stage = await setStage();
    const file = join(stage.folder, 'ca.pem');
    const both = [uploaded, own].flatMap(({ fingerprint }) => ['--fingerprint', fingerprint]);
    const { code, out, error } = await stage.platen('trust', '--json', '--save', file, ...both);
    expect([code, await readFile(file, 'utf8')]).toEqual([0, own.pem + uploaded.pem]);
    expect(JSON.parse(out)).toHaveLength(2);
    expect(error).toContain('cloud.caFile');
  });

  it('says so where the configuration has a CA file that the new one must not take the place of', async () => {
    await using stage = await setStage({ caPem: uploaded.pem });
    const save = (file: string, { fingerprint }: { fingerprint: string }) =>
      stage.platen('trust', '--save', join(stage.folder, file), '--fingerprint', fingerprint);
    expect((await save('new.pem', own)).out).toMatch(/has a cloud\.caFile: add the content of \S+new\.pem/);
    expect((await save('same.pem', uploaded)).out).toContain('already contains it');
  });

  it('writes nothing where one of the fingerprints is not offered', async () => {
    await using stage = await setStage();
    const file = join(stage.folder, 'ca.pem');
    const { code, error } = await stage.platen(
      'trust',
      ...['--save', file, '--fingerprint', own.fingerprint, '--fingerprint', unknown],
    );
    expect([code, error, existsSync(file)]).toEqual([1, expect.stringContaining(unknown), false]);
  });

  it.each([
    ['a file that holds something else', (file: string) => writeFile(file, 'mine')],
    ['a symbolic link', (file: string) => symlink(`${file}.elsewhere`, file)],
    ['a folder that is not there', () => undefined],
  ])('leaves %s as it is', async (_, prepare) => {
    await using stage = await setStage();
    const file = join(stage.folder, prepare.length === 0 ? 'none/ca.pem' : 'ca.pem');
    await prepare(file);
    const before = await readFile(file, 'utf8').catch(() => 'none');
    const { code, error } = await stage.platen('trust', '--save', file, '--fingerprint', own.fingerprint);
    expect([code, error]).toEqual([1, expect.stringContaining(file)]);
    expect(await readFile(file, 'utf8').catch(() => 'none')).toBe(before);
  });

  it('says that a gateway offers none', async () => {
    await using stage = await setStage({ cloud: { role: 'gateway' } });
    expect(await stage.platen('trust')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Gateways never do'),
    });
    const file = join(stage.folder, 'ca.pem');
    const saved = await stage.platen('trust', '--save', file, '--fingerprint', own.fingerprint);
    expect([saved.code, existsSync(file)]).toEqual([1, false]);
  });

  it('asks with the login of a user where the device is refused', async () => {
    await using stage = await setStage({ cloud: { readsFor: 'users' } });
    const refused = await stage.platen('trust');
    expect([refused.code, refused.out, refused.error]).toEqual([1, '', expect.stringContaining('--user')]);
    const { code, out } = await stage.platen(
      'trust',
      ...['--user', 'admin', '--password-file', stage.passwordFile],
    );
    expect([code, out]).toEqual([0, expect.stringContaining(own.fingerprint)]);
    expect(`${out}${refused.error}`).not.toContain(password);
  });

  it.each([
    ['whose password is another', 'bob', password, 'status 401'],
    ['who may not see them', 'alice', 'alice-secret', 'status 403'],
  ])('shows nothing to a user %s', async (_, user, given, named) => {
    await using stage = await setStage({ cloud: { readsFor: 'users' } });
    await writeFile(stage.passwordFile, given);
    const { code, out, error } = await stage.platen(
      'trust',
      ...['--user', user, '--password-file', stage.passwordFile],
    );
    expect([code, out, error]).toEqual([1, '', expect.stringContaining(named)]);
    expect(error).not.toContain(given);
  });

  it('needs a device that was approved', async () => {
    await using stage = await setStage({ device: 'new' });
    const { code, error } = await stage.platen('trust');
    expect([code, error]).toEqual([1, expect.stringContaining('Start the agent, and get it approved')]);
    expect(existsSync(join(stage.folder, 'state'))).toBe(false);
  });

  it('does not renew a token the service no longer accepts: that is the work of the agent (D13)', async () => {
    await using stage = await setStage();
    stage.cloud.expireTokens('device');
    const { code, error } = await stage.platen('trust');
    expect([code, error]).toEqual([1, expect.stringMatching(/no longer accepts.*Start the agent/)]);
    expect(stage.cloud.calls.filter(({ path }) => path.endsWith('/certificate/ca'))).toHaveLength(1);
  });

  it('tells that the service is away', async () => {
    await using stage = await setStage();
    await stage.cloud.goAway();
    const { code, error } = await stage.platen('trust');
    expect([code, error]).toEqual([
      1,
      expect.stringMatching(/^platen: GET .*certificate\/ca.*no connection/),
    ]);
  });

  it.each([
    [['--save', 'ca.pem']],
    [['--fingerprint', own.fingerprint]],
    [['--save', 'ca.pem', '--fingerprint', 'AB:CD']],
  ])('%j is a mistake of use', async (options) => {
    await using stage = await setStage({ device: 'new' });
    const { code, error } = await stage.platen('trust', ...options);
    expect([code, error]).toEqual([64, expect.stringContaining('--fingerprint')]);
    expect(stage.cloud.calls).toEqual([]);
  });
});
