/**
 * A folder that is an apt repository when a web server shows it: apt-ftparchive(1) writes its lists, gpg(1) signs them.
 * Packages that are in it already stay, so that a gateway can be set back.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { gpgAs } from './package-proof.ts';

const suite = 'stable';
const pool = 'pool/main/p/platen';
const architectures = ['amd64', 'arm64'];

/**
 * apt takes no list after that, so that nobody can hold gateways at an old version by showing them old lists. The tool that
 * made it makes it anew.
 */
const validSeconds = 30 * 24 * 3600;

/** Adds the packages, none to sign the same ones anew; `key` as gpg(1) names it. Throws before it writes where apt could not check the key's signatures. */
export function addToRepository(folder: string, packages: readonly string[], key: string): void {
  if (existsSync(key)) throw new Error(`--repository needs a key of gpg(1); ${key} is a file`);
  mkdirSync(join(folder, pool), { recursive: true });
  for (const file of packages) copyFileSync(file, join(folder, pool, basename(file)));
  for (const architecture of architectures) writeList(folder, architecture);

  const suiteFolder = join(folder, 'dists', suite);
  writeFileSync(join(suiteFolder, 'Release'), archiveText(folder, ['release', `dists/${suite}`]));
  sign(suiteFolder, ['--clear-sign', '--output', 'InRelease', 'Release'], key);
  sign(suiteFolder, ['--armor', '--detach-sign', '--output', 'Release.gpg', 'Release'], key);
  const exported = execFileSync('gpg', ['--batch', '--armor', '--export', key]);
  writeFileSync(join(folder, 'platen.asc'), exported);
}

function writeList(folder: string, architecture: string): void {
  const list = archiveText(folder, ['packages', '--arch', architecture, 'pool']);
  const place = join(folder, 'dists', suite, 'main', `binary-${architecture}`);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'Packages'), list);
  writeFileSync(join(place, 'Packages.gz'), gzipSync(list, { level: 9 }));
}

/** unattended-upgrades takes what it trusts by origin and suite. */
const description = Object.entries({
  Origin: 'Platen',
  Label: 'Platen',
  Suite: suite,
  Codename: suite,
  Components: 'main',
  Architectures: architectures.join(' '),
  ValidTime: String(validSeconds),
}).flatMap(([field, value]) => ['-o', `APT::FTPArchive::Release::${field}=${value}`]);

const archiveText = (cwd: string, args: readonly string[]): string =>
  execFileSync('apt-ftparchive', [...description, ...args], { cwd, encoding: 'utf8' });

const sign = (cwd: string, args: readonly string[], key: string): unknown =>
  execFileSync('gpg', [...gpgAs(key), ...args], { cwd, stdio: 'inherit' });
