/** `platen fleet retire`: for a gateway that will not come back. The fleet settles all its documents (F9). */
import { systemClock } from '../../core/clock.ts';
import { counted } from '../../core/text/counted.ts';
import type { Retirement } from '../../fleet/members/retirement.ts';
import { noteDeed } from '../deed.ts';
import { CommandFailed } from '../failure.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { memberConfig } from './engine.ts';

export async function retireCommand(
  { config: file, gateway }: { readonly config: string; readonly gateway: string },
  io: Io,
): Promise<number> {
  const { fleet, stateDir } = memberConfig(file, io);
  const { retireMembers } = await import('../../fleet/members/retirement.ts');
  const { key, previousKey } = fleet;
  const engine = { address: fleet.engine.url, key, previousKey, clock: systemClock };
  const named = await retireMembers(gateway, engine, { signal: io.stop });
  const retired = named.filter(({ isRetired }) => isRetired);
  if (retired.length === 0) throw new CommandFailed(whyNot(gateway, named));
  await noteDeed({ stateDir }, io, { action: 'fleet retire', changed: retired.map(({ name }) => name) });
  for (const one of retired) for (const line of inWords(one)) io.out(line);
  return exitCode.ok;
}

function whyNot(gateway: string, named: readonly Retirement[]): string {
  if (named.length === 0)
    return `no gateway of the fleet has the name ${gateway}. platen check shows the names`;
  return named.every(({ isSettled }) => isSettled)
    ? `${gateway} is still running: the engine heard from it a moment ago. Stop it first, and wait 15 seconds`
    : 'no gateway has been connected to the engine for 30 seconds, so the engine does not know yet which gateways are running. Start the agent of a gateway that stays, and try again in 30 seconds';
}

function inWords({ name, site, inHand, lost, owed, wasAlone }: Retirement): readonly string[] {
  return [
    `${name}, at the site ${site}, is no longer in the fleet. The other gateways do not wait for it.`,
    ...(inHand > 0
      ? [`The other gateways settle ${counted(inHand, 'document')} that it had not finished.`]
      : []),
    ...(lost > 0
      ? [`Nobody knows whether ${counted(lost, 'more document')} came out. Platen asks the people.`]
      : []),
    ...(owed > 0
      ? [`The other gateways post ${counted(owed, 'history record')} that it had not posted.`]
      : []),
    ...(wasAlone
      ? ['Platen does not ask people about documents that it printed while the engine was away.']
      : []),
    'Do not start its machine again with its old state directory.',
  ];
}
