import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { memberIdIn } from '../../src/store/files/fleet-memory.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

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
