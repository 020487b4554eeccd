/**
 * The Debian package: everything below /opt/platen with a Node of its own, `platen` on the path, units, manual pages and
 * completions where Debian has them. dpkg-deb(1) writes it; with the same sources, and SOURCE_DATE_EPOCH the same, it
 * is the same to the last octet. What dpkg does with it is in systemd/debian.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { completions } from './package-completion.ts';
import { billOfMaterials } from './package-bill.ts';
import { tidyGuide } from './package-guide.ts';
import { manualPages } from './package-manual.ts';
import type { Architecture } from './package-modules.ts';
import { installModules } from './package-modules.ts';
import { thirdPartyNotices } from './package-notices.ts';

export interface DebianOrder {
  readonly architecture: Architecture;
  readonly version: string;
  /** Seconds since 1970: what the files in it are dated. */
  readonly epoch: number;
  /** As dpkg-deb takes it; a quarter of the size with `xz`, made in a hundredth of the time with `none`. */
  readonly compression: 'xz' | 'none';
}

const home = 'opt/platen';
const programs = ['compile.js', 'platen.js', 'start-options.js'].map((name) => `tools/${name}`);

/** Lays the package out in this folder, which need not exist. `dist` has to be built. */
export function layOut(folder: string, order: DebianOrder): void {
  const { architecture, version } = order;
  const copy = (from: string, to: string) => cpSync(from, join(folder, to), { recursive: true });
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };

  for (const path of ['dist', 'config', ...programs, ...filesOfService()]) copy(path, join(home, path));
  copy('systemd/debian/platen.yaml', `${home}/config/platen.yaml`);
  tidyGuide(join(folder, home));
  write(
    `${home}/package.json`,
    `${JSON.stringify({ name: 'platen', version, private: true, type: 'module' })}\n`,
  );
  installModules(join(folder, home), architecture);
  mkdirSync(join(folder, 'usr/bin'), { recursive: true });
  symlinkSync('/opt/platen/tools/platen.js', join(folder, 'usr/bin/platen'));
  const placed = [...placedFiles()];
  for (const { from, to } of placed) copy(from, to);
  const profiles = readdirSync('systemd/apparmor')
    .toSorted()
    .map((name) => `etc/apparmor.d/${name}`);
  copy('systemd/apparmor', 'etc/apparmor.d');

  for (const [path, text] of completions()) write(`usr/share/${path}`, text);
  for (const { name, section, text } of manualPages(order)) {
    write(`usr/share/man/man${section}/${name}.${section}.gz`, gzip(text));
  }
  write('usr/share/doc/platen/copyright', copyright());
  write('usr/share/doc/platen/changelog.gz', gzip(changelog(order)));
  write('usr/share/doc/platen/platen.cdx.json', billOfMaterials(order));
  copy('systemd/debian/lintian-overrides', 'usr/share/lintian/overrides/platen');

  const files = filesBelow(folder).filter((file) => !profiles.includes(file.slice(folder.length + 1)));
  const fill = fillIn({
    version: debianVersion(version),
    architecture,
    size: String(Math.ceil(files.reduce((sum, file) => sum + statSync(file).size, 0) / 1024)),
    units: namesOf(placed.filter(({ from }) => isEnabled(from))),
    stopped: namesOf(placed.filter(({ from }) => isUnit(from) && !keepsAddress(from))),
    kept: namesOf(placed.filter(({ from }) => keepsAddress(from))),
    sysusers: namesOf(placed.filter(({ to }) => to.includes('/sysusers.d/'))),
  });
  for (const name of ['control', 'postinst', 'prerm', 'postrm']) {
    write(`DEBIAN/${name}`, fill(readFileSync(`systemd/debian/${name}`, 'utf8')));
    if (name !== 'control') chmodSync(join(folder, 'DEBIAN', name), 0o755);
  }
  write('DEBIAN/conffiles', profiles.map((path) => `/${path}\n`).join(''));
  write('DEBIAN/md5sums', files.map((file) => `${md5(file)}  ${file.slice(folder.length + 1)}\n`).join(''));
  tidyModes(folder);
}

