/** D8, D12, B.2 step 3 on a disk that is really full: a file system of 1 MiB in memory. */
import { describe, expect, test } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { grant, plainFacts, registration } from '../contracts/device-store.ts';
import type { SmallDisk } from '../support/small-disk.ts';
import { mountSmallDisk, needsMount } from '../support/small-disk.ts';
import { attempt, intend, releaseId } from '../support/store/release-samples.ts';
import { openSteadyStore } from '../support/store/steady-store.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

function smallDisk(): SmallDisk {
  const directory = temporaryDirectory();
  const disk = mountSmallDisk(directory.path, { size: '1m' });
  return {
    ...disk,
    [Symbol.dispose]() {
      disk[Symbol.dispose]();
      directory[Symbol.dispose]();
    },
  };
}

const refused = expect.objectContaining({ code: 'store-refused' });

describe('on a full disk', () => {
  needsMount();

  test('D8: no print is planned, nothing is lost, and it works again by itself', async () => {
    using disk = smallDisk();
    await using store = await openSteadyStore(disk.path);
    const id = intend(store.ledger);
    disk.fill();
    expect(() => store.ledger.plan(attempt({ release: 2 }))).toThrow(refused);
    const end = () => store.ledger.end(id, { state: 'UNKNOWN', deletionOwed: false, holdFor: seconds(0) });
    expect(end).toThrow(refused);
    expect(store.ledger.open()).toMatchObject([{ releaseId: id, state: 'INTENT' }]);
    expect(store.outboxCounts().waiting).toBe(0);
    disk.free();
    end();
    store.ledger.plan(attempt({ release: 2 }));
    expect(store.outboxCounts().waiting).toBe(1);
    expect(store.ledger.open()).toMatchObject([{ releaseId: releaseId(2) }]);
  });

  test('B.2 step 3: the refresh token is not spent without room for its successor', async () => {
    using disk = smallDisk();
    await using store = await openSteadyStore(disk.path);
    store.device.saveTokens(grant(1));
    disk.fill();
    const before = plainFacts(store.device);
    expect(() => store.device.markRefreshing(1)).toThrow(refused);
    expect(() => store.device.saveRegistration(registration)).toThrow(refused);
    expect(plainFacts(store.device)).toEqual(before);

    disk.free();
    store.device.markRefreshing(1);
    disk.fill();
    store.device.saveTokens(grant(2));
    expect(plainFacts(store.device)).toMatchObject({ generation: 2, refreshing: undefined });
  });

  test('a courier that cannot delete a record does not send it twice', async () => {
    using disk = smallDisk();
    await using store = await openSteadyStore(disk.path);
    const id = intend(store.ledger);
    store.ledger.end(id, { state: 'CONFIRMED', deletionOwed: false, holdFor: seconds(0) });
    const stop = new AbortController();
    const raised: string[] = [];
    let posts = 0;
    const courier = store.courier({
      poster: {
        async post() {
          posts += 1;
          disk.fill();
        },
      },
      conditions: {
        raise(condition) {
          raised.push(condition.code);
          stop.abort();
        },
        clear() {},
      },
      serviceTime: { at: () => undefined },
      portIdOf: () => undefined,
    });
    await courier.run(stop.signal);
    expect(raised).toEqual(['store-refused']);
    expect(posts).toBe(1);
  });

  test('a start on a full disk is refused, and changes nothing', async () => {
    using disk = smallDisk();
    {
      await using store = await openSteadyStore(disk.path);
      intend(store.ledger);
    }
    disk.fill();
    await expect(openSteadyStore(disk.path)).rejects.toThrow(refused);
    disk.free();
    await using store = await openSteadyStore(disk.path);
    expect(store.ledger.open()).toHaveLength(1);
  });
});
