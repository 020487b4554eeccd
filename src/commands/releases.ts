/** `platen releases list|show`: reads the ledger, also beside a running daemon. */
import { loadConfig } from '../config/load.ts';
import type { ReleaseRow } from '../domain/ports/ledger.ts';
import { openReleaseRegister } from '../store/release-register.ts';
import type { Io } from './io.ts';
import { exitCode } from './io.ts';
import { nextOf, pagesText, stateText, storyOf } from './release-story.ts';
import { table } from './table.ts';

interface Options {
  readonly config: string;
  readonly json?: boolean;
}

export async function listReleases(
  { config, json, limit }: Options & { limit: number },
  io: Io,
): Promise<number> {
  using register = openReleaseRegister(loadConfig(config, io.env));
  const rows = register.list(limit);
  io.out(json ? JSON.stringify(rows, undefined, 2) : table([heading, ...rows.map(cells)]));
  return exitCode.ok;
}

export async function showRelease({ config, json, id }: Options & { id: string }, io: Io): Promise<number> {
  using register = openReleaseRegister(loadConfig(config, io.env));
  const found = register.find(id);
  if (!found) {
    io.error(
      `platen: no release, or more than one, has an id that begins with ${id}; see platen releases list. ` +
        'Releases of more than a month ago may be compacted to the fact that they printed',
    );
    return exitCode.failed;
  }
  if (json) io.out(JSON.stringify(found, undefined, 2));
  else {
    io.out(table([heading, cells(found.row)]));
    io.out('');
    io.out(table(storyOf(found.events)));
    io.out('');
    for (const sentence of nextOf(found)) io.out(sentence);
  }
  return exitCode.ok;
}

const heading = [
  ...['RELEASE', 'TERMINAL', 'STARTED', 'STATE', 'OUTCOME', 'CONFIRMED BY', 'PAGES', 'PROBLEM', 'DOCUMENT'],
];

const cells = (row: ReleaseRow): string[] => [
  row.releaseId.slice(0, 8),
  row.terminal,
  row.startedAt,
  stateText(row),
  row.outcome ?? '-',
  row.confirmation ?? '-',
  pagesText(row.pages),
  row.problem ?? '-',
  row.documentUuid,
];
