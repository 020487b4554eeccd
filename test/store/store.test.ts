import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Secret } from '../../src/core/secret.ts';
import { grant, plainFacts, registration } from '../contracts/device-store.ts';
import { intend, release, releaseId, title, userName } from '../support/store/release-samples.ts';
import { openSteadyStore } from '../support/store/steady-store.ts';
import { filesBelow, temporaryDirectory } from '../support/temporary-directory.ts';

const key = (character: string): Secret => new Secret(character.repeat(64));
const unusable = expect.objectContaining({ code: 'state-unusable' });

test('what was stored is there after a restart', async () => {
  using directory = temporaryDirectory();
  const stateDir = join(directory.path, 'state');
  let facts: unknown;
  {
    await using store = await openSteadyStore(stateDir);
    store.device.saveRegistration(registration);
    store.device.saveTokens(grant(1));
    release(store.ledger, 'CONFIRMED', { release: 1 });
    intend(store.ledger, { release: 2 });
    facts = plainFacts(store.device);
  }
  await using store = await openSteadyStore(stateDir);
  expect(plainFacts(store.device)).toEqual(facts);
  expect(store.ledger.open()).toMatchObject([{ releaseId: releaseId(2), state: 'INTENT' }]);
  expect(store.outboxCounts()).toEqual({ waiting: 1, held: 0, deadLetters: 0 });
});

test('records left by the last run are posted by the next', async () => {
  using directory = temporaryDirectory();
  {
    await using store = await openSteadyStore(directory.path);
    release(store.ledger, 'CONFIRMED');
  }
  await using store = await openSteadyStore(directory.path);
  const stop = new AbortController();
  const posted: string[] = [];
  const courier = store.courier({
    poster: {
      async post(record) {
        posted.push(record.title);
        stop.abort();
      },
    },
    conditions: { raise() {}, clear() {} },
    serviceTime: { at: () => undefined },
    portIdOf: () => undefined,
  });
  await courier.run(stop.signal);
  expect(posted).toEqual([title]);
  expect(store.outboxCounts().waiting).toBe(0);
});

test('T19, I5: every file is 0600, and in none a token, a key, or after delivery a title or a name is readable', async () => {
  using directory = temporaryDirectory();
  const stateDir = join(directory.path, 'state');
  const sealingKey = key('c');
  {
    await using store = await openSteadyStore(stateDir, { sealingKey });
    store.device.saveRegistration(registration);
    store.device.saveTokens(grant(1));
    store.device.markRefreshing(1);
    release(store.ledger, 'NOOUTPUT');
    expect(filesBelow(stateDir).map(({ mode }) => mode)).toEqual(filesBelow(stateDir).map(() => 0o600));
  }
  const files = filesBelow(stateDir);
  expect(files.map(({ name }) => name)).toContain('platen.db');
  for (const canary of ['canary', title, userName, sealingKey.reveal(), 'user-token']) {
    expect(files.filter(({ bytes }) => bytes.includes(canary)).map(({ name }) => name)).toEqual([]);
  }
});

describe('the sealing key', () => {
  test('is a file made once, when none is configured', async () => {
    using directory = temporaryDirectory();
    const opened = async () => {
      await using store = await openSteadyStore(directory.path);
      return [
        plainFacts(store.device),
        filesBelow(directory.path).find(({ name }) => name === 'sealing-key'),
      ];
    };
    const first = await opened();
    expect(first[1]).toMatchObject({ mode: 0o600 });
    expect(await opened()).toEqual(first);
  });

  test('is not made anew when the file is lost', async () => {
    using directory = temporaryDirectory();
    const path = join(directory.path, 'sealing-key');
    {
      await using store = await openSteadyStore(directory.path);
      copyFileSync(path, join(directory.path, 'kept'));
      rmSync(path);
      expect(store.device).toBeDefined();
    }
    await expect(openSteadyStore(directory.path)).rejects.toThrow(/sealing-key: is missing/);
    await expect(openSteadyStore(directory.path)).rejects.toThrow(unusable);
    copyFileSync(join(directory.path, 'kept'), path);
    await using store = await openSteadyStore(directory.path);
    expect(store.device.facts().identity.clientId).not.toBe('');
  });

  test('must stay the same', async () => {
    using directory = temporaryDirectory();
    {
      await using store = await openSteadyStore(directory.path, { sealingKey: key('a') });
      store.device.saveTokens(grant(1));
    }
    await expect(openSteadyStore(directory.path, { sealingKey: key('b') })).rejects.toThrow(/another key/);
    await using store = await openSteadyStore(directory.path, { sealingKey: key('a') });
    expect(plainFacts(store.device).accessToken).toBe('canary-access-1');
  });
});

test('a start that fails gives the lock back', async () => {
  using directory = temporaryDirectory();
  {
    await using store = await openSteadyStore(directory.path, { clientId: 'one' });
    expect(store.device.facts().identity.clientId).toBe('one');
  }
  await expect(openSteadyStore(directory.path, { clientId: 'two' })).rejects.toThrow(unusable);
  await using store = await openSteadyStore(directory.path);
  expect(store.device.facts().identity.clientId).toBe('one');
});
