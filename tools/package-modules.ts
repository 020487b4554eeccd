/**
 * The npm packages that a Debian package holds: those of which native code keeps them out of the bundle, and Node itself.
 * npm fetches them for the architecture by an excerpt of our lockfile, and so checks the integrity of each.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { z } from 'zod';

/** As npm names them; `prebuild` is how the serial binding does. */
export const architectures = {
  amd64: { cpu: 'x64', prebuild: 'linux-x64' },
  arm64: { cpu: 'arm64', prebuild: 'linux-arm64' },
} as const;
export type Architecture = keyof typeof architectures;

/** What the bundle takes from node_modules: `external` of build.ts. */
export const native = ['@serialport/bindings-cpp', 'koffi', 'serialport'] as const;

const versions = z.record(z.string(), z.string()).default({});
const entry = z.looseObject({
  version: z.string().optional(),
  dependencies: versions,
  optionalDependencies: versions,
});
/** Packages that are not in our lockfile, by their names. */
type Added = Readonly<Record<string, { readonly version: string; readonly integrity: string }>>;

const lockfile = z.looseObject({ packages: z.record(z.string(), entry) });

type Locked = z.output<typeof entry>;

const readLockfile = () => lockfile.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));

/** These packages of ours and all that they need, as our lockfile has them: where each lies below our folder. */
function closureOf(roots: readonly string[]): ReadonlyMap<string, Locked> {
  const { packages } = readLockfile();
  const kept = new Map<string, Locked>();
  const take = (path: string | undefined): void => {
    const found = path === undefined ? undefined : packages[path];
    if (path === undefined || !found || kept.has(path)) return;
    const { dev: _dev, ...locked } = found;
    kept.set(path, locked);
    for (const name of Object.keys({ ...found.dependencies, ...found.optionalDependencies })) {
      take(placesOf(path, name).find((place) => packages[place]));
    }
  };
  for (const name of roots) take(`node_modules/${name}`);
  return kept;
}

