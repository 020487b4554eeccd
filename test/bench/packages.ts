/** What is installed, as it is shipped: how large it is, and how soon a machine that gets it is ready for a badge. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { layOut, pack } from '../../tools/package-deb.ts';
import { packTarball } from '../../tools/package-tarball.ts';
import { answerBefore, bootMachine, untilReady } from '../peers/packaging/package-machine.ts';
import type { Measurement } from './figures.ts';
import { inMegabytes, megabytes } from './figures.ts';

const installations = 3;

export async function measurePackages(): Promise<Measurement> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-packages-'));
  try {
    const debian = (['amd64', 'arm64'] as const).map((architecture) => {
      const order = {
        architecture,
        version: manifest.version,
        epoch: 1_700_000_000,
        compression: 'xz',
      } as const;
      layOut(join(folder, architecture), order);
      return { architecture, file: pack(join(folder, architecture), folder, order) };
    });
    const sizes = await Promise.all(
      [...debian.map(({ file }) => file), packTarball(folder)].map(async (file) => ({
        file: file.slice(folder.length + 1),
        size: (await stat(file)).size,
      })),
    );
    const ours = process.arch === 'arm64' ? 'arm64' : 'amd64';
    const file = debian.find(({ architecture }) => architecture === ours)?.file ?? '';
    const spans: number[] = [];
    for (let count = 0; count < installations; count += 1) {
      spans.push(await installOnce(file, join(folder, ours, 'opt/platen')));
    }
    const slowest = Math.max(...spans);
    return {
      title: 'Packages: size, and installation to "terminal ready"',
      how: `Installed ${installations} times by dpkg in a Debian 12 with its own systemd, the three answers there before; service and printer simulated in it.`,
      rows: [
        ['', 'size', 'to ready, max'],
        ...sizes.map(({ file: name, size }) => [
          name,
          inMegabytes(size),
          name.includes(`_${ours}.deb`) ? `${(slowest / 1000).toFixed(1)} s` : '',
        ]),
      ],
      goals: [
        ...sizes
          .filter(({ file: name }) => name.endsWith('.deb'))
          .map(({ file: name, size }) => ({
            what: name,
            figure: megabytes(size),
            limit: 45,
            unit: 'MB' as const,
          })),
        { what: 'every installation', figure: slowest, limit: 30_000, unit: 'ms' },
      ],
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function installOnce(file: string, program: string): Promise<number> {
  await using machine = await bootMachine({ packages: { 'platen.deb': file }, program });
  await answerBefore(machine);
  const since = performance.now();
  await machine.sh(`dpkg -i /root/platen.deb; ${untilReady}`);
  return performance.now() - since;
}
