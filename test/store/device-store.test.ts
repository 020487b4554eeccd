import { createSecretKey } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import type { DeviceIdentity } from '../../src/domain/device.ts';
import type { DeviceStore } from '../../src/domain/ports/enrollment.ts';
import { openDeviceStore } from '../../src/store/sealed/device-store.ts';
import { createSealedFiles, filesOfServer } from '../../src/store/sealed/sealed-files.ts';
import { createSealing } from '../../src/core/sealing.ts';
import { deviceStoreContract, grant, plainFacts, registration } from '../contracts/device-store.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';
import { filesBelow, temporaryDirectory } from '../support/temporary-directory.ts';

interface Opening {
  readonly clientId?: string;
  readonly keyByte?: number;
  readonly knownAs?: DeviceIdentity;
  readonly server?: string;
}

function storedDevice(options: Opening = {}) {
  const directory = temporaryDirectory();
  const recorded = recordLog();
  const open = ({ clientId, keyByte = 1, knownAs, server }: Opening = options): DeviceStore => {
    const key = createSecretKey(Buffer.alloc(32, keyByte));
    const files = createSealedFiles({
      log: recorded.log,
      onFatal() {},
      directory: directory.path,
      sealing: createSealing({ key, chance: systemChance }),
    });
    return openDeviceStore({
      directory: directory.path,
      files: server === undefined ? files : filesOfServer(files, server),
      clientId,
      ...(knownAs === undefined ? {} : { knownAs }),
      clock: createSteeredClock(),
      chance: systemChance,
      log: recorded.log,
    });
  };
  const file = (name: string): string => join(directory.path, name);
  return {
    open,
    file,
    directory: directory.path,
    recorded,
    [Symbol.dispose]: () => directory[Symbol.dispose](),
  };
}

describe('at a further server', () => {
  test('registration and tokens are its own, the identity is shared, and the device is known already', () => {
    using stored = storedDevice();
    const first = stored.open();
    first.saveTokens(grant(1));
    const there = () => stored.open({ knownAs: first.facts().identity, server: 'central' });
    expect(there().facts()).toMatchObject({ registered: true, approved: false, tokens: undefined });
    expect(there().facts().identity).toEqual(first.facts().identity);

    there().saveRegistration(registration);
    there().saveTokens(grant(2));
    expect(plainFacts(there()).accessToken).toBe('canary-access-2');
    expect(plainFacts(stored.open()).accessToken).toBe('canary-access-1');
  });
});

