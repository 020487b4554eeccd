import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { databaseName, pragma } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrations.ts';
import { openQuietly } from './books.ts';
import { temporaryDirectory } from './temporary-directory.ts';

test('a database is brought to the present version once', () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, databaseName);
  const versions = [1, 2].map(() => {
    using database = openQuietly(path);
    const before = pragma(database, 'user_version');
    migrate(database);
    return [before, pragma(database, 'user_version')];
  });
  const latest = versions[0]?.[1];
  expect(latest).toBeGreaterThan(0);
  expect(versions).toEqual([
    [0, latest],
    [latest, latest],
  ]);
});

test('a database of a later version is refused and left as it is', () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, databaseName);
  {
    using database = openQuietly(path);
    migrate(database);
    database.exec('PRAGMA user_version = 99');
  }
  const before = readFileSync(path);
  {
    using database = openQuietly(path);
    expect(() => migrate(database)).toThrow(expect.objectContaining({ code: 'state-newer' }));
  }
  expect(readFileSync(path)).toEqual(before);
});
