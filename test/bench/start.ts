/** How soon `platen run` is ready for a badge when its token is stored already, what the time goes to, and `--version`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setStage } from '../support/agent/stage.ts';
import { platen as program, startAgentProcess } from '../support/agent/agent-process.ts';
import type { Measurement } from './figures.ts';
import { inMilliseconds, percentile, ratio, timesOf } from './figures.ts';
import type { Phases } from './start-phases.ts';
import { phasesOf } from './start-phases.ts';

const starts = 10;

export async function measureStart(): Promise<Measurement> {
  await using stage = await setStage();
  await enrol(stage.configFile);
  const platen: number[] = [];
  const phases: Phases[] = [];
  const bare: number[] = [];
  const version: number[] = [];
  for (let start = 0; start < starts; start += 1) {
    bare.push(await untilExit(process.execPath, ['-e', '0']));
    version.push(await untilExit(program, ['--version']));
    platen.push(await startOnce(stage.configFile));
    phases.push(await phasesOf(stage.configFile));
  }

  const row = (what: string, spans: readonly number[]) => [
    what,
    inMilliseconds(percentile(spans, 0.5)),
    inMilliseconds(percentile(spans, 1)),
    ratio(percentile(spans, 0.5), percentile(bare, 0.5)),
  ];
  return {
    title: 'Start of platen run to "terminal ready"',
    how: `With a stored token, ${starts} starts, from making the process to the line in its log. Beside it: node -e 0. Of it: other starts, turn about, with a look from inside that costs some of the time.`,
    rows: [
      ['', 'p50', 'max', 'to bare node'],
      row('node -e 0', bare),
      row('platen --version', version),
      row('platen run', platen),
      ...[...(phases[0]?.keys() ?? [])].map((phase) => row(`of it: ${phase}`, spansOf(phases, phase))),
    ],
    goals: [
      { what: 'start, p50', figure: percentile(platen, 0.5), limit: 240, unit: 'ms' },
      { what: 'to bare node', figure: percentile(platen, 0.5) / percentile(bare, 0.5), limit: 9, unit: '×' },
      { what: 'platen --version, p50', figure: percentile(version, 0.5), limit: 100, unit: 'ms' },
    ],
    samples: [timesOf('start, p50', platen), timesOf('platen --version, p50', version)],
  };
}

const spansOf = (phases: readonly Phases[], phase: string): readonly number[] =>
  phases.map((one) => one.get(phase) ?? 0);

async function enrol(configFile: string): Promise<void> {
  await using agent = startAgentProcess(configFile);
  await agent.told('terminal ready');
}

async function startOnce(configFile: string): Promise<number> {
  await using agent = startAgentProcess(configFile);
  return (await agent.told('terminal ready')) - agent.startedAt;
}

async function untilExit(file: string, args: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  await once(spawn(file, args, { stdio: 'ignore' }), 'exit');
  return performance.now() - startedAt;
}
