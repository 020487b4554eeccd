/**
 * What a gateway keeps of its fleet: its id, the last beat, and the word that it is alone, which holds for this state
 * directory and this engine, and for no copy (F12).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { aloneWordIn, lastBeatIn, memberIdIn } from '../../src/store/files/fleet-memory.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const engine = 'db.example:5432/platen';

describe('the word of a member that is alone', () => {
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
});

describe('the id of a member', () => {
  it('a gateway is the same member of its fleet after each start', () => {
    using directory = temporaryDirectory();
    const first = memberIdIn(directory.path, systemChance);
    expect(first).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(memberIdIn(directory.path, systemChance)).toBe(first);
  });

  it.each(['', '{}', '{"memberId":"me"}', 'no JSON'])(
    'a file that holds %j is refused, and left as it is',
    async (content) => {
      using directory = temporaryDirectory();
      const path = join(directory.path, 'member.json');
      await writeFile(path, content);
      expect(() => memberIdIn(directory.path, systemChance)).toThrow(
        expect.objectContaining({
          code: 'state-unusable',
          message: expect.stringContaining('is damaged. Remove it'),
        }),
      );
      expect(await readFile(path, 'utf8')).toBe(content);
    },
  );
});

/** The engine's last answer outlives the process, and a damaged file is none (F9). */
describe('the last beat', () => {
  it('is what was written last, however long it was before', () => {
    using directory = temporaryDirectory();
    const kept = lastBeatIn(directory.path);
    expect(kept.read()).toBeUndefined();
    kept.write('2026-11-26 01:10:00.123456+00');
    kept.write('2026-11-26 01:10:10+00');
    expect(lastBeatIn(directory.path).read()).toBe('2026-11-26 01:10:10+00');
    expect(readFileSync(join(directory.path, 'last-beat'), 'utf8')).toBe('2026-11-26 01:10:10+00\n');
  });

  it.each(['', '2026-11-26 01:10', "2026-11-26 01:10:00+00'; DROP\n"])('of %j is none', (content) => {
    using directory = temporaryDirectory();
    writeFileSync(join(directory.path, 'last-beat'), content);
    expect(lastBeatIn(directory.path).read()).toBeUndefined();
  });
});
