/** What `platen fleet push` reads of a directory that somebody else may have filled, and what it leaves alone. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { changesText } from '../../../src/commands/fleet/differences.ts';
import { readDirectory } from '../../../src/commands/fleet/directory.ts';
import { readSigningKey } from '../../../src/commands/fleet/signing-key.ts';
import { ConfigInvalid } from '../../../src/config/mistakes.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { commandHere } from '../../support/command-here.ts';

function folderWith(files: Readonly<Record<string, string>>): string {
  const temporary = temporaryDirectory();
  onTestFinished(() => temporary[Symbol.dispose]());
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(temporary.path, name, '..'), { recursive: true });
    writeFileSync(join(temporary.path, name), text);
  }
  return temporary.path;
}

function mistakesOf(folder: string): readonly string[] {
  try {
    readDirectory(folder);
    return [];
  } catch (error) {
    if (error instanceof ConfigInvalid) return error.lines;
    throw error;
  }
}

it('reads base, sites and gateways, and leaves alone what Git and people keep there', () => {
  const folder = folderWith({
    'base.yaml': 'a: 1\n',
    'sites/vienna.yaml': 'b: 2\n',
    'gateways/gw-1.example.yaml': 'c: 3\n',
    'gateways/.gitkeep': '',
    '.git/config': 'x',
    'README.md': 'how we do it',
  });
  expect(readDirectory(folder)).toEqual([
    { kind: 'base', name: '', what: 'base.yaml', text: 'a: 1\n' },
    { kind: 'gateway', name: 'gw-1.example', what: 'gateways/gw-1.example.yaml', text: 'c: 3\n' },
    { kind: 'site', name: 'vienna', what: 'sites/vienna.yaml', text: 'b: 2\n' },
  ]);
});

it('follows no link, waits for no pipe, and takes no file that is too large', () => {
  const folder = folderWith({ 'base.yaml': 'a: 1\n', 'sites/large.yaml': 'x'.repeat(1024 * 1024 + 1) });
  mkdirSync(join(folder, 'gateways'));
  symlinkSync('/etc/passwd', join(folder, 'gateways', 'a.yaml'));
  mkdirSync(join(folder, 'gateways', 'b.yaml'));
  execFileSync('mkfifo', [join(folder, 'gateways', 'c.yaml')]);
  expect(mistakesOf(folder)).toEqual([
    'gateways/a.yaml: is a link. platen fleet push does not follow links',
    'gateways/b.yaml: cannot be read (not a file)',
    'gateways/c.yaml: cannot be read (not a file)',
    'sites/large.yaml: is larger than 1 MiB',
  ]);
});

it('refuses a folder that is a link, names that are none, and what was written in the wrong place', () => {
  const folder = folderWith({
    'base.yml': 'a: 1\n',
    'gateway/a.yaml': '',
    'gateways/a b.yaml': '',
    'gateways/-.yaml': '',
  });
  symlinkSync('/etc', join(folder, 'sites'));
  expect(mistakesOf(folder)).toEqual([
    'base.yml: does not belong here. Only base.yaml, sites and gateways do',
    'gateway: does not belong here. Only base.yaml, sites and gateways do',
    'gateways/-.yaml: must be NAME.yaml, with a name of 1 to 63 letters, digits and ._-',
    'gateways/a b.yaml: must be NAME.yaml, with a name of 1 to 63 letters, digits and ._-',
    'sites: is not a folder',
  ]);
});

it('lets neither names of files nor of gateways write on the terminal of whoever pushes', async () => {
  const folder = folderWith({ 'gateways/\u001b[2J.yaml': '', 'sites/a\nplaten: all is well.yaml': '' });
  expect(await commandHere(['fleet', 'push', folder, '--dry-run'])).toMatchObject({
    code: 78,
    error: [
      'platen: gateways/\\u001b[2J.yaml: must be NAME.yaml, with a name of 1 to 63 letters, digits and ._-',
      'platen: sites/a\\u000aplaten: all is well.yaml: must be NAME.yaml, with a name of 1 to 63 letters, digits and ._-',
    ].join('\n'),
  });
  const changes = [{ key: 'log.level', after: 'warn' }];
  expect(changesText([{ gateway: '\u001b[2J', site: 'main', from: null, changes }])).toBe(
    '1 gateway, from only its own file: \\u001b[2J\n  + log.level: warn',
  );
});

it('signs with no key that others can read, or that is another kind of key', async () => {
  const folder = folderWith({ note: 'no key' });
  const key = join(folder, 'signer');
  const made = await commandHere(['fleet', 'keygen', key]);
  expect(made.out).toMatch(/Fingerprint: SHA256:[A-Za-z0-9+/]{43}$/);
  expect(readSigningKey(key).asymmetricKeyType).toBe('ed25519');
  expect(() => readSigningKey(`${key}.pub`)).toThrow(/other users can read it\. Run: chmod 600/);
  const note = join(folder, 'private-note');
  writeFileSync(note, 'no key', { mode: 0o600 });
  expect(() => readSigningKey(note)).toThrow(/contains no private Ed25519 key/);
});

it.each([['10%'], ['100%,10%'], ['0%,100%'], ['10%,200%'], ['a lot']])(
  'takes no steps like %s',
  async (steps) => {
    const folder = folderWith({});
    const key = join(folder, 'signer');
    await commandHere(['fleet', 'keygen', key]);
    expect(await commandHere(['fleet', 'roll', '1', '--key', key, '--steps', steps])).toMatchObject({
      code: 64,
    });
  },
);
