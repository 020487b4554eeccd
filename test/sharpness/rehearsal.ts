/**
 * Runs tests of the program `unit` with a fault in the source that they import, one run after the other in one Vitest:
 * what was compiled once stays compiled, and only the file with the fault is compiled anew.
 */
import { fileURLToPath } from 'node:url';
import type { TestModule } from 'vitest/node';
import { createVitest } from 'vitest/node';
import { patience } from '../support/patience.ts';
import type { Fault, NamedTest } from './fault.ts';
import { sourcePath, testPath, withFault } from './fault.ts';

export interface Played extends NamedTest {
  /** `broken`: it failed, and by no assertion. */
  readonly how: 'passed' | 'failed' | 'broken' | 'missing';
  readonly errors: readonly string[];
}

export interface Rehearsal extends AsyncDisposable {
  /** How these tests end, with the fault planted or with none. */
  play(tests: readonly NamedTest[], fault?: Fault): Promise<readonly Played[]>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

export async function openRehearsal(): Promise<Rehearsal> {
  let planted: Fault | undefined;
  const vitest = await createVitest(
    {
      config: false,
      root,
      watch: false,
      include: ['test/**/*.test.ts'],
      reporters: [{}],
      // As in `unit` the files of a run share a worker, and their modules.
      pool: 'forks',
      isolate: false,
      maxWorkers: 1,
      // It knows nothing of faults, and would keep them.
      fsModuleCache: false,
      testTimeout: 5 * patience(),
      hookTimeout: 5 * patience(),
      expect: { poll: { timeout: patience() } },
    },
    {
      plugins: [
        {
          name: 'planting',
          enforce: 'pre',
          load: (id) => (planted && id === sourcePath(planted) ? withFault(planted) : undefined),
        },
      ],
    },
  );

  async function run(tests: readonly NamedTest[]): Promise<readonly Played[]> {
    const named = Map.groupBy(tests, testPath);
    const project = vitest.getRootProject();
    const wanted = [...named].map(([path, those]) =>
      project.createSpecification(path, { testNames: those.map(({ test }) => test) }),
    );
    const { exitCode } = process;
    const { testModules } = await vitest.runTestSpecifications(wanted);
    // That tests fail here is no failure of ours.
    process.exitCode = exitCode;
    return tests.map((one) => playedIn(testModules, one));
  }

  return {
    async play(tests, fault) {
      planted = fault;
      if (fault) vitest.invalidateFile(sourcePath(fault));
      try {
        return await run(tests);
      } finally {
        planted = undefined;
        if (fault) vitest.invalidateFile(sourcePath(fault));
      }
    },
    [Symbol.asyncDispose]: () => vitest.close(),
  };
}

function playedIn(modules: readonly TestModule[], { file, test }: NamedTest): Played {
  const module = modules.find(({ moduleId }) => moduleId === testPath({ file }));
  const found = [...(module?.children.allTests() ?? [])].find(({ fullName }) => fullName === test);
  const { state, errors = [] } = found?.result() ?? {};
  const words = [...(module?.errors() ?? []), ...errors].map(({ name, message }) => `${name}: ${message}`);
  const isAsserted = errors.some(({ name }) => name === 'AssertionError');
  const how = state === 'passed' ? state : state === 'failed' ? (isAsserted ? state : 'broken') : 'missing';
  return { file, test, how, errors: words };
}
