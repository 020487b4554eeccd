/**
 * Says at the end of a test run how many cells of the fault matrix were played, and how long that took; and which tests
 * held only when they were tried again.
 */
import type { Reporter, TestModule } from 'vitest/node';

export default class RunReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    for (const test of modules.flatMap((module) => [...module.children.allTests()])) {
      if (test.diagnostic()?.flaky) {
        process.stdout.write(
          `Held when it was tried again: ${test.module.relativeModuleId} > ${test.fullName}\n`,
        );
      }
    }
    tellMatrix(modules);
  }
}

function tellMatrix(modules: readonly TestModule[]): void {
  const tests = modules
    .filter(({ project }) => project.name === 'matrix')
    .flatMap((module) => [...module.children.allTests()])
    .filter(({ name }) => /^[\w/ ]+\/.*\/(first|later|swap): /.test(name));
  const played = tests.filter((test) => test.result().state !== 'skipped');
  if (played.length === 0) return;
  const good = played.filter((test) => test.ok()).length;
  const times = played.flatMap((test) => test.diagnostic() ?? []);
  const began = Math.min(...times.map(({ startTime }) => startTime));
  const ended = Math.max(...times.map(({ startTime, duration }) => startTime + duration));
  const spent = (ended - began) / 1000;
  process.stdout.write(`Fault matrix: ${played.length} cells, ${good} as expected, ${spent.toFixed(0)} s\n`);
}
