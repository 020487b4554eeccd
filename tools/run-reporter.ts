/**
 * What a test run says besides vitest's own lines: how slow it took the machine to be, how many cells of the fault
 * matrix were played, which tests were tried once more and why (also a line each in test-output/flaky.jsonl), and which
 * are in quarantine. More than three that needed another try make the run red.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { quarantined } from './quarantine.ts';

const folder = 'test-output';
const mostRetried = 3;

export default class RunReporter implements Reporter {
  onTestRunStart(): void {
    process.stdout.write(`Slowness of this machine: ${process.env['PLATEN_TEST_SLOWNESS'] ?? '1'}\n`);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const retried = tests.filter((test) => (test.diagnostic()?.retryCount ?? 0) > 0);
    tellRetried(retried);
    for (const { test, since, why } of quarantined) tell(`In quarantine since ${since}: ${test} (${why})`);
    tellMatrix(tests.filter(({ module }) => /faults\/matrix\//.test(module.relativeModuleId)));
    if (retried.length > mostRetried) {
      tell(`${retried.length} tests were tried once more, ${mostRetried} may be: the run counts as failed`);
      process.exitCode = 1;
    }
  }
}

const tell = (line: string): unknown => process.stdout.write(`${line}\n`);

function tellRetried(tests: readonly TestCase[]): void {
  if (tests.length === 0) return;
  mkdirSync(folder, { recursive: true });
  for (const test of tests) {
    const name = `${test.module.relativeModuleId} > ${test.fullName}`;
    const errors = (test.result().errors ?? []).map(({ message }) => message.split('\n')[0]);
    const [load = 0] = loadavg();
    const record = { time: new Date().toISOString(), test: name, errors, load: Number(load.toFixed(1)) };
    appendFileSync(`${folder}/flaky.jsonl`, `${JSON.stringify(record)}\n`);
    tell(`Tried once more: ${name}: ${errors.join('; ')}`);
  }
}

function tellMatrix(tests: readonly TestCase[]): void {
  const cells = tests.filter(({ name }) => /^[\w/ ]+\/.*\/(first|later|swap): /.test(name));
  const played = cells.filter((test) => test.result().state !== 'skipped');
  if (played.length === 0) return;
  const good = played.filter((test) => test.ok()).length;
  tell(`Fault matrix: ${played.length} cells, ${good} as expected`);
}
