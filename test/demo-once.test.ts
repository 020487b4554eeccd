/** The whole agent as a program of its own, from its start to its end: one person's documents, let out once. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const program = fileURLToPath(new URL('../tools/platen.js', import.meta.url));

it('demo --once prints what waits for one person, once and unchanged, and ends well', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'demo', '--once']);
  expect(stdout).toContain(
    'Every document came out once and unchanged, is recorded, and is deleted in the service.',
  );
});
