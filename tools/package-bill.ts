/**
 * The bill of materials (INVARIANTS.md T30): every package of npm that is in Platen, whether bundled, in the page or
 * beside it, and what Node itself is made of, as CycloneDX; written by npm(1) from an excerpt of our lockfile, without
 * its hour and its random number.
 */
import { execFileSync } from 'node:child_process';
import type { Architecture } from './package-modules.ts';
import { isElsewhere, openShipped } from './package-modules.ts';

interface Bill {
  readonly serialNumber: string;
  readonly metadata: object;
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

interface Component {
  readonly name: string;
  readonly version: string;
  readonly [field: string]: unknown;
}

export function billOfMaterials({
  architecture,
  epoch,
}: {
  architecture: Architecture;
  epoch: number;
}): string {
  using shipped = openShipped(architecture);
  const written = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
    cwd: shipped.folder,
    encoding: 'utf8',
  });
  const { serialNumber: _random, ...bill } = JSON.parse(written) as Bill;
  const isHere = (name: string) => !isElsewhere(name, architecture);
  const timestamp = new Date(epoch * 1000).toISOString();
  const whole = {
    ...bill,
    metadata: { ...bill.metadata, timestamp },
    components: bill.components.filter(({ name }) => isHere(name)).map(withParts),
    dependencies: bill.dependencies
      .filter(({ ref }) => isHere(withoutVersion(ref)))
      .map(({ dependsOn = [], ...one }) => ({
        ...one,
        dependsOn: dependsOn.filter((ref) => isHere(withoutVersion(ref))),
      })),
  };
  return `${JSON.stringify(whole, undefined, 1)}\n`;
}

const withoutVersion = (ref: string): string => ref.slice(0, ref.lastIndexOf('@'));

/** A scanner that looks for OpenSSL or zlib finds those inside Node. */
function withParts(component: Component): Component {
  if (!component.name.startsWith('node-linux-')) return component;
  if (process.versions.node !== component.version) {
    throw new Error(`Node ${process.versions.node} cannot tell what Node ${component.version} is made of`);
  }
  const { node: _itself, modules: _abi, ...parts } = process.versions as Record<string, string>;
  const components = Object.entries(parts)
    .toSorted(([one], [other]) => one.localeCompare(other, 'en'))
    .map(([name, version]) => ({
      type: 'library',
      'bom-ref': `${component.name}|${name}@${version}`,
      name,
      version,
      purl: `pkg:generic/${name}@${encodeURIComponent(version)}`,
    }));
  return { ...component, components };
}
