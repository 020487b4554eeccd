/** The keys of rows: never twice the same, whole after a torn write, and gone when they are to be gone (I2, I4, I5). */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, test } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { seconds } from '../../src/core/duration.ts';
import type { RowKeys } from '../../src/store/sealed/row-keys.ts';
import { openRowKeys, readRowKeys, rowKeysName } from '../../src/store/sealed/row-keys.ts';
import type { Books } from '../support/store/books.ts';
import { openBooks } from '../support/store/books.ts';
import { attempt, intend, release, releaseId } from '../support/store/release-samples.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

function openKeys() {
  using opened = new DisposableStack();
  const path = join(opened.use(temporaryDirectory()).path, rowKeysName);
  const keys = opened.use(openRowKeys({ path, chance: systemChance }));
  keys.settle(new Map());
  const held = opened.move();
  return Object.assign(keys, { path, [Symbol.dispose]: () => held.dispose() });
}

const sealedIn = (keys: RowKeys, slot: number) => keys.sealing(slot).seal('a purpose', 'a text');
const opens = (path: string, slot: number, sealed: Buffer): readonly boolean[] =>
  readRowKeys(path)
    .unsealings(slot)
    .map((unsealing) => unsealing.unseal('a purpose', sealed).kind === 'text');

const turn = () => new Promise<false>((resolve) => setImmediate(resolve, false));

it('gives every release a slot of its own, and more where there are no more, without losing one', () => {
  using keys = openKeys();
  const rows = Array.from({ length: 1000 }, () =>
    keys.spend((slot) => ({ slot, sealed: sealedIn(keys, slot) })),
  );
  expect(new Set(rows.map(({ slot }) => slot)).size).toBe(rows.length);
  for (const { slot, sealed } of rows) expect(opens(keys.path, slot, sealed)).toEqual([true, true]);
});

it('destroys a key in its place: the file is the same one, and as long', async () => {
  using keys = openKeys();
  const [first, second] = [1, 2].map(() => keys.spend((slot) => ({ slot, sealed: sealedIn(keys, slot) })));
  if (!first || !second) throw new Error('no slots');
  const before = statSync(keys.path);
  await keys.destroy(first.slot);
  const { ino, size } = statSync(keys.path);
  expect({ ino, size }).toEqual({ ino: before.ino, size: before.size });
  expect(opens(keys.path, first.slot, first.sealed)).toEqual([false, false]);
  expect(opens(keys.path, second.slot, second.sealed)).toEqual([true, true]);
});

it('destroys several at once, and gives their slots again', async () => {
  using keys = openKeys();
  const rows = Array.from({ length: 300 }, () =>
    keys.spend((slot) => ({ slot, sealed: sealedIn(keys, slot) })),
  );
  const [kept, ...gone] = rows;
  await keys.destroy(...gone.map(({ slot }) => slot));
  for (const { slot, sealed } of gone) expect(opens(keys.path, slot, sealed)).toEqual([false, false]);
  expect(kept && opens(keys.path, kept.slot, kept.sealed)).toEqual([true, true]);
  const { size } = statSync(keys.path);
  for (const _ of gone) keys.spend(() => undefined);
  expect(statSync(keys.path).size).toBe(size);
});

it('destroys one after the other where it is asked to by two: a torn write never meets both copies of a block', async () => {
  using keys = openKeys();
  const rows = Array.from({ length: 3 }, () =>
    keys.spend((slot) => ({ slot, sealed: sealedIn(keys, slot) })),
  );
  const [first, second, kept] = rows;
  if (!first || !second || !kept) throw new Error('no slots');
  const before = readFileSync(keys.path);
  const left = () => [first, second].flatMap(({ slot, sealed }) => opens(keys.path, slot, sealed)).join();
  const seen = new Set<string>();
  const earlier = keys.destroy(first.slot);
  await Promise.race([earlier, turn()]);
  const done = Promise.all([earlier, keys.destroy(second.slot)]).then(() => true);
  do seen.add(left());
  while (!(await Promise.race([done, turn()])));
  expect(left()).toBe('false,false,false,false');
  // Never a copy of the second before both of the first.
  const inTurn = [
    'true,true,true,true',
    'false,true,true,true',
    'false,false,true,true',
    'false,false,false,true',
  ];
  expect([...seen].filter((one) => !inTurn.includes(one) && one !== left())).toEqual([]);
  expect(opens(keys.path, kept.slot, kept.sealed)).toEqual([true, true]);
  expect(readFileSync(keys.path).length).toBe(before.length);
});

it('destroys together what a hundred want destroyed: they wait for two syncs, not for two each', async () => {
  using keys = openKeys();
  const slots = Array.from({ length: 100 }, () => keys.spend((slot) => slot));
  const seen = new Set<string>();
  const done = Promise.all(slots.map((slot) => keys.destroy(slot))).then(() => true);
  do seen.add(readFileSync(keys.path, 'base64'));
  while (!(await Promise.race([done, turn()])));
  seen.add(readFileSync(keys.path, 'base64'));
  expect(seen.size).toBeLessThanOrEqual(3);
});

