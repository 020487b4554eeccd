/** `platen fleet accept`: the engine is lost for good, and the fleet continues with the present data (F9). */
import { systemChance } from '../../core/chance.ts';
import { systemClock } from '../../core/clock.ts';
import type { Acceptance } from '../../fleet/acceptance.ts';
import { keptFleet } from '../../store/files/fleet-memory.ts';
import { noteDeed } from '../deed.ts';
import { CommandFailed } from '../failure.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { memberConfig } from './engine.ts';

export async function acceptCommand({ config: file }: { readonly config: string }, io: Io): Promise<number> {
  const { fleet, stateDir } = memberConfig(file, io);
  const former = keptFleet(stateDir);
  if (!former) {
    throw new CommandFailed(
      'this gateway was never in a fleet. When it starts, it joins the fleet at the engine, or begins a new one',
    );
  }
  const { acceptFleet } = await import('../../fleet/acceptance.ts');
  const tools = { clock: systemClock, chance: systemChance };
  const { key, previousKey } = fleet;
  const engine = { address: fleet.engine.url, key, previousKey, ...tools };
  const accepted = await acceptFleet(former, engine, { signal: io.stop });
  if (accepted.is !== 'ours') {
    await noteDeed({ stateDir }, io, { action: 'fleet accept', changed: [former.fleetId, accepted.fleet] });
  }
  for (const line of inWords(accepted)) io.out(line);
  return exitCode.ok;
}

function inWords({ place, fleet, is, awaited }: Acceptance): readonly string[] {
  if (is === 'ours')
    return [`The engine at ${place} belongs to the fleet of this gateway. There is nothing to do.`];
  return [
    `The ${is === 'begun' ? 'new ' : ''}fleet ${fleet} at ${place} takes the place of the old fleet.`,
    'All gateways of the old fleet join it automatically, and report what they have printed.',
    ...(awaited.length > 0 ? [`The fleet waits for: ${awaited.join(', ')}.`] : []),
    'Until all of them have reported, Platen asks people before it prints a document that the fleet does not know.',
    'If a gateway will not come back, retire it: platen fleet retire GATEWAY.',
  ];
}
