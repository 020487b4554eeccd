/** The word of a member that it is alone in its fleet holds for this state directory and this engine, and no copy (F12). */
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aloneWordIn } from '../../src/store/files/fleet-memory.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const engine = 'db.example:5432/platen';

it('is there again after a start, and may be given up', () => {
  using directory = temporaryDirectory();
  expect(aloneWordIn(directory.path, engine).read()).toBeUndefined();
  aloneWordIn(directory.path, engine).write('alone');
  expect(aloneWordIn(directory.path, engine).read()).toBe('alone');
  aloneWordIn(directory.path, engine).write('over');
  expect(aloneWordIn(directory.path, engine).read()).toBe('over');
});

it('is none at another engine, but that it is over holds at any', () => {
  using directory = temporaryDirectory();
  const word = aloneWordIn(directory.path, engine);
  const another = aloneWordIn(directory.path, 'new.example:5432/platen');
  word.write('alone');
  expect(another.read()).toBeUndefined();
  word.write('over');
  expect(another.read()).toBe('over');
});

it('is none in a copy, as one unpacked from an archive, whatever times it keeps', async () => {
  using directory = temporaryDirectory();
  using copy = temporaryDirectory();
  aloneWordIn(directory.path, engine).write('alone');
  await cp(directory.path, copy.path, { recursive: true, preserveTimestamps: true });
  expect(aloneWordIn(copy.path, engine).read()).toBeUndefined();
});

it.each(['', 'no JSON', '{"word":"alone"}'])('is none where the file holds %j', async (content) => {
  using directory = temporaryDirectory();
  await writeFile(join(directory.path, 'alone.json'), content);
  expect(aloneWordIn(directory.path, engine).read()).toBeUndefined();
});
