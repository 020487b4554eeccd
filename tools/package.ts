/**
 * `npm run package`: what is installed, in dist-packages/: a Debian package for each architecture, the npm tarball, and
 * what makes a container image of them. `-- --only amd64` makes that Debian package alone.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import manifest from '../package.json' with { type: 'json' };
import { layOut, pack } from './package-deb.ts';
import type { Architecture } from './package-modules.ts';
import { packTarball } from './package-tarball.ts';

const output = 'dist-packages';
const { version } = manifest;
const { values: wanted } = parseArgs({ options: { only: { type: 'string' } } });
const tell = (file: string): unknown =>
  process.stdout.write(`${(statSync(file).size / 2 ** 20).toFixed(1)} MB  ${file}\n`);

execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
rmSync(output, { recursive: true, force: true });
mkdirSync(output);

for (const architecture of ['amd64', 'arm64'] as const satisfies readonly Architecture[]) {
  if (wanted.only !== undefined && wanted.only !== architecture) continue;
  const order = { architecture, version, epoch: epochOfSources(), compression: 'xz' } as const;
  const folder = mkdtempSync(join(tmpdir(), 'platen-package-'));
  try {
    layOut(folder, order);
    tell(pack(folder, output, order));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
if (wanted.only === undefined) {
  tell(packTarball(output));
  cpSync('systemd/container/Containerfile', join(output, 'Containerfile'));
}

/** The packages of the same sources are the same: their files are dated as https://reproducible-builds.org says. */
function epochOfSources(): number {
  const given = process.env['SOURCE_DATE_EPOCH'];
  if (given !== undefined) return Number(given);
  const committed = execFileSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8' });
  return Number(committed);
}
