/** D12: a failed fsync is fatal, whichever it is, and a restart finds everything whole. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { needsPeer } from '../../support/needs.ts';
import { registration } from '../../contracts/device-store.ts';
import { openSteadyStore } from '../../support/store/steady-store.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { expectKept, expectNothingTorn, runWriter } from '../../store/writer-process.ts';

/** EIO at the so-manyeth fsync of this file. */
const failing = (path: string, nth: number): string[] =>
  `strace -f -qq -o /dev/null -P ${path} -e trace=fsync,fdatasync -e inject=fsync,fdatasync:error=EIO:when=${nth}`.split(
    ' ',
  );

describe('D12: EIO at one fsync ends the process with store-failed, and it recovers', () => {
  needsPeer('strace', 'strace');

  test.each([
    ['the new sealing key', 'sealing-key.new', 1],
    ['the new database', 'platen.db-wal', 1],
    ['a step of the third release', 'platen.db-wal', 17],
    ['the new tokens', 'tokens-b.new', 1],
    // The first that is neither of the opening nor SQLite's, which ignores its own.
    ['the directory after a rename', '', 11],
  ])('when it is that of %s', async (_name, file, nth) => {
    using directory = temporaryDirectory();
    const stateDir = directory.path;
    const { code, said } = await runWriter({ stateDir, under: failing(join(stateDir, file), nth) });
    expect({ code, last: said.at(-1) }).toEqual({ code: 70, last: 'problem store-failed' });
    expect(said.includes('open') && !said.includes('fatal store-failed')).toBe(false);

    await using store = await openSteadyStore(stateDir);
    expectKept(store, said);
    expectNothingTorn(stateDir);
    store.device.saveRegistration(registration);
    expect(store.device.facts().registration).toBeDefined();
  });
});

/** EIO at the first read of this file, whichever way it is read. */
const unreadable = (path: string): string[] =>
  `strace -f -qq -o /dev/null -P ${path} -e trace=read,pread64 -e inject=read,pread64:error=EIO:when=1`.split(
    ' ',
  );

describe('a file that the disk does not give back is set aside, and the agent starts', () => {
  needsPeer('strace', 'strace');

  test.each([
    'sealing-key',
    'identity',
    'registration',
    'tokens-b',
    'kiosk-launch',
    'ledger-head',
    'platen.db',
    'row-keys',
  ])('%s', async (name) => {
    using directory = temporaryDirectory();
    const stateDir = directory.path;
    await runWriter({ stateDir, killAfter: 8 });
    // The same releases once more: the second run ends by itself, at the first of them.
    const { said } = await runWriter({ stateDir, killAfter: 200, under: unreadable(join(stateDir, name)) });
    expect(said[0]).toBe('open');
    await using store = await openSteadyStore(stateDir);
    expectNothingTorn(stateDir);
    store.device.saveRegistration(registration);
    expect(store.device.facts().registration).toBeDefined();
  });
});
