/**
 * T31 in the small: an image of a ledger that is in use (database, write-ahead log, head anchor, row keys), one bit of it flipped
 * at a time, and what the next start makes of it. Shared by the unit test, which takes a sample, and the campaign.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Ledger } from '../../src/domain/ports/ledger.ts';
import { standingOf } from '../../src/domain/release.ts';
import { databaseName } from '../../src/store/database.ts';
import type { Database } from '../../src/store/database.ts';
import { anchorName } from '../../src/store/ledger/head-anchor.ts';
import { rowKeysName } from '../../src/store/sealed/row-keys.ts';
import type { Books } from '../support/store/books.ts';
import { openBooks } from '../support/store/books.ts';
import { attempt, intend, job, release } from '../support/store/release-samples.ts';

export const imageFiles = [databaseName, `${databaseName}-wal`, anchorName, rowKeysName] as const;

export interface LedgerImage extends Disposable {
  readonly files: ReadonlyMap<string, Buffer>;
  /** All that the books ever said since the last anchored step, as text; the last one is the image's own. */
  readonly states: readonly string[];
  readonly documents: readonly string[];
  /** A directory of its own for each look. */
  readonly directory: string;
}

/** All that is read of ledger and outbox. The row of `hold_time` is the only one, and is read whatever its id is. */
const contentOf = ({ prepare }: Pick<Database, 'prepare'>): string =>
  JSON.stringify(
    [
      ...['event', 'attempt', 'outbox', 'past'].map((name) => `SELECT * FROM ${name}`),
      'SELECT milliseconds, boot_id, since_boot, crc FROM hold_time',
    ].map((query) => prepare(query).all()),
    (_, value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value),
  );

/**
 * Some of it in the main file and some in the log, the last step one that is not anchored. At rest: all of it in the main
 * file, where no log's checksum stands before a row.
 */
export async function takeImage({ atRest = false } = {}): Promise<LedgerImage> {
  const directory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'platen-image-'));
  const source = join(directory, 'source');
  mkdirSync(source);
  // Small pages make a small file of as many kinds of places.
  using small = new DatabaseSync(join(source, databaseName));
  small.exec('PRAGMA page_size = 512; PRAGMA journal_mode = wal; CREATE TABLE t (x); DROP TABLE t');
  small.close();
  using books = openBooks({ directory: source });
  const { ledger, outbox, database } = books;
  const documents = [1, 2, 3, 4, 5].map((number) => `doc-${number}`);
  release(ledger, 'CONFIRMED', { release: 1 });
  release(ledger, 'UNKNOWN', { release: 2 });
  outbox.scrub();
  release(ledger, 'HANDED-OVER', { release: 3 });
  const id = intend(ledger, { release: 4 });
  ledger.jobCreated(id, job);
  await ledger.durable();
  const states = [contentOf(database)];
  const then = (step: () => void) => {
    step();
    states.push(contentOf(database));
  };
  then(() => ledger.sent(id));
  then(() => outbox.accepted(outbox.next([])?.id ?? 0));
  then(() => ledger.plan(attempt({ release: 5 })));
  if (atRest) outbox.scrub();
  const files = new Map(imageFiles.map((name) => [name, readFileSync(join(source, name))]));
  return {
    files,
    states,
    documents,
    directory,
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** The step was on disk when it returned, and the end of the log that held it is gone: a disk that lied about its flush. */
export async function takeImageWithout(step: (ledger: Ledger) => void): Promise<LedgerImage> {
  const directory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'platen-image-'));
  const source = join(directory, 'source');
  mkdirSync(source);
  using books = openBooks({ directory: source });
  const { ledger, database } = books;
  intend(ledger, { release: 4 });
  await ledger.durable();
  const planned = attempt({ release: 9 });
  ledger.plan(planned);
  const states = [contentOf(database)];
  const read = (name: string) => [name, readFileSync(join(source, name))] as const;
  const [main, log, ...beside] = imageFiles;
  const before = [main, log].map(read);
  step(ledger);
  await ledger.durable();
  return {
    files: new Map([...before, ...beside.map(read)]),
    states,
    documents: ['doc-4', 'doc-9'],
    directory,
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}

