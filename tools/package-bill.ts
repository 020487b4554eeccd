/**
 * The bill of materials (reliability.md T30): every package of npm that is in Platen, whether bundled, in the page or
 * beside it, as CycloneDX; written by npm(1) from an excerpt of our lockfile, without its hour and its random number.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Architecture } from './package-modules.ts';
import { architectures, excerptLockfile } from './package-modules.ts';

export function billOfMaterials({
  architecture,
  epoch,
}: {
  architecture: Architecture;
  epoch: number;
}): string {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
    'dependencies' | 'optionalDependencies',
    object
  >;
  const roots = [
    ...Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }),
    'preact',
    `@koromix/koffi-linux-${architectures[architecture].cpu}`,
    `node-linux-${architectures[architecture].cpu}`,
  ];
  const temporary = mkdtempSync(join(tmpdir(), 'platen-bill-'));
  // npm names the whole after the folder.
  const folder = join(temporary, 'platen');
  try {
    excerptLockfile(folder, roots);
    const written = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const { serialNumber: _random, ...bill } = JSON.parse(written) as {
      serialNumber: string;
      metadata: object;
    };
    const timestamp = new Date(epoch * 1000).toISOString();
    return `${JSON.stringify({ ...bill, metadata: { ...bill.metadata, timestamp } }, undefined, 1)}\n`;
  } finally {
    rmSync(temporary, { recursive: true });
  }
}
