/**
 * `npm run package`: what is installed, in dist-packages/: a Debian package for each architecture, the npm tarball, and
 * what makes a container image of them; with their sums and provenance. `-- --only amd64` makes that Debian package alone,
 * `-- --sign KEY` signs, `-- --repository DIR --sign KEY` also adds the Debian packages to an apt repository, and
 * `-- --refresh DIR --sign KEY` makes nothing but the repository's lists anew, before they are too old for apt.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import manifest from '../package.json' with { type: 'json' };
import { layOut, pack } from './package-deb.ts';
import type { Architecture } from './package-modules.ts';
import { signAll, writeProofs } from './package-proof.ts';
import { addToRepository } from './package-repository.ts';
import { packTarball } from './package-tarball.ts';

const output = 'dist-packages';
const { version } = manifest;
const { values: wanted } = parseArgs({
  options: {
    only: { type: 'string' },
    sign: { type: 'string' },
    repository: { type: 'string' },
    refresh: { type: 'string' },
  },
});
if (wanted.refresh !== undefined) {
  if (wanted.sign === undefined)
    throw new Error('--refresh needs --sign KEY, the key of gpg(1) of the repository');
  addToRepository(wanted.refresh, [], wanted.sign);
  process.stdout.write(`repository: ${wanted.refresh}\n`);
  process.exit();
}
if (wanted.repository !== undefined && wanted.sign === undefined) {
  throw new Error('--repository needs --sign KEY, a key of gpg(1): apt takes no unsigned repository');
}
const epoch = epochOfSources();
const debianPackages: string[] = [];
const others: string[] = [];
/** Tells of a file as soon as it is there. */
const told = (file: string): string => {
  process.stdout.write(`${(statSync(file).size / 2 ** 20).toFixed(1)} MB  ${file}\n`);
  return file;
};

execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
rmSync(output, { recursive: true, force: true });
mkdirSync(output);

for (const architecture of ['amd64', 'arm64'] as const satisfies readonly Architecture[]) {
  if (wanted.only !== undefined && wanted.only !== architecture) continue;
  const order = { architecture, version, epoch, compression: 'xz' } as const;
  const folder = mkdtempSync(join(tmpdir(), 'platen-package-'));
  try {
    layOut(folder, order);
    debianPackages.push(told(pack(folder, output, order)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
if (wanted.only === undefined) {
  others.push(told(packTarball(output)));
  const containerfile = join(output, 'Containerfile');
  cpSync('systemd/container/Containerfile', containerfile);
  others.push(told(containerfile));
}

const git = (...args: readonly string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();
const proofs = writeProofs(output, [...debianPackages, ...others], {
  commit: git('rev-parse', 'HEAD'),
  isChanged: git('status', '--porcelain') !== '',
  epoch,
});
for (const file of proofs) told(file);
for (const file of wanted.sign === undefined ? [] : signAll(proofs, wanted.sign)) told(file);
if (wanted.sign === undefined)
  process.stdout.write('not signed: give a key, npm run package -- --sign KEY\n');
if (wanted.repository !== undefined && wanted.sign !== undefined) {
  addToRepository(wanted.repository, debianPackages, wanted.sign);
  process.stdout.write(`repository: ${wanted.repository}\n`);
}

/** The packages of the same sources are the same: their files are dated as https://reproducible-builds.org says. */
function epochOfSources(): number {
  const given = process.env['SOURCE_DATE_EPOCH'];
  if (given !== undefined) return Number(given);
  return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8' }));
}
