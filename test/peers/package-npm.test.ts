/** The npm tarball: what is in it, and that it works where nothing but Node 24 and npm is. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { packTarball } from '../../tools/package-tarball.ts';

const run = promisify(execFile);
const patience = 60_000;
let folder = '';
let tarball = '';

beforeAll(async () => {
  await run('npm', ['run', '--silent', 'build']);
  folder = await mkdtemp(join(tmpdir(), 'platen-npm-'));
  tarball = packTarball(folder);
}, patience);
afterAll(() => rm(folder, { recursive: true }));

it('holds the bundle, the page and what an administrator needs; no tests, no sources, nothing of the build', async () => {
  const { stdout } = await run('tar', ['-tzf', tarball]);
  const files = stdout
    .trim()
    .split('\n')
    .map((path) => path.replace('package/', ''));
  const places = new Set(files.map((path) => path.split('/')[0]));
  expect(places).toEqual(new Set(['README.md', 'config', 'dist', 'package.json', 'systemd', 'tools']));
  expect(files).toEqual(
    expect.arrayContaining([
      'dist/main.js',
      'dist/page/kiosk.js',
      'dist/.vite/license.md',
      'tools/platen.js',
    ]),
  );
  expect(
    files.filter((path) => /\.tsx?$|\.map$|(?:^|\/)tests?\/|^systemd\/(?:debian|container)/.test(path)),
  ).toEqual([]);
});

it(
  'T30: installs with no more than three packages of others asked for, and is Platen at work',
  async () => {
    const { stdout: published } = await run('tar', ['-xzOf', tarball, 'package/package.json']);
    const { dependencies, scripts } = JSON.parse(published) as { dependencies: object; scripts?: object };
    expect([Object.keys(dependencies), scripts]).toEqual([
      ['@serialport/bindings-cpp', 'serialport'],
      undefined,
    ]);

    await run('npm', [
      'install',
      '--global',
      '--prefix',
      folder,
      '--prefer-offline',
      '--ignore-scripts',
      tarball,
    ]);
    const env = { ...process.env, PATH: `${resolve('node_modules/.bin')}:/usr/bin:/bin`, TMPDIR: folder };
    const platen = join(folder, 'bin/platen');
    expect((await run(platen, ['--version'], { env })).stdout).toBe(`${manifest.version}\n`);
    const demo = await run(platen, ['demo', '--once'], { env });
    expect(demo.stdout).toContain('Every document came out once and unchanged');
  },
  patience,
);