export type Verdict = 'same' | 'shorter' | 'quarantined';

/** What a start makes of these files; throws where it makes what it must not. `undefined`: the file is gone. */
export function startOn(
  image: LedgerImage,
  changed: Readonly<Record<string, Buffer | undefined>>,
): { verdict: Verdict; reason: string | undefined } {
  const directory = join(image.directory, 'start');
  mkdirSync(directory);
  try {
    for (const [name, bytes] of Object.entries({ ...Object.fromEntries(image.files), ...changed })) {
      if (bytes) writeFileSync(join(directory, name), bytes);
    }
    using books = openBooks({ directory });
    return { verdict: verdictOn(image, books, changed), reason: books.quarantine?.reason };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function verdictOn(
  { states, documents, files }: LedgerImage,
  { database, ledger, quarantine, register }: Books,
  changed: Readonly<Record<string, Buffer | undefined>>,
): Verdict {
  const content = contentOf(database);
  if (!quarantine) {
    if (content === states.at(-1)) return 'same';
    if (states.includes(content)) return 'shorter';
    throw new Error(`something was lost or changed without a word: ${content}`);
  }
  for (const uuid of [...documents, 'a document never seen']) {
    const standing = standingOf(ledger.lastRelease(uuid), 'keep');
    if (standing !== 'may-have-printed')
      throw new Error(`${uuid} is ${standing} while there is a quarantine`);
  }
  if (ledger.open().length > 0 || register.list(100).some(({ outcome }) => outcome === undefined)) {
    throw new Error('a release of the damaged books is still open');
  }
  for (const [name, bytes] of files) {
    const expected = name in changed ? changed[name] : bytes;
    const path = join(quarantine.path, name);
    const isKept = expected ? existsSync(path) && readFileSync(path).equals(expected) : true;
    if (!isKept) throw new Error(`${name} is not in quarantine as it was`);
  }
  return 'quarantined';
}

export interface FlipFigures {
  readonly flips: number;
  readonly verdicts: Readonly<Record<Verdict, number>>;
  /** What went against T31, with the place that can be flipped again. */
  readonly violations: readonly string[];
}

/** Flips bits one at a time: each place `next` gives, until it gives none; or all there are. */
export async function flipEveryBit(options: {
  /** So many, at random places, evenly over the files; absent: every bit of every byte. */
  readonly sample?: number;
  /** A number below its argument. */
  readonly pick: (below: number) => number;
}): Promise<FlipFigures> {
  using inUse = await takeImage();
  using atRest = await takeImage({ atRest: true });
  const images = [inUse, atRest];
  const sample = options.sample === undefined ? {} : { sample: options.sample / images.length };
  const verdicts: Record<Verdict, number> = { same: 0, shorter: 0, quarantined: 0 };
  const violations: string[] = [];
  let flips = 0;
  for (const image of images) {
    for (const [name, bit] of placesIn(image, { ...options, ...sample })) {
      const bytes = Buffer.from(image.files.get(name) ?? []);
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      flips += 1;
      try {
        verdicts[startOn(image, { [name]: bytes }).verdict] += 1;
      } catch (error) {
        const which = image === atRest ? 'at rest' : 'in use';
        violations.push(`${which}: ${name}, byte ${bit >> 3}, bit ${bit & 7}: ${String(error)}`);
      }
    }
  }
  return { flips, verdicts, violations };
}

function* placesIn(
  { files }: LedgerImage,
  { sample, pick }: { readonly sample?: number; readonly pick: (below: number) => number },
): Generator<[string, number]> {
  const written = [...files].filter(([, { length }]) => length > 0);
  for (const [name, { length }] of written) {
    const bits = length * 8;
    if (sample === undefined) for (let bit = 0; bit < bits; bit++) yield [name, bit];
    else for (let taken = 0; taken < sample / written.length; taken++) yield [name, pick(bits)];
  }
}
