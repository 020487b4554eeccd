import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { whyAlone } from './parent-tree.ts';

it('there is nothing to compare with where git knows no commit before', () => {
  using room = temporaryDirectory();
  expect(whyAlone(room.path)).toBe('there is no commit before this one here');
  repository(room.path);
  expect(whyAlone(room.path)).toBe('there is no commit before this one here');
});

it('nothing is compared where only tests have changed', () => {
  using room = temporaryDirectory();
  const git = repository(room.path);
  git('commit', '--allow-empty', '--quiet', '-m', 'two');
  expect(whyAlone(room.path)).toContain('nothing that is measured has changed');
});

it('what is not committed yet is compared too', () => {
  using room = temporaryDirectory();
  const git = repository(room.path);
  git('commit', '--allow-empty', '--quiet', '-m', 'two');
  writeFileSync(join(room.path, 'src', 'main.ts'), 'slower');
  expect(whyAlone(room.path)).toBeUndefined();
});

function repository(path: string) {
  const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.org'];
  const git = (...args: string[]) => execFileSync('git', [...who, ...args], { cwd: path });
  git('init', '--quiet');
  mkdirSync(join(path, 'src'));
  for (const name of ['src/main.ts', 'tools', 'package.json', 'package-lock.json']) {
    writeFileSync(join(path, name), 'one');
  }
  git('add', '.');
  git('commit', '--quiet', '-m', 'one');
  return git;
}