/** Writes the .deb into the folder `to`, and tells its path. */
export function pack(
  folder: string,
  to: string,
  { architecture, version, epoch, compression }: DebianOrder,
): string {
  const file = join(to, `platen_${debianVersion(version)}_${architecture}.deb`);
  // One thread: how xz cuts its input for several is not promised to stay the same.
  execFileSync(
    'dpkg-deb',
    [`-Z${compression}`, '--threads-max=1', '--root-owner-group', '--build', folder, file],
    { env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) }, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  return file;
}

/** 1.0.0-rc.1 comes before 1.0.0; dpkg would take it for a later revision of it. */
export const debianVersion = (version: string): string => version.replace('-', '~');

const filesOfService = (): string[] =>
  readdirSync('systemd')
    .filter((name) => name !== 'debian' && name !== 'container' && name !== 'apparmor')
    .map((name) => join('systemd', name));

const places: Readonly<Record<string, string>> = {
  '.service': 'usr/lib/systemd/system',
  '.socket': 'usr/lib/systemd/system',
  '.path': 'usr/lib/systemd/system',
  '.slice': 'usr/lib/systemd/system',
  '.timer': 'usr/lib/systemd/system',
  '.rules': 'usr/lib/udev/rules.d',
  '.sysusers': 'usr/lib/sysusers.d',
  '.tmpfiles': 'usr/lib/tmpfiles.d',
  '.modules': 'usr/lib/modules-load.d',
};

/** What of `systemd` every installation has. The parts of a kiosk and of sticks are for `systemd/install` to lay out. */
function* placedFiles(): Iterable<{ readonly from: string; readonly to: string }> {
  for (const folder of ['systemd', 'systemd/debian']) {
    for (const name of readdirSync(folder).toSorted()) {
      const place = places[extname(name)];
      if (place === undefined || /platen-(?:kiosk|stick)/.test(name)) continue;
      yield {
        from: join(folder, name),
        to: join(place, name.replace(/\.(?:modules|sysusers|tmpfiles)$/, '.conf')),
      };
    }
  }
}

const namesOf = (files: readonly { readonly to: string }[]): string =>
  files.map(({ to }) => basename(to)).join(' ');

/** Not a template, of which there is nothing to start or stop. */
const isUnit = (file: string): boolean => /[^@]\.(?:service|socket|path|timer)$/.test(file);

/** Whose address nobody else is to have while another version takes over. */
const keepsAddress = (file: string): boolean => /^Service=platen-port@/m.test(readFileSync(file, 'utf8'));

const isEnabled = (file: string): boolean =>
  isUnit(file) && /^\[Install\]$/m.test(readFileSync(file, 'utf8'));

const copyright = (): string => `${readFileSync('systemd/debian/copyright', 'utf8')}\n${thirdPartyNotices()}`;

const changelog = ({
  version,
  epoch,
}: DebianOrder): string => `platen (${debianVersion(version)}) stable; urgency=medium

  * See README.md of this version.

 -- The Platen developers <platen@localhost>  ${new Date(epoch * 1000).toUTCString().replace('GMT', '+0000')}
`;

const gzip = (text: string): Uint8Array => gzipSync(text, { level: 9 });

const md5 = (file: string): string => createHash('md5').update(readFileSync(file)).digest('hex');

/** Regular files, in the order of their names. */
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();

/** Whatever the umask was. */
function tidyModes(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const path = join(entry.parentPath, entry.name);
    chmodSync(path, entry.isDirectory() || statSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
  chmodSync(folder, 0o755);
}

const fillIn =
  (values: Readonly<Record<string, string>>) =>
  (text: string): string =>
    text.replaceAll(/@(\w+)@/g, (placeholder, name: string) => values[name] ?? placeholder);
