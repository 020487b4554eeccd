/** The repository before apt itself, which has its configuration, state and keys in a folder of the test. */
import { execFile } from 'node:child_process';
import { appendFile, chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addToRepository } from '../../../tools/package-repository.ts';
import { needsPeer } from '../../support/needs.ts';

const run = promisify(execFile);

/** Only what dpkg asks of a package. */
async function makePackage(folder: string, version: string): Promise<string> {
  const tree = join(folder, version);
  await mkdir(join(tree, 'DEBIAN'), { recursive: true });
  const fields = ['Package: platen', `Version: ${version}`, 'Architecture: amd64', 'Maintainer: a test'];
  await writeFile(join(tree, 'DEBIAN/control'), [...fields, 'Description: a test', ''].join('\n'));
  const file = join(folder, `platen_${version}_amd64.deb`);
  await run('dpkg-deb', ['--root-owner-group', '--build', tree, file]);
  return file;
}

/** A gateway that has 1.0.0 installed and trusts this key for this repository. */
async function makeGateway(folder: string, repository: string, key: string) {
  const at = (path: string) => join(folder, path);
  for (const path of ['lists/partial', 'cache/archives/partial']) await mkdir(at(path), { recursive: true });
  const source = `deb [arch=amd64 signed-by=${key}] file://${repository} stable main\n`;
  await writeFile(at('sources.list'), source);
  const installed = [
    'Package: platen',
    'Status: install ok installed',
    'Version: 1.0.0',
    'Architecture: amd64',
  ];
  await writeFile(at('status'), [...installed, 'Maintainer: a test', 'Description: a test', ''].join('\n'));
  const places = {
    'Dir::Etc::sourcelist': at('sources.list'),
    'Dir::Etc::sourceparts': at('none'),
    'Dir::Etc::preferencesparts': at('none'),
    'Dir::State::status': at('status'),
    'Dir::State::lists': at('lists'),
    'Dir::Cache': at('cache'),
    'APT::Architecture': 'amd64',
    'APT::Architectures': 'amd64',
    'APT::Sandbox::User': 'root',
    'APT::Update::Error-Mode': 'any',
    // As Debian has it; an archive of old states sets it to false.
    'Acquire::Check-Date': 'true',
    'Acquire::Check-Valid-Until': 'true',
  };
  const options = Object.entries(places).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  return (...args: readonly string[]) => run('apt-get', [...options, ...args]);
}

needsPeer('apt-ftparchive', 'apt-utils')('T30: the apt repository', () => {
  let folder = '';
  let repository = '';
  let packages: string[] = [];
  const agent = process.env['GNUPGHOME'];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'platen-repository-'));
    const home = join(folder, 'gnupg');
    await mkdir(home);
    await chmod(home, 0o700);
    process.env['GNUPGHOME'] = home;
    const made = ['--batch', '--quiet', '--passphrase', '', '--quick-generate-key'];
    for (const name of ['Platen', 'Somebody']) await run('gpg', [...made, name, 'ed25519', 'sign', 'never']);
    packages = [await makePackage(folder, '1.0.0'), await makePackage(folder, '1.1.0')];
    repository = join(folder, 'repository');
    // In two steps, as releases are.
    for (const one of packages) addToRepository(repository, [one], 'Platen');
  });
  afterAll(async () => {
    await run('gpgconf', ['--kill', 'all']);
    if (agent === undefined) delete process.env['GNUPGHOME'];
    else process.env['GNUPGHOME'] = agent;
    await rm(folder, { recursive: true });
  });

  const gatewayFor = async (name: string) => {
    const copy = join(folder, `${name}-repository`);
    await cp(repository, copy, { recursive: true });
    const apt = await makeGateway(join(folder, name), copy, join(repository, 'platen.asc'));
    return { apt, copy, lists: join(copy, 'dists/stable') };
  };

  it('brings a gateway the newest version, from an origin that unattended-upgrades can be told of', async () => {
    const { apt } = await gatewayFor('honest');
    await apt('update');
    const { stdout } = await apt('--simulate', 'upgrade');
    expect(stdout).toContain('Inst platen [1.0.0] (1.1.0 Platen:stable [amd64])');
  });

  it('still has the version before, to set a gateway back', async () => {
    const { apt } = await gatewayFor('cautious');
    await apt('update');
    await apt('--yes', '--download-only', '--reinstall', 'install', 'platen=1.0.0');
    const list = await readFile(join(repository, 'dists/stable/main/binary-amd64/Packages'), 'utf8');
    expect(list.match(/^Version: .*$/gm)).toEqual(['Version: 1.0.0', 'Version: 1.1.0']);
  });

  it.each([
    [
      'a list that was changed',
      async (lists: string) => {
        await rm(join(lists, 'main/binary-amd64/Packages.gz'));
        await appendFile(join(lists, 'main/binary-amd64/Packages'), '\nPackage: more\n');
      },
    ],
    [
      'a release file that was changed',
      async (lists: string) => {
        const text = await readFile(join(lists, 'InRelease'), 'utf8');
        await writeFile(join(lists, 'InRelease'), text.replace('Suite: stable', 'Suite: unsafe'));
      },
    ],
    [
      'the signature of somebody else',
      async (lists: string) => {
        const by = ['--batch', '--yes', '--quiet', '--local-user', 'Somebody'];
        await run('gpg', [...by, '--clear-sign', '--output', 'InRelease', 'Release'], { cwd: lists });
      },
    ],
  ])('with %s is refused', async (what, change) => {
    const { apt, lists } = await gatewayFor(what.replaceAll(' ', '-'));
    await change(lists);
    await expect(apt('update')).rejects.toMatchObject({ code: 100 });
  });

  it('with lists that are too old is refused in the words of the guide, and taken again when they are made anew', async () => {
    const { apt, copy, lists } = await gatewayFor('held-back');
    const text = await readFile(join(lists, 'Release'), 'utf8');
    const until = Date.parse(/^Valid-Until: (.*)$/m.exec(text)?.[1] ?? '');
    const from = Date.parse(/^Date: (.*)$/m.exec(text)?.[1] ?? '');
    expect(until - from).toBe(30 * 24 * 3_600_000);
    const longAgo = 'Thu, 01 Oct 2026 00:00:00 UTC';
    await writeFile(join(lists, 'Release'), text.replace(/^Valid-Until: .*$/m, `Valid-Until: ${longAgo}`));
    const by = ['--batch', '--yes', '--quiet', '--local-user', 'Platen'];
    await run('gpg', [...by, '--clear-sign', '--output', 'InRelease', 'Release'], { cwd: lists });
    await expect(apt('update')).rejects.toMatchObject({
      stderr: expect.stringMatching(
        /is expired \(invalid since .*Updates for this repository will not be applied/,
      ),
    });
    addToRepository(copy, [], 'Platen');
    await apt('update');
  });

  it('is not written with a key that apt cannot check', async () => {
    const key = packages[0] ?? '';
    expect(() => addToRepository(join(folder, 'unmade'), packages, key)).toThrow('needs a key of gpg(1)');
  });
});