/** One bit in the middle. */
function damage(path: string): void {
  const bytes = readFileSync(path);
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

describe('the device store in sealed files', () => {
  deviceStoreContract(storedDevice);
});

describe('the identity', () => {
  test('takes the configured client id', () => {
    using stored = storedDevice({ clientId: 'gateway-7' });
    expect(stored.open().facts().identity.clientId).toBe('gateway-7');
  });

  test('is not exchanged for another client id, and the message says what to mend', () => {
    using stored = storedDevice({ clientId: 'gateway-7' });
    stored.open();
    expect(() => stored.open({ clientId: 'gateway-8' })).toThrow(/gateway-7.*gateway-8.*device\.clientId/);
    expect(stored.open({}).facts().identity.clientId).toBe('gateway-7');
  });

  const takenAway: [string, RegExp, (stored: ReturnType<typeof storedDevice>) => DeviceStore][] = [
    ['a missing file', /is missing/, (stored) => (rmSync(stored.file('identity')), stored.open())],
    ['another sealing key', /another key/, (stored) => stored.open({ keyByte: 2 })],
  ];
  test.each(takenAway)('is never made anew for what a person can give back: %s', (_name, message, spoil) => {
    using stored = storedDevice();
    stored.open().saveTokens(grant(1));
    const before = plainFacts(stored.open());
    const identity = readFileSync(stored.file('identity'));
    const refused = expect.objectContaining({
      code: 'state-unusable',
      message: expect.stringMatching(message),
    });
    expect(() => spoil(stored)).toThrow(refused);
    writeFileSync(stored.file('identity'), identity);
    expect(plainFacts(stored.open())).toEqual(before);
  });

  const damages: [string, (stored: ReturnType<typeof storedDevice>) => void][] = [
    ['one flipped bit', (stored) => damage(stored.file('identity'))],
    ['a cut file', (stored) => writeFileSync(stored.file('identity'), 'PLAT')],
    ['an empty file', (stored) => writeFileSync(stored.file('identity'), '')],
    [
      'another file in its place',
      (stored) => writeFileSync(stored.file('identity'), readFileSync(stored.file('tokens-b'))),
    ],
  ];
  test.each(damages)('that the disk has damaged is replaced, told and kept: %s', (_name, spoil) => {
    using stored = storedDevice();
    const device = stored.open();
    device.saveRegistration(registration);
    device.saveTokens(grant(1));
    const { identity } = device.facts();
    spoil(stored);
    const damaged = readFileSync(stored.file('identity'));

    const anew = stored.open().facts();
    expect(anew).toMatchObject({ registered: false, approved: false, tokens: undefined });
    expect(anew.identity.clientId).not.toBe(identity.clientId);
    expect(stored.recorded.records('device identity lost')).toMatchObject([
      { level: 'error', file: stored.file('identity') },
    ]);
    const kept = filesBelow(stored.directory).filter(({ name }) => name.includes('.damaged-'));
    expect(kept.map(({ name }) => /(\w[\w-]*)\.damaged-/.exec(name)?.[1])).toEqual(
      expect.arrayContaining(['identity', 'registration', 'tokens-b']),
    );
    expect(kept.some(({ bytes }) => bytes.equals(damaged))).toBe(true);
    expect(plainFacts(stored.open())).toEqual(plainFacts(stored.open()));
  });
});

describe('B.2 step 5: the two token slots', () => {
  const damages: [string, string[], object][] = [
    ['none', [], { generation: 3, refreshing: undefined }],
    ['the older', ['tokens-a'], { generation: 3, refreshing: undefined }],
    // Generation 2 was refreshed: it comes back known to be spent, for the one recovery try (I6).
    ['the newer', ['tokens-b'], { generation: 2, refreshing: 2 }],
    ['both', ['tokens-a', 'tokens-b'], { generation: undefined, refreshing: undefined }],
    ['the mark', ['refreshing'], { generation: 3, refreshing: undefined }],
    ['the registration', ['registration'], { generation: 3, deviceCode: undefined }],
    ['all of them', ['tokens-a', 'tokens-b', 'refreshing', 'registration'], { generation: undefined }],
  ];
  test.each(damages)('damage to %s costs what it must and no more', (_name, files, expected) => {
    using stored = storedDevice();
    const device = stored.open();
    device.saveRegistration(registration);
    device.saveTokens(grant(1));
    for (const generation of [1, 2]) {
      device.markRefreshing(generation);
      device.saveTokens(grant(generation + 1));
    }
    for (const name of files) damage(stored.file(name));
    const found = stored.open();
    expect(plainFacts(found)).toMatchObject({ registered: true, approved: true, ...expected });
    const reported = stored.recorded.records('state file unreadable').map(({ file }) => file);
    expect(new Set(reported)).toEqual(new Set(files));
    found.saveTokens(grant(9));
    expect(plainFacts(stored.open())).toMatchObject({
      refreshToken: 'canary-refresh-9',
      refreshing: undefined,
      deviceCode: undefined,
    });
  });

  test('an unfinished write beside a slot changes nothing', () => {
    using stored = storedDevice();
    stored.open().saveTokens(grant(1));
    writeFileSync(stored.file('tokens-a.new'), 'half of the next');
    expect(plainFacts(stored.open())).toMatchObject({ generation: 1 });
  });
});

test('I5, T19: no secret is readable in any file or log line, and every file is for its owner only', () => {
  using stored = storedDevice();
  const device = stored.open();
  device.saveRegistration(registration);
  device.saveTokens(grant(1));
  device.markRefreshing(1);
  const files = filesBelow(stored.directory);
  expect(files.map(({ name }) => name).toSorted()).toEqual([
    'identity',
    'refreshing',
    'registration',
    'tokens-a.new',
    'tokens-b',
  ]);
  const seed = device.facts().identity.seed.reveal();
  for (const { bytes, mode } of files) {
    expect(mode).toBe(0o600);
    expect(bytes.includes('canary')).toBe(false);
    expect(bytes.includes(seed)).toBe(false);
    expect(bytes.includes(Buffer.from(seed, 'base64'))).toBe(false);
  }
  expect(stored.recorded.text()).not.toContain('canary');
});
