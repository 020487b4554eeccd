/**
 * `npm run test:twenty -- FILE…`: these test files twenty times, each time in a process of its own and with nothing tried
 * once more, and how often each of them held. Before a new or changed test of a whole program lands, it has done so.
 * `--runs N`: so many times. `--changed`: the test files that are new or changed in the working tree and since
 * origin/main, or since `--since REF`. Ends with 1 when one did not hold.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

interface Report {
  readonly testResults: readonly {
    /** The path of the file. */
    readonly name: string;
    readonly status: 'passed' | 'failed';
    readonly message: string;
    readonly assertionResults: readonly { readonly failureMessages: readonly string[] | null }[];
  }[];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '20' },
    changed: { type: 'boolean', default: false },
    since: { type: 'string', default: 'origin/main' },
  },
});
const runs = Number(values.runs);
const files = [...new Set([...positionals, ...(values.changed ? changedTests(values.since) : [])])];
if (files.length === 0) throw new RangeError('which test files?');

const folder = mkdtempSync(join(tmpdir(), 'platen-twenty-'));
const failed = new Map<string, string[]>(files.map((file) => [file, []]));
try {
  for (let run = 1; run <= runs; run += 1) {
    for (const [file, why] of failuresOf(join(folder, `${run}.json`))) {
      failed.set(file, [...(failed.get(file) ?? []), `run ${run}: ${why}`]);
      process.stdout.write(`${file}: ${why}\n`);
    }
    const count = [...failed.values()].flat().length;
    process.stdout.write(`${run} of ${runs} runs, ${count} failures\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const [file, whys] of failed) {
  process.stdout.write(
    `${whys.length === 0 ? 'held  ' : 'failed'} ${runs - whys.length} of ${runs}  ${file}\n`,
  );
  for (const why of whys) process.stdout.write(`         ${why}\n`);
}
if ([...failed.values()].some((whys) => whys.length > 0)) process.exitCode = 1;

/** One run of all of them; each with the first line of what went wrong. */
function failuresOf(report: string): readonly (readonly [string, string])[] {
  const { status, stdout } = spawnSync(
    'vitest',
    [
      'run',
      '--config',
      'tools/vitest.config.ts',
      '--retry.count=0',
      '--passWithNoTests=false',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...files,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' },
  );
  const { testResults } = existsSync(report)
    ? (JSON.parse(readFileSync(report, 'utf8')) as Report)
    : { testResults: [] };
  if (testResults.length === 0) throw new Error(`vitest ended with ${status} and played nothing:\n${stdout}`);
  const played = new Map(testResults.map((one) => [relative(process.cwd(), one.name), one]));
  return files.flatMap((file) => {
    const result = played.get(relative(process.cwd(), file));
    if (result?.status === 'passed') return [];
    if (!result) return [[file, 'was not played: no project has it'] as const];
    const messages = [...result.assertionResults.flatMap((one) => one.failureMessages ?? []), result.message];
    return [[file, messages.find(Boolean)?.split('\n')[0] ?? 'failed'] as const];
  });
}

/** In the working tree, new ones among them, and in the commits that `since` does not have. */
function changedTests(since: string): readonly string[] {
  const git = (...words: readonly string[]) =>
    execFileSync('git', words, { encoding: 'utf8' }).split('\n').filter(Boolean);
  return [
    ...git('diff', '--name-only', '--diff-filter=d', `${since}...HEAD`),
    ...git('diff', '--name-only', '--diff-filter=d', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ].filter((file) => file.endsWith('.test.ts'));
}