it('is not written to once it is closed, where another file may have its number', async () => {
  const keys = openKeys();
  const slot = keys.spend((one) => one);
  keys[Symbol.dispose]();
  await expect(keys.destroy(slot)).rejects.toMatchObject({ code: 'store-failed' });
});

test('I5: the key of a record that was accepted is gone when its row is for good', async () => {
  using books = openBooks();
  release(books.ledger, 'CONFIRMED');
  const path = keysOf(books);
  const row = books.outbox.next([]);
  const before = readFileSync(path);
  books.outbox.accepted(row?.id ?? 0);
  expect(readFileSync(path).equals(before)).toBe(true);
  await books.outbox.forgetGone();
  expect(readFileSync(path).equals(before)).toBe(false);
});

it('keeps a slot for the next where the work throws', () => {
  using keys = openKeys();
  const size = () => statSync(keys.path).size;
  const before = size();
  for (let time = 0; time < 500; time += 1) {
    expect(() =>
      keys.spend(() => {
        throw new Error('refused');
      }),
    ).toThrow('refused');
  }
  expect(size()).toBe(before);
});

const keysOf = ({ directory }: Pick<Books, 'directory'>) => join(directory, rowKeysName);

/** Every octet of one of the two copies is garbage, as a write that a power cut tore leaves it at worst. */
function tear(path: string, copy: 0 | 1): void {
  const bytes = readFileSync(path);
  for (let at = copy * 4096; at < bytes.length; at += 8192) bytes.fill(0x5a, at, at + 4096);
  writeFileSync(path, bytes);
}

test.each([0, 1] as const)('I2: a torn copy %s loses no row, and is whole after the next start', (copy) => {
  using directory = temporaryDirectory();
  {
    using books = openBooks({ directory: directory.path });
    for (const number of [1, 2, 3]) release(books.ledger, 'CONFIRMED', { release: number });
    intend(books.ledger, { release: 4 });
  }
  for (const torn of [copy, copy === 0 ? 1 : 0] as const) {
    tear(join(directory.path, rowKeysName), torn);
    using books = openBooks({ directory: directory.path });
    expect(books.quarantine).toBeUndefined();
    expect(books.outbox.next([])?.record).toEqual(attempt().history);
    expect(books.ledger.open()).toMatchObject([
      { releaseId: releaseId(4), jobName: attempt({ release: 4 }).jobName },
    ]);
  }
});

test('I5: a crash between an acceptance and the end of its key is made up for at the next start, and only then', () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, rowKeysName);
  let [sealed, keysBefore]: (Buffer | string)[] = ['', ''];
  {
    using books = openBooks({ directory: directory.path });
    release(books.ledger, 'CONFIRMED');
    release(books.ledger, 'CONFIRMED', { release: 2 });
    sealed = String(books.database.prepare('SELECT record FROM outbox WHERE id = 1').get()?.['record']);
    keysBefore = readFileSync(path);
    books.outbox.accepted(1);
  }
  writeFileSync(path, keysBefore);
  const [, slot = '', content = ''] = /^(\d+)\.(.*)$/.exec(sealed) ?? [];
  const isOpened = () =>
    readRowKeys(path)
      .unsealings(Number(slot))
      .map(
        (one) =>
          one.unseal(`history of release ${releaseId(1)}`, Buffer.from(content, 'base64')).kind === 'text',
      );
  expect(isOpened()).toEqual([true, true]);
  using books = openBooks({ directory: directory.path });
  expect(isOpened()).toEqual([false, false]);
  expect(books.outbox.next([])?.releaseId).toBe(releaseId(2));
});

test('I2: an acceptance that cannot be written leaves the record readable', () => {
  using books = openBooks();
  release(books.ledger, 'CONFIRMED');
  books.database.exec(
    "CREATE TEMP TRIGGER refused BEFORE DELETE ON outbox BEGIN SELECT RAISE(ABORT, 'no room'); END",
  );
  expect(() => books.outbox.accepted(1)).toThrow('no room');
  expect(books.outbox.next([])?.record).toEqual(attempt().history);
});

test('I5: where nothing came out, or the service records, the key goes when the end is durable', async () => {
  using books = openBooks();
  for (const [number, how] of [{ state: 'NOOUTPUT' }, { state: 'CONFIRMED', history: 'service' }].entries()) {
    const id = intend(books.ledger, { release: number + 1 });
    const row = books.database.prepare('SELECT history FROM attempt WHERE release_id = ?').get(id);
    const [, slot = '', content = ''] = /^(\d+)\.(.*)$/.exec(String(row?.['history'])) ?? [];
    const found = () =>
      readRowKeys(keysOf(books))
        .unsealings(Number(slot))
        .map((one) => one.unseal(`history of release ${id}`, Buffer.from(content, 'base64')).kind === 'text');
    expect(found()).toEqual([true, true]);
    books.ledger.end(id, { deletionOwed: false, holdFor: seconds(0), ...(how as { state: 'NOOUTPUT' }) });
    expect(found()).toEqual([true, true]);
    await books.ledger.durable();
    expect(found()).toEqual([false, false]);
  }
});
