/** `platen releases list|show`: reads the ledger, also beside a running agent. */
import { namesPart } from '../../config/part.ts';
import { isoInstant, systemClock } from '../../core/clock.ts';
import { printable } from '../../core/text/printable.ts';
import type { FoundRelease, ReleaseFilter, ReleaseRow } from '../../domain/ports/ledger.ts';
import { shortReleaseId } from '../../domain/release.ts';
import { openReleaseRegister } from '../../store/ledger/release-register.ts';
import { booksPlace, configPart, refuseLocked } from '../config-part.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { namedTerminal } from '../named-terminal.ts';
import { outageInWords, outageStory, whereInTheLog } from './outage-story.ts';
import { idIn, referenceIn } from '../../domain/terminal/screen-code.ts';
import { nextOf, pagesText, stateText, storyOf } from './story.ts';
import { tookText, timelineOf, timelineSummary } from './timeline.ts';
import { localTime } from '../terminal-text/local-time.ts';
import { screenWidth } from '../terminal-text/screen.ts';
import { table } from '../terminal-text/table.ts';
import { cutTo } from '../terminal-text/text-width.ts';

interface Options {
  readonly config: string;
  readonly json?: boolean;
}

interface ListOptions extends Options, Omit<ReleaseFilter, 'since'> {
  readonly limit: number;
  /** A moment, or a time before now. Gets the present time; returns milliseconds since 1970. */
  readonly since?: (now: number) => number;
}

export async function listReleases(options: ListOptions, io: Io): Promise<number> {
  const { config, json, limit, terminal, outcome, since } = options;
  const { stateDir, terminals } = configPart(config, io, namesPart);
  refuseLocked(stateDir);
  using register = openReleaseRegister({ stateDir });
  // A terminal that was removed from the configuration still has its releases.
  if (terminal !== undefined && register.list(1, { terminal }).length === 0) {
    namedTerminal(
      terminals.filter((one) => one !== undefined),
      terminal,
    );
  }
  const from = since && isoInstant(since(systemClock.now()));
  const rows = register.list(limit, { terminal, outcome, since: from });
  io.out(json ? JSON.stringify(rows, undefined, 2) : listInWords(rows, screenWidth(io.screen)));
  return exitCode.ok;
}

/** The columns that fit a screen, in local time. `show` and `--json` have the rest. */
const listInWords = (rows: readonly ReleaseRow[], width: number): string =>
  cutTo(width, table([listHeading, ...rows.map(listCells)])).join('\n');

const listHeading = ['RELEASE', 'STARTED', 'TOOK', 'OUTCOME', 'TERMINAL', 'PROBLEM'];

const listCells = (row: ReleaseRow): string[] => [
  shortReleaseId(row.releaseId),
  localTime(row.startedAt),
  row.tookMs === undefined ? '-' : tookText(row.tookMs),
  outcomeText(row),
  row.terminal,
  row.problem ?? '-',
];

/** The ledger keeps the outcome; a person's later answer is shown beside it. */
function outcomeText(row: ReleaseRow): string {
  const end = row.outcome ?? stateText(row).toLowerCase();
  if (row.settled === undefined) return end;
  return `${end} (${row.settled === 'printed' ? 'came out' : 'did not'})`;
}

export async function showRelease(
  { config: file, json, id }: Options & { id: string },
  io: Io,
): Promise<number> {
  const config = booksPlace(file, io);
  using register = openReleaseRegister(config);
  const found = idIn(id) === '' ? undefined : register.find(idIn(id));
  if (found) {
    io.out(json ? JSON.stringify(found, undefined, 2) : releaseInWords(found));
    return exitCode.ok;
  }
  const reference = referenceIn(id);
  const story = reference === undefined ? undefined : await outageStory(config, io, reference);
  if (story) {
    io.out(json ? JSON.stringify(story, undefined, 2) : outageInWords(story).join('\n'));
    return exitCode.ok;
  }
  const isAmbiguous = idIn(id) !== '' && register.isAmbiguous(idIn(id));
  io.error(`platen: ${isAmbiguous ? severalBeginWith(id) : notFound(id, reference)}`);
  return exitCode.failed;
}

const severalBeginWith = (id: string): string =>
  `the ids of several releases begin with ${printable(id)}. Type more characters; see platen releases list`;

const notFound = (id: string, reference: string | undefined): string =>
  `no release has an id that begins with ${printable(id)}` +
  (reference === undefined ? '' : ', and no outage has this reference') +
  '. See platen releases list and platen timeline. For releases older than a month, Platen may keep only the result' +
  (reference === undefined ? '' : `. ${whereInTheLog(reference)}`);

function releaseInWords(found: FoundRelease): string {
  const { row, events, trace } = found;
  return [
    table(facts(row)),
    '',
    table(storyOf(events)),
    ...(trace ? ['', table(timelineOf(trace)), timelineSummary(trace)] : []),
    '',
    ...nextOf(found),
  ].join('\n');
}

const facts = (row: ReleaseRow): string[][] => [
  ['RELEASE', shortReleaseId(row.releaseId)],
  ['TERMINAL', row.terminal],
  ['STARTED', localTime(row.startedAt)],
  ['TOOK', row.tookMs === undefined ? '-' : tookText(row.tookMs)],
  ['STATE', stateText(row)],
  ['OUTCOME', row.outcome ?? '-'],
  ['CONFIRMED BY', row.confirmation ?? '-'],
  ['PAGES', pagesText(row.pages)],
  ['PROBLEM', row.problem ?? '-'],
  ['DOCUMENT', row.documentUuid],
];