/** Where Node looks for it: in the package's own node_modules, then in those around it. */
function placesOf(path: string, name: string): readonly string[] {
  const around = path.split(/\/?node_modules\//).slice(1);
  return [...around.keys(), around.length]
    .toReversed()
    .map((depth) => [...around.slice(0, depth), name].map((part) => `node_modules/${part}`).join('/'));
}

/** A package.json and a package-lock.json of these packages of ours, and of what is added, for npm(1). */
function excerptLockfile(folder: string, roots: readonly string[], added: Added = {}): void {
  const whole = readLockfile();
  const kept = new Map<string, object & { version?: string | undefined }>(closureOf(roots));
  for (const [name, locked] of Object.entries(added)) kept.set(`node_modules/${name}`, locked);
  // Optional: npm else refuses what is of another architecture than this machine's, whatever it is asked for.
  const optionalDependencies = Object.fromEntries(
    [...roots, ...Object.keys(added)].map((name) => [
      name,
      kept.get(`node_modules/${name}`)?.version ?? 'missing',
    ]),
  );
  const manifest = { name: 'platen', version: whole.packages['']?.version, optionalDependencies };
  mkdirSync(folder, { recursive: true });
  writeJson(join(folder, 'package.json'), manifest);
  writeJson(join(folder, 'package-lock.json'), {
    ...whole,
    packages: { '': manifest, ...Object.fromEntries(kept) },
  });
  cpSync('.npmrc', join(folder, '.npmrc'));
}

/** Everything of others that Platen is made of: bundled, in the page, or beside it. */
const shippedRoots = (architecture: Architecture): readonly string[] => {
  const { cpu } = architectures[architecture];
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
    'dependencies' | 'optionalDependencies',
    object
  >;
  return [
    ...Object.keys({ ...dependencies, ...optionalDependencies }),
    'preact',
    `@koromix/koffi-linux-${cpu}`,
    `node-linux-${cpu}`,
  ];
};

/** A temporary folder with the lockfile of all of it and nothing else, for npm(1) to look at. */
export function openShipped(architecture: Architecture): Disposable & { readonly folder: string } {
  const temporary = mkdtempSync(join(tmpdir(), 'platen-shipped-'));
  // npm names the whole after the folder.
  const folder = join(temporary, 'platen');
  excerptLockfile(folder, shippedRoots(architecture));
  return { folder, [Symbol.dispose]: () => rmSync(temporary, { recursive: true }) };
}

/** Koffi names its native part for every system there is; a package holds one of them. */
export const isElsewhere = (name: string, architecture: Architecture): boolean =>
  name.startsWith('@koromix/koffi-') && name !== `@koromix/koffi-linux-${architectures[architecture].cpu}`;

/** Puts `node_modules` into the folder, with `node_modules/.bin/node`, and nothing in it that is not needed to run. */
export function installModules(folder: string, architecture: Architecture): void {
  const { cpu } = architectures[architecture];
  const node = `node-linux-${cpu}`;
  const roots = [...native, `@koromix/koffi-linux-${cpu}`, node];
  // What is of this machine's architecture `npm ci` has fetched and checked already.
  const isOurs = process.platform === 'linux' && process.arch === cpu;
  const fetched = isOurs ? undefined : fetchModules(roots, { os: 'linux', cpu });
  try {
    const from = fetched ?? '.';
    for (const root of roots) {
      if (!existsSync(join(from, 'node_modules', root))) {
        throw new Error(`${root} is missing: npm has not brought it for ${architecture}`);
      }
    }
    for (const path of closureOf(roots).keys()) {
      if (!existsSync(join(from, path))) continue;
      cpSync(join(from, path), join(folder, path), {
        recursive: true,
        filter: (source) => isNeeded(relative(from, source), architecture),
      });
    }
    // Of three quarters of a megabyte: the days of the releases, which `platen check` reads.
    const changes = readFileSync(join(from, 'node_modules', node, 'CHANGELOG.md'), 'utf8');
    const days = changes.split('\n').filter((line) => line.startsWith('## '));
    writeFileSync(join(folder, 'node_modules', node, 'CHANGELOG.md'), `${days.join('\n')}\n`);
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
    symlinkSync(`../${node}/bin/node`, join(folder, 'node_modules/.bin/node'));
  } finally {
    if (fetched) rmSync(fetched, { recursive: true });
  }
}

interface System {
  readonly os: 'linux' | 'win32';
  readonly cpu: string;
}

/** Into a temporary folder. */
export function fetchModules(roots: readonly string[], { os, cpu }: System, added: Added = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'platen-modules-'));
  excerptLockfile(folder, roots, added);
  execFileSync(
    'npm',
    ['ci', '--ignore-scripts', '--prefer-offline', `--os=${os}`, `--cpu=${cpu}`, '--libc=glibc'],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  return folder;
}

/** Code, manifests and licences; no sources of native code, nothing for other systems, no documentation. */
function isNeeded(path: string, architecture: Architecture): boolean {
  const [, prebuild] = /\/prebuilds\/([^/]+)/.exec(path) ?? [];
  if (prebuild !== undefined && prebuild !== architectures[architecture].prebuild) return false;
  if (unneeded.test(path)) return false;
  return (
    !/\.(?:md|map|[cm]?ts|cc|hh|h|inc|asm|S|gyp|txt|yml)$|\/\.[^/]*$/.test(path) ||
    /^licen[cs]e/i.test(basename(path))
  );
}

const unneeded = new RegExp(
  [
    /node_modules\/node-linux-\w+\/(?:include|share)$/,
    /node_modules\/koffi\/(?:cnoke\.cjs|doc|lib|vendor)$/,
    /node_modules\/node-addon-api$/,
    /node_modules\/@serialport\/bindings-cpp\/src$/,
    /\/musl_\w+$|\.musl\.node$|\/tests?$/,
    // A closure's packages come one by one.
    /node_modules\/.+\/node_modules$/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

const writeJson = (file: string, value: object): void =>
  writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);
