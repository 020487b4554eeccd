import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../src/core/secret.ts';
import { readStoredToken } from '../../src/store/sealed/token-slots.ts';
import { grant } from '../contracts/device-store.ts';
import { recordLog } from '../support/recorded-log.ts';
import { openSteadyStore } from '../support/store/steady-store.ts';
import { filesBelow, temporaryDirectory } from '../support/temporary-directory.ts';

const key = (character: string): Secret => new Secret(character.repeat(64));

/** What a reader beside the agent finds, and what it was told of besides. */
function read(stateDir: string, sealingKey?: Secret, furtherServer?: string) {
  const recorded = recordLog();
  const token = readStoredToken({ stateDir, sealingKey, furtherServer, log: recorded.log })?.reveal();
  return {
    token,
    unreadable: recorded.records('state file unreadable').map(({ file, found }) => [file, found]),
  };
}

describe('the stored token', () => {
  test('is the newest there is, read beside the agent that holds the directory (D13)', async () => {
    using directory = temporaryDirectory();
    await using store = await openSteadyStore(directory.path);
    for (const generation of [1, 2, 3]) {
      store.device.saveTokens(grant(generation));
      expect(read(directory.path)).toEqual({ token: `canary-access-${generation}`, unreadable: [] });
    }
  });

  test('of a further server is its own', async () => {
    using directory = temporaryDirectory();
    await using store = await openSteadyStore(directory.path);
    const gateway = 'https://gateway.example:7400';
    store.device.saveTokens(grant(1));
    expect(read(directory.path, undefined, gateway).token).toBeUndefined();
    store.deviceAt(gateway).saveTokens(grant(2));
    expect(read(directory.path, undefined, gateway).token).toBe('canary-access-2');
    expect(read(directory.path).token).toBe('canary-access-1');
  });

  test('is not there where it was given up', async () => {
    using directory = temporaryDirectory();
    await using store = await openSteadyStore(directory.path);
    store.device.saveTokens(grant(1));
    store.device.forgetTokens();
    expect(read(directory.path).token).toBeUndefined();
  });

  const without: [string, (stateDir: string) => void | Promise<void>][] = [
    ['nothing', () => {}],
    ['an empty directory', (stateDir) => mkdirSync(stateDir)],
    [
      'a device that was never approved',
      async (stateDir) => (await openSteadyStore(stateDir))[Symbol.asyncDispose](),
    ],
  ];
  test.each(without)('is not there where there is %s', async (_, prepare) => {
    using directory = temporaryDirectory();
    const stateDir = join(directory.path, 'state');
    await prepare(stateDir);
    expect(read(stateDir)).toEqual({ token: undefined, unreadable: [] });
  });

  test('opens with the configured key, and with no other', async () => {
    using directory = temporaryDirectory();
    await using store = await openSteadyStore(directory.path, { sealingKey: key('a') });
    store.device.saveTokens(grant(1));
    expect(read(directory.path, key('a')).token).toBe('canary-access-1');
    expect(read(directory.path, key('b'))).toEqual({
      token: undefined,
      unreadable: [['tokens-b', 'other-key']],
    });
    expect(read(directory.path)).toEqual({ token: undefined, unreadable: [] });
  });

  test('is the one before where the newest is damaged, and the damage is told', async () => {
    using directory = temporaryDirectory();
    await using store = await openSteadyStore(directory.path);
    store.device.saveTokens(grant(1));
    store.device.saveTokens(grant(2));
    writeFileSync(join(directory.path, 'tokens-a'), 'half a file');
    expect(read(directory.path)).toEqual({
      token: 'canary-access-1',
      unreadable: [['tokens-a', 'damaged']],
    });
  });

  test.each([
    ['is no directory', (path: string) => writeFileSync(path, '')],
    [
      'has a damaged key',
      (path: string) => (mkdirSync(path), writeFileSync(join(path, 'sealing-key'), 'short')),
    ],
  ])('cannot be told where the state directory %s', (_, spoil) => {
    using directory = temporaryDirectory();
    const stateDir = join(directory.path, 'state');
    spoil(stateDir);
    expect(() => read(stateDir)).toThrow(expect.objectContaining({ code: 'state-unusable' }));
  });

  test('is read without a change to the directory (D13)', async () => {
    using directory = temporaryDirectory();
    {
      await using store = await openSteadyStore(directory.path);
      store.device.saveTokens(grant(1));
    }
    const before = filesBelow(directory.path);
    chmodSync(directory.path, 0o500);
    expect(read(directory.path).token).toBe('canary-access-1');
    chmodSync(directory.path, 0o700);
    expect(filesBelow(directory.path)).toEqual(before);
    expect(readFileSync(join(directory.path, 'tokens-b')).includes('canary')).toBe(false);
  });
});
