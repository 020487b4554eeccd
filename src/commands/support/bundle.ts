/**
 * A support bundle before it is an archive. A piece that cannot be had (no agent runs, no systemd, a damaged ledger) is
 * left out with the reason, and spoils none of the others.
 */
import { printable } from '../../core/log.ts';
import { tellMistakes } from '../config-part.ts';
import type { Io } from '../io.ts';
import { knownConfig } from './config.ts';
import { ownAddresses } from './machine.ts';
import { piecesFrom } from './pieces.ts';
import { runProgramOf } from './program.ts';
import { readmeText } from './readme.ts';
import { createScrub } from './scrub.ts';
import type { TarFile } from './tar.ts';

export interface BundleOptions {
  readonly config: string;
  /** A file to take the log from, where it goes neither to the journal nor to a running agent. */
  readonly log?: string;
  /** Of the unit, as journalctl(1) prints it. */
  readonly journal: Promise<string | undefined>;
}

export interface TakenPiece extends TarFile {
  readonly what: string;
}

export interface LeftOutPiece {
  readonly name: string;
  readonly reason: string;
}

export interface Bundle {
  /** The one that tells of the others comes first. */
  readonly taken: readonly TakenPiece[];
  readonly leftOut: readonly LeftOutPiece[];
}

export async function makeBundle(options: BundleOptions, io: Io): Promise<Bundle> {
  const { config: file, log: logFile, journal } = options;
  const known = knownConfig(file, io.env);
  tellMistakes(known.mistakes, io);
  const scrub = createScrub({ secrets: known.secrets, addresses: ownAddresses() });
  const pieces = piecesFrom({ ...{ file, known, logFile, journal, io }, run: runProgramOf(io.env['PATH']) });
  const had = await Promise.all(
    pieces.map(async ({ name, what, text }): Promise<TakenPiece | LeftOutPiece> => {
      try {
        return { name, what, text: scrub(await text()) };
      } catch (error) {
        return { name, reason: scrub(printable(error instanceof Error ? error.message : String(error))) };
      }
    }),
  );
  const bundle = {
    taken: had.filter((piece) => 'text' in piece),
    leftOut: had.filter((piece) => 'reason' in piece),
  };
  const readme = { name: 'README.txt', what: 'what is in here, and what is not', text: readmeText(bundle) };
  return { ...bundle, taken: [readme, ...bundle.taken] };
}
