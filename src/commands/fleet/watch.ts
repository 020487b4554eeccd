/** Follows a roll-out line by line until it has finished or halted. The roll-out does not depend on this command. */
import { parsedOrder } from '../../config/pushed/order.ts';
import { sampleSize } from '../../config/pushed/steps.ts';
import { systemClock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import { printableWhole } from '../../core/text/printable.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import type { Rollout, RolloutGateway } from '../../fleet/configuration/rollout-table.ts';
import { CommandFailed } from '../failure.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { atOffice } from './office.ts';

interface WatchOptions {
  readonly config: string;
  readonly number: number;
  readonly json?: boolean | undefined;
}

const interval = seconds(2);

/** The exit code. 0: finished; 1: halted. */
export async function watchRollout({ config, number, json = false }: WatchOptions, io: Io): Promise<number> {
  let lastLine = '';
  while (!io.stop.aborted) {
    const seen = await look({ config, number }, io);
    const line = lineOf(seen, json);
    if (line !== lastLine) io.out(printableWhole(line));
    lastLine = line;
    if (seen && seen.rollout.state === 'finished') return exitCode.ok;
    if (seen && seen.rollout.state === 'halted') return exitCode.failed;
    await systemClock.sleep(interval, { signal: io.stop }).catch(() => {});
  }
  return exitCode.ok;
}

interface Seen {
  readonly rollout: Rollout;
  readonly sample: readonly RolloutGateway[];
}

/** `undefined` while the engine is away. */
async function look({ config, number }: WatchOptions, io: Io): Promise<Seen | undefined> {
  try {
    return await atOffice(config, io, async ({ orders, rollouts }) => {
      const rollout = await orders.newest(io.stop);
      if (rollout?.number !== number)
        throw new CommandFailed(`Another order has replaced roll-out ${number}`);
      const first = sampleSize(rollout.total, percentOf(rollout));
      return { rollout, sample: await rollouts.gateways(number, first, io.stop) };
    });
  } catch (error) {
    if (isProblem(error, 'fleet-engine-away')) return undefined;
    throw error;
  }
}

const percentOf = ({ order, step }: Rollout): number => parsedOrder(order.body).steps[step] ?? 100;

function lineOf(seen: Seen | undefined, json: boolean): string {
  if (!seen) return json ? JSON.stringify({ engine: 'away' }) : 'The engine does not answer. Trying again.';
  const { rollout, sample } = seen;
  const { number, state, total, gateway, why, soakingFor } = rollout;
  const { version } = parsedOrder(rollout.order.body);
  const percent = percentOf(rollout);
  const taken = sample.filter(
    ({ told: lastLine }) => lastLine !== null && (lastLine.version ?? 0) === version,
  ).length;
  if (json) {
    return JSON.stringify({
      rollout: number,
      version,
      state,
      percent,
      taken,
      of: sample.length,
      total,
      gateway,
      why,
    });
  }
  if (state === 'halted') return `Halted at ${percent} %: ${gateway} ${why}`;
  if (state === 'finished') return `Finished: all ${total} gateways use version ${version}.`;
  const soaks = soakingFor === null ? '' : ', all well';
  return `${state === 'paused' ? 'Paused at ' : ''}${percent} %: ${taken} of ${sample.length} gateways run on version ${version}${soaks}`;
}
