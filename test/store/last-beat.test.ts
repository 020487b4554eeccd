/** The engine's last answer outlives the process, and a damaged file is none (F9). */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lastBeatIn } from '../../src/store/files/fleet-memory.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

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
