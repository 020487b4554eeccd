/** Files of tests as a program of the campaign plays them: in a process of their own, and in more than the gate has of them. */
import { spawnSync } from 'node:child_process';
import { table } from '../../src/commands/terminal-text/table.ts';
import type { Result } from '../support/campaign-program.ts';

export function runTests(files: readonly string[], environment: Readonly<Record<string, string>>): Result {
  const { status, stdout } = spawnSync('vitest', ['run', '--config', 'tools/vitest.config.ts', ...files], {
    env: { ...process.env, NO_COLOR: '1', ...environment },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const failures = failuresIn(stdout);
  const violations = status === 0 || failures.length > 0 ? failures : [`vitest ended with ${status}`];
  return {
    table: table([
      ['tests', 'violations'],
      [/Tests .*?(\d+) passed/.exec(stdout)?.[1] ?? '0', String(violations.length)],
    ]),
    violations,
  };
}

/** Lines of vitest: ` FAIL  unit  a file of tests > a name`. */
export const failuresIn = (log: string): string[] =>
  [...new Set(log.match(/^\s*FAIL\s.*$/gm))].map((line) => line.trim());
