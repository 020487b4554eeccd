/** `platen fleet accept`: the engine is lost for good, and the fleet goes on with what is there now (F9). */
import { systemChance } from '../../core/chance.ts';
import { systemClock } from '../../core/clock.ts';
import type { Acceptance } from '../../fleet/acceptance.ts';
import { keptFleet } from '../../store/files/kept-fleet.ts';
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
      'this gateway has been in no fleet yet: it joins one, or begins it, when it starts',
    );
  }
  const { acceptFleet } = await import('../../fleet/acceptance.ts');
  const tools = { clock: systemClock, chance: systemChance };
  const engine = { address: fleet.engine.url, key: fleet.key, ...tools };
  const accepted = await acceptFleet(former, engine, { signal: io.stop });
  if (accepted.is !== 'ours') {
    await noteDeed({ stateDir }, io, { action: 'fleet accept', changed: [former.fleetId, accepted.fleet] });
  }
  for (const line of inWords(accepted)) io.out(line);
  return exitCode.ok;
}

function inWords({ place, fleet, is, awaited }: Acceptance): readonly string[] {
  if (is === 'ours')
    return [`The engine at ${place} is of the fleet of this gateway. Nothing is to be done.`];
  return [
    `The fleet ${fleet} at ${place} ${is === 'begun' ? 'is begun and follows' : 'follows'} the one before.`,
    'All gateways of the one before join it by themselves, and tell what they have printed.',
    ...(awaited.length > 0 ? [`Waited for: ${awaited.join(', ')}.`] : []),
    'Until all of them have told, people are asked before a document prints that nobody knows of.',
    'Retire those that will not come back: platen fleet retire GATEWAY.',
  ];
}
