/**
 * The PDF writer of Debian (cups-pdf) as the printer behind a private CUPS: what is sent becomes PostScript in the
 * filters of CUPS and a PDF again in the backend. Its configuration has one place only, over which a folder of the
 * test is laid; Ghostscript within it is ruled by files in `ctl`.
 */
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needsNamespaces, needsPeer } from '../support/needs.ts';
import type { Cupsd } from './cupsd.ts';
import { startCupsd } from './cupsd.ts';

export interface CupsPdf extends AsyncDisposable {
  readonly cupsd: Cupsd;
  /** Every PDF it made, by its name. */
  files(): Promise<ReadonlyMap<string, Buffer>>;
  /** Ghostscript makes no PDF until `letGo`. */
  hold(): Promise<void>;
  letGo(): Promise<void>;
  /** Whether Ghostscript has begun on a document. */
  hasBegun(): boolean;
  /** From now on Ghostscript fails. */
  breakGhostscript(): Promise<void>;
}

const backend = '/usr/lib/cups/backend/cups-pdf';
const model = '/usr/share/ppd/cups-pdf/CUPS-PDF_noopt.ppd';

/** `describe` for a suite that needs it. */
export function needsCupsPdf(name: string, suite: () => void): void {
  needsPeer(backend, 'printer-driver-cups-pdf')(name, () => {
    needsPeer('cupsd', 'cups-daemon')('of a private CUPS', () => {
      needsPeer('/usr/lib/cups/filter/pdftops', 'cups-filters')('with its filters', () => {
        needsNamespaces()('in a mount namespace', suite);
      });
    });
  });
}

/** cups-pdf.conf(5) as it is described in Debian's own. */
const config = (folder: string) => `Out ${folder}/out
AnonDirName ${folder}/out
Spool ${folder}/spool
Log ${folder}/log
GSTmp ${folder}/spool
GhostScript ${folder}/gs.sh
`;

const ghostscript = (folder: string) => `#!/bin/sh
touch "${folder}/ctl/begun"
while [ -e "${folder}/ctl/hold" ]; do sleep 0.05; done
[ -e "${folder}/ctl/broken" ] && exit 1
exec /usr/bin/gs "$@"
`;

const confined = (folder: string) => `#!/bin/sh
[ $# -eq 0 ] && exit 0
exec unshare -m sh -c 'mount --bind ${folder}/etc /etc/cups && exec ${backend} "$@"' cups-pdf "$@"
`;

export async function startCupsPdf(): Promise<CupsPdf> {
  await using opening = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'platen-cups-pdf-'));
  opening.defer(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  for (const name of ['etc', 'ctl', 'log', 'out', 'spool']) {
    await mkdir(join(folder, name));
    // What it does for somebody without an account here it does as nobody.
    await chmod(join(folder, name), 0o777);
  }
  await writeFile(join(folder, 'etc', 'cups-pdf.conf'), config(folder));
  await writeFile(join(folder, 'gs.sh'), ghostscript(folder), { mode: 0o755 });
  const cupsd = opening.use(
    await startCupsd({
      device: 'cups-pdf:/',
      model,
      backend: { name: 'cups-pdf', script: confined(folder) },
    }),
  );
  const held = opening.move();
  const out = join(folder, 'out');
  const ctl = (name: string) => join(folder, 'ctl', name);
  return {
    cupsd,
    async files() {
      const names = (await readdir(out)).sort();
      return new Map(
        await Promise.all(names.map(async (name) => [name, await readFile(join(out, name))] as const)),
      );
    },
    hold: () => writeFile(ctl('hold'), ''),
    letGo: () => rm(ctl('hold')),
    hasBegun: () => existsSync(ctl('begun')),
    breakGhostscript: () => writeFile(ctl('broken'), ''),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
