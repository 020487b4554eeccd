/**
 * The npm tarball: the bundle and the three packages that it takes from node_modules, so that an installation brings
 * nothing twice. It needs Node 24.11 of whoever installs it.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { native } from './package-modules.ts';
import { tidyGuide } from './package-guide.ts';
import { thirdPartyNotices } from './package-notices.ts';

const notices = 'THIRD-PARTY-NOTICES.md';

interface Manifest {
  readonly files: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Writes `platen-VERSION.tgz` into the folder, and tells its path. `dist` has to be built. */
export function packTarball(to: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'platen-tarball-'));
  try {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
    for (const path of [...manifest.files.filter((name) => !name.startsWith('!')), 'README.md'])
      cpSync(path, join(folder, path), { recursive: true });
    tidyGuide(folder);
    writeFileSync(join(folder, notices), thirdPartyNotices());
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published(manifest), undefined, 2)}\n`);
    mkdirSync(to, { recursive: true });
    const [packed] = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--ignore-scripts', folder, '--pack-destination', to], {
        encoding: 'utf8',
      }),
    ) as [{ filename: string }];
    return join(to, packed.filename);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Nothing of how it is built and tested. */
function published(manifest: Manifest): object {
  const unpublished = ['scripts', 'devDependencies', 'overrides', 'allowScripts', 'knip'];
  const kept = Object.entries(manifest).filter(([key]) => !unpublished.includes(key));
  const dependencies = Object.entries(manifest.dependencies).filter(([name]) =>
    native.some((known) => known === name),
  );
  const files = [...manifest.files, notices];
  return { ...Object.fromEntries(kept), files, dependencies: Object.fromEntries(dependencies) };
}
