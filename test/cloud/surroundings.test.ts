/** What the status says of the place this device stands in: asked late, rarely, and left out where nobody tells. */
import { describe, expect, it } from 'vitest';
import type { Directory } from '../../src/cloud/directory.ts';
import { createSurroundings } from '../../src/cloud/surroundings.ts';
import { systemChance } from '../../src/core/chance.ts';
import { hours, minutes, seconds } from '../../src/core/duration.ts';
import type { ProblemCode } from '../../src/domain/problem/problem-kinds.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

type Question = 'account' | 'locations' | 'providers' | 'queues';

const everything: readonly Question[] = ['account', 'locations', 'providers', 'queues'];
const reported = {
  account: { id: 2, name: 'Example', timezone: 'Europe/Berlin' },
  locations: ['Main building'],
  authProviders: ['Local users', '9'],
  inputPorts: ['Secure queue'],
};

function look(refusals: Partial<Record<Question, Problem>> = {}) {
  const clock = createSteeredClock();
  const asked: Question[] = [];
  const given: unknown[] = [];
  const answer = async <T>(question: Question, value: T, about?: unknown): Promise<T> => {
    asked.push(question);
    given.push(about);
    const refusal = refusals[question];
    if (refusal) throw refusal;
    return value;
  };
  const location = { id: 11, name: 'Main building', sortOrder: 1, identifiers: [] };
  const provider = { providerType: 0, priority: 1, active: true, domainNames: [] };
  const queue = { kind: 'pull', outputPort: undefined, locationId: 11, containerName: undefined } as const;
  const { account } = reported;
  const directory: Pick<Directory, 'accounts' | 'locations' | 'authProviders' | 'inputPorts'> = {
    accounts: {
      read: () =>
        answer('account', {
          ...account,
          type: 'customer' as const,
          domainNames: [],
          primaryDomain: undefined,
        }),
      containers: async () => [],
      exists: async () => true,
    },
    locations: {
      find: () => answer('locations', [location]),
    },
    authProviders: {
      list: (accountId) =>
        answer(
          'providers',
          [
            { ...provider, id: 3, name: 'Local users' },
            { ...provider, id: 9, name: undefined },
          ],
          accountId,
        ),
    },
    inputPorts: {
      list: ({ locationIds }) => answer('queues', [{ ...queue, id: 5, name: 'Secure queue' }], locationIds),
    },
  };
  const surroundings = createSurroundings({
    // What else a directory can do is none of the surroundings' business.
    directory: () => directory as Directory,
    clock,
    log: recordLog().log,
    chance: { ...systemChance, jitter: (span) => span },
  });
  const over = new AbortController();
  const running = surroundings.run(over.signal);
  return {
    clock,
    surroundings,
    asked,
    given,
    async [Symbol.asyncDispose]() {
      over.abort();
      await running;
    },
  };
}

const refused = (code: ProblemCode) => new Problem(code, code);

describe('the surroundings', () => {
  it('are not asked for before the device is authorized', async () => {
    await using stage = look();
    await stage.clock.advance(hours(30));
    expect([stage.asked, stage.surroundings.seen()]).toEqual([[], undefined]);
  });

  it('are asked for a minute after that, when everything else is settled', async () => {
    await using stage = look();
    await stage.clock.advance(seconds(10));
    stage.surroundings.look();
    await stage.clock.advance(seconds(59));
    expect(stage.asked).toEqual([]);
    await stage.clock.advance(seconds(1));
    expect(stage.asked).toEqual(everything);
    expect(stage.given).toEqual([undefined, undefined, reported.account.id, [11]]);
    expect(stage.surroundings.seen()).toEqual({ ...reported, seenAt: '2026-11-21T12:01:10.000Z' });
  });

  it('are asked for daily', async () => {
    await using stage = look();
    stage.surroundings.look();
    await stage.clock.advance(minutes(1));
    await stage.clock.advance(hours(23));
    expect(stage.asked).toHaveLength(4);
    await stage.clock.advance(hours(1));
    expect(stage.asked).toHaveLength(8);
    expect(stage.surroundings.seen()?.seenAt).toBe('2026-11-22T12:01:00.000Z');
  });

  it('are not asked for at once when the device is authorized again: others come first (I7)', async () => {
    await using stage = look();
    stage.surroundings.look();
    await stage.clock.advance(hours(2));
    stage.surroundings.look();
    await stage.clock.advance(seconds(59));
    expect(stage.asked).toHaveLength(4);
    await stage.clock.advance(seconds(1));
    expect(stage.asked).toHaveLength(8);
  });

  it.each([
    ['locations', 'cloud-denied', 'locations'],
    ['providers', 'cloud-feature-off', 'authProviders'],
    ['queues', 'cloud-protocol', 'inputPorts'],
  ] as const)('%s that are answered with %s are left out', async (question, code, field) => {
    await using stage = look({ [question]: refused(code) });
    stage.surroundings.look();
    await stage.clock.advance(hours(3));
    expect(stage.asked).toEqual(everything);
    const { [field]: _, ...others } = reported;
    expect(stage.surroundings.seen()).toEqual({ ...others, seenAt: '2026-11-21T12:01:00.000Z' });
  });

  it('without an account: its authentication providers are not asked for', async () => {
    await using stage = look({ account: refused('cloud-not-found') });
    stage.surroundings.look();
    await stage.clock.advance(hours(3));
    expect(stage.asked).toEqual(['account', 'locations', 'queues']);
    expect(stage.surroundings.seen()).not.toHaveProperty('authProviders');
  });

  it('while the service is away stay what they were, and are asked for again, less and less often (B.3)', async () => {
    const refusals: Partial<Record<Question, Problem>> = {};
    await using stage = look(refusals);
    stage.surroundings.look();
    await stage.clock.advance(minutes(1));
    const before = stage.surroundings.seen();
    refusals.account = refused('cloud-unreachable');
    await stage.clock.advance(hours(24 + 6));
    expect(stage.surroundings.seen()).toEqual(before);
    expect(stage.asked.slice(4)).toEqual(Array.from({ length: 11 }, () => 'account'));
    delete refusals.account;
    await stage.clock.advance(hours(1));
    expect(stage.surroundings.seen()).toMatchObject(reported);
    expect(stage.surroundings.seen()).not.toEqual(before);
  });

  it('a service that asks for patience is given it (B.3)', async () => {
    const busy = new Problem('cloud-busy', 'status 503', { status: 503, retryAfter: minutes(50) });
    await using stage = look({ queues: busy });
    stage.surroundings.look();
    await stage.clock.advance(minutes(50));
    expect(stage.asked).toHaveLength(4);
    await stage.clock.advance(minutes(2));
    expect(stage.asked).toHaveLength(8);
  });
});
