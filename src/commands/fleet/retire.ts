/** `platen fleet retire`: a gateway that will not come back, and what becomes of all that it had in hand (F9). */
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
  const engine = { address: fleet.engine.url, key: fleet.key, clock: systemClock };
  const named = await retireMembers(gateway, engine, { signal: io.stop });
  const retired = named.filter(({ isRetired }) => isRetired);
  if (retired.length === 0) throw new CommandFailed(whyNot(gateway, named));
  await noteDeed({ stateDir }, io, { action: 'fleet retire', changed: retired.map(({ name }) => name) });
  for (const one of retired) for (const line of inWords(one)) io.out(line);
  return exitCode.ok;
}

function whyNot(gateway: string, named: readonly Retirement[]): string {
  if (named.length === 0) return `no member of the fleet is called ${gateway}. platen check names them`;
  return named.every(({ isSettled }) => isSettled)
    ? `${gateway} is there: it was heard of a moment ago. Stop it first, and wait a quarter of a minute`
    : 'the engine was started less than half a minute ago, and does not know yet who is there. Try again then';
}

function inWords({ name, site, inHand, lost, owed, wasAlone }: Retirement): readonly string[] {
  return [
    `${name}, of the site ${site}, is off the roll. Nobody waits for it any more.`,
    ...(inHand > 0 ? [`The other gateways settle ${counted(inHand, 'document')} that it had in hand.`] : []),
    ...(lost > 0 ? [`Of ${counted(lost, 'more document')} nobody can tell: people are asked.`] : []),
    ...(owed > 0 ? [`The other gateways post ${counted(owed, 'history record')} that it owed.`] : []),
    ...(wasAlone ? ['What it printed while the engine was away, nobody will be asked about.'] : []),
    'See to it that its machine does not start again with its old state directory.',
  ];
}
