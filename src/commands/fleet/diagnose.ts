/** `platen fleet diagnose`: gets the support bundle of a gateway through the engine, sealed for the caller. */
import { hostname } from 'node:os';
import { systemChance } from '../../core/chance.ts';
import { systemClock } from '../../core/clock.ts';
import { minutes } from '../../core/duration.ts';
import { printable } from '../../core/text/printable.ts';
import type { SeenGateway } from '../../domain/ports/gateways.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import { CommandFailed } from '../failure.ts';
import { namedGateway } from '../named-gateway.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import type { NewFile } from '../new-file.ts';
import { spanText } from '../terminal-text/span-text.ts';
import { atEngine } from './engine.ts';

export interface DiagnoseOptions {
  readonly config: string;
  readonly gateway: string;
  readonly output: NewFile;
}

/** The bundle contains `platen check`, which takes 20 s if nothing answers. */
const patience = minutes(2);

export async function diagnoseCommand(options: DiagnoseOptions, io: Io): Promise<number> {
  const { config, gateway } = options;
  using output = options.output;
  if (!output.isNew) throw new CommandFailed(`${output.path} exists already; --force overwrites it`);
  using engine = await atEngine(config, io);
  const { visit } = engine;
  const { key, previousKey } = engine.config;
  const { gatewaysBy } = await import('../../fleet/members/digests.ts');
  const { askForBundle } = await import('../../fleet/diagnosis/bundle-question.ts');
  const { name, member } = gatewayAmong(await gatewaysBy(visit), gateway);
  try {
    const bundle = await askForBundle({
      visit,
      key,
      previousKey,
      member,
      by: io.caller,
      from: hostname(),
      within: patience,
      clock: systemClock,
      chance: systemChance,
      signal: io.stop,
    });
    output.write(bundle);
  } catch (cause) {
    if (isProblem(cause)) throw cause;
    const why = cause instanceof Error ? cause.message : 'stopped';
    throw new CommandFailed(`${printable(name)}: ${why}`, { cause });
  }
  io.out(
    `${output.path}: only you can read it until you pass it on. To see all of it: tar -xOzf ${output.path}`,
  );
  return exitCode.ok;
}

function gatewayAmong(seen: readonly SeenGateway[], wanted: string) {
  const all = seen.map((one) => ({ ...one, name: one.digest.name, id: one.digest.member }));
  const others = 'To see all: platen fleet status --all.';
  const { digest, isBeating, lastBeatSeconds } = namedGateway(all, wanted, { others });
  if (isBeating) return digest;
  throw new CommandFailed(
    `${printable(digest.name)} has been away for ${spanText(lastBeatSeconds * 1000)} and does not answer. Run platen support-bundle on that machine.`,
  );
}
