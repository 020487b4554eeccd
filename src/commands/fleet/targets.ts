/** `platen fleet targets`: the addresses for the metrics of the gateways, for the service discovery of Prometheus. */
import { counted } from '../../core/text/counted.ts';
import { printable } from '../../core/text/printable.ts';
import { targetsOf } from '../../operations/pages.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { atEngine } from './engine.ts';

/** Gateways that cannot be reached: this many are named, the others are counted. */
const mostNamed = 10;

export async function fleetTargetsCommand({ config }: { readonly config: string }, io: Io): Promise<number> {
  using engine = await atEngine(config, io);
  const { gatewaysBy } = await import('../../fleet/members/digests.ts');
  const seen = await gatewaysBy(engine.visit);
  io.out(JSON.stringify(targetsOf(seen), undefined, 2));
  const names = seen.flatMap(({ digest: { operations, name } }) => (operations === null ? [name] : []));
  if (names.length > 0) {
    const more = names.length > mostNamed ? ', …' : '';
    io.error(
      `platen: left out ${counted(names.length, 'gateway')} whose operations listener no other machine reaches: ${printable(names.slice(0, mostNamed).join(', '))}${more}. Set operations.listen there`,
    );
  }
  return exitCode.ok;
}
