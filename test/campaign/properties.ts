/** Every test of a property (fast-check) with examples that nobody has seen: the gate has the same ones each time. */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { table } from '../../src/commands/terminal-text/table.ts';
import type { Program } from '../support/campaign-program.ts';
import { failuresIn } from './gate.ts';

const files = globSync('test/**/*.test.ts')
  .filter((file) => !/^test\/(peers|browser|proof)\//.test(file))
  .filter((file) => readFileSync(file, 'utf8').includes("from 'fast-check'"));

export const properties: Program = {
  name: 'properties',
  what: `the properties of ${files.length} files of tests`,
  runs: 200,
  part: 1,
  run({ seed }) {
    const config = ['--config', 'tools/vitest.config.ts', '--project', 'unit', '--project', 'agent'];
    const env = { ...process.env, NO_COLOR: '1', PLATEN_SEED: String(seed) };
    const { status, stdout } = spawnSync('vitest', ['run', ...config, ...files], { env, encoding: 'utf8' });
    const failures = failuresIn(stdout);
    const violations = status === 0 || failures.length > 0 ? failures : [`vitest ended with ${status}`];
    return Promise.resolve({
      table: table([
        ['files', 'violations'],
        [String(files.length), String(violations.length)],
      ]),
      violations,
    });
  },
};
