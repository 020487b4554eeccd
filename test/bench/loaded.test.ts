import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { namesOf, newlyLoaded } from './loaded.ts';

it('what is loaded is called by the path of a source, the name of a package, and the name of a module of Node', () => {
  const root = '/opt/platen';
  const loaded = [
    'file:///opt/platen/src/main.ts',
    'file:///opt/platen/node_modules/zod/index.js',
    'file:///opt/platen/node_modules/zod/v4/core.js',
    'file:///opt/platen/node_modules/serialport/node_modules/@serialport/stream/index.js',
    'NativeModule internal/http2/core',
    'node:http2',
    'data:text/javascript,1',
  ];
  expect(namesOf(loaded, root)).toEqual([
    '@serialport/stream',
    "Node's internal/http2/core",
    'src/main.ts',
    'zod',
  ]);
});

it('one tree linked to the packages of another has the same names', () => {
  const loaded = ['file:///elsewhere/node_modules/zod/index.js'];
  expect(namesOf(loaded, '/opt/platen')).toEqual(['zod']);
});

it('what is loaded now and was not before is told by name: what was there and waited, and what is new', () => {
  using room = temporaryDirectory();
  const root = pathOf(room.path, ['src/notify/mail.ts', 'node_modules/nodemailer/index.js']);
  const before = { root, names: ['src/main.ts', 'zod'] };
  const names = ['src/main.ts', 'src/notify/mail.ts', 'src/sound.ts', 'nodemailer', "Node's tls"];
  expect([...newlyLoaded(before, { root: '/now', names })]).toEqual([
    ['loaded while idle, and new', ['src/sound.ts']],
    [
      'loaded while idle, and before only when it was needed',
      ['src/notify/mail.ts', 'nodemailer', "Node's tls"],
    ],
  ]);
  expect(newlyLoaded(before, before).size).toBe(0);
});

function pathOf(root: string, files: readonly string[]): string {
  for (const file of files) {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), '');
  }
  return root;
}
