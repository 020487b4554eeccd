import { describe, expect, it, onTestFinished } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { hours, minutes, seconds } from '../../src/core/duration.ts';
import { Secret } from '../../src/core/secret.ts';
import { CardNumber } from '../../src/domain/card.ts';
import type { Document } from '../../src/domain/document.ts';
import type { Ledger } from '../../src/domain/ports/ledger.ts';
import { Problem } from '../../src/domain/problem.ts';
import type { LastRelease, Standing, Ticket } from '../../src/domain/release.ts';
import type { ReleaseEnded } from '../../src/machines/release-desk.ts';
import { createTerminal } from '../../src/machines/terminal-service.ts';
import { recordLog } from '../support/recorded-log.ts';
import { sampleDocument } from '../support/sample-ticket.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

const alice = new CardNumber('04A1B2C3D4');
const bob = new CardNumber('04B5C6D7E8');

const documentNamed = (uuid: string, facts: Partial<Document> = {}) =>
  sampleDocument({ uuid, name: `${uuid}.pdf`, ...facts });

function stand(
  options: {
    autoRelease?: boolean;
    documents?: Document[];
    standings?: Record<string, Standing>;
    last?: LastRelease;
    login?: () => Promise<never>;
    list?: () => Promise<readonly Document[]>;
  } = {},
) {
  const clock = createSteeredClock();
  const log = recordLog();
  const tickets: Ticket[] = [];
  const ends = new Map<string, () => void>();
  const removed: string[] = [];
  const settled: string[] = [];
  const documents = options.documents ?? [documentNamed('one'), documentNamed('two')];
  let logins = 0;
  const terminal = createTerminal({
    id: 'lobby',
    logins: {
      byCard: async (card) => {
        if (options.login) return options.login();
        logins += 1;
        const userName = card.equals(alice) ? 'alice' : 'bob';
        return {
          user: { id: logins, providerId: 3, userName, fullName: userName },
          token: { value: new Secret(`token of ${userName}`), expiresAt: hours(1) },
        };
      },
    },
    documents: {
      ready: options.list ?? (async () => documents),
      download: () => Promise.reject(new Error('the desk downloads')),
      remove: async (uuid) => void removed.push(uuid),
    },
    ledger: {
      lastRelease: () => options.last,
      deleted: (releaseId) => void settled.push(releaseId),
    } as Partial<Ledger> as Ledger,
    desk: {
      standing: (uuid) => options.standings?.[uuid] ?? 'releasable',
      release(wanted, onEnded: (ended: ReleaseEnded) => void) {
        for (const ticket of wanted) {
          tickets.push(ticket);
          ends.set(ticket.document.uuid, () => onEnded({ ticket, outcome: 'completed', problem: undefined }));
        }
      },
      resume: () => {},
      stop: async () => {},
    },
    settings: () => ({
      autoRelease: options.autoRelease ?? false,
      logoutTimeout: seconds(60),
      monochrome: false,
      sendUsername: true,
    }),
    clock,
    chance: systemChance,
    log: log.log,
    onStage: () => {},
    settle: async () => {},
  });
  const stop = new AbortController();
  const running = terminal.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  terminal.authorized(true);
  const turn = () => clock.advance(seconds(0));
  return {
    ...{ terminal, clock, log, tickets, ends, removed, settled, stop, turn },
    tap: async (card: CardNumber) => {
      terminal.cardRead(card);
      await turn();
    },
    closed: () => log.records('session closed').map(({ reason }) => reason),
    state: () => terminal.view.current().state,
  };
}

describe('a badge', () => {
  it('opens a session, and the same badge again releases everything in the order of the list', async () => {
    const { tap, tickets, ends, turn, closed, log, state } = stand();
    await tap(alice);
    expect(log.records('session opened')).toHaveLength(1);
    expect(state()).toBe('choosing');
    expect(tickets).toEqual([]);
    await tap(alice);
    expect(tickets.map(({ document }) => document.uuid)).toEqual(['one', 'two']);
    ends.get('one')?.();
    await turn();
    expect(closed()).toEqual([]);
    ends.get('two')?.();
    await turn();
    expect(closed()).toEqual(['released']);
    expect(state()).toBe('prompting');
  });

  it('with autoRelease releases everything at once', async () => {
    const { tap, tickets, state } = stand({ autoRelease: true });
    await tap(alice);
    expect(tickets).toHaveLength(2);
    expect(state()).toBe('releasing');
  });

  it('with autoRelease and nothing waiting opens and closes the session', async () => {
    const { tap, closed, tickets } = stand({ autoRelease: true, documents: [] });
    await tap(alice);
    expect([tickets.length, closed()]).toEqual([0, ['released']]);
  });

  it('of the same person closes the session when there is nothing to release', async () => {
    const { tap, closed } = stand({ documents: [] });
    await tap(alice);
    await tap(alice);
    expect(closed()).toEqual(['badge']);
  });

  it('of another person ends the session and opens theirs, without stopping a release (I3)', async () => {
    const { tap, closed, log, tickets, terminal, ends, turn } = stand({ autoRelease: true });
    await tap(alice);
    const generation = terminal.view.current().generation;
    await tap(bob);
    expect(closed()).toEqual(['badge']);
    expect(log.records('session opened')).toHaveLength(2);
    expect(terminal.view.current().generation).toBeGreaterThan(generation);
    expect(tickets.map(({ user }) => user.userName)).toEqual(['alice', 'alice', 'bob', 'bob']);
    // An end that belongs to alice does not count for bob.
    ends.get('one')?.();
    await turn();
    expect(closed()).toEqual(['badge']);
  });

  it('of another person while the list is on its way: the late list is dropped', async () => {
    let answer: (documents: readonly Document[]) => void = () => {};
    let asked = 0;
    const list = () => {
      asked += 1;
      return asked === 1
        ? new Promise<readonly Document[]>((resolve) => (answer = resolve))
        : Promise.resolve([documentNamed('of-bob')]);
    };
    const { tap, tickets, turn } = stand({ list });
    await tap(alice);
    await tap(bob);
    answer([documentNamed('of-alice')]);
    await turn();
    await tap(bob);
    expect(tickets.map(({ document }) => document.uuid)).toEqual(['of-bob']);
  });

  it('held twice while the list is on its way releases as soon as it is there', async () => {
    let answer: (documents: readonly Document[]) => void = () => {};
    const { tap, tickets, turn } = stand({
      list: () => new Promise<readonly Document[]>((resolve) => (answer = resolve)),
    });
    await tap(alice);
    await tap(alice);
    answer([documentNamed('one')]);
    await turn();
    expect(tickets).toHaveLength(1);
  });

  it('is ignored, with a record, while the device is not authorized (I9)', async () => {
    const { terminal, tap, log, state } = stand();
    terminal.authorized(false);
    await tap(alice);
    expect(log.records('card ignored')).toHaveLength(1);
    expect([state(), log.records('session opened').length]).toEqual(['outOfService', 0]);
  });

  it('that the service refuses opens nothing, and the sentence for the person goes by itself', async () => {
    const login = () => Promise.reject(new Problem('login-refused', 'the service answered 401'));
    const { tap, terminal, clock, log } = stand({ login });
    await tap(alice);
    expect(log.records('login failed')).toMatchObject([{ code: 'login-refused', terminal: 'lobby' }]);
    expect(terminal.view.current().sentence).toBe('Your card was not accepted.');
    await clock.advance(seconds(9));
    expect(terminal.view.current().sentence).toBe('Hold your card to the reader.');
  });
});

describe('a session', () => {
  it('times out when nobody does anything', async () => {
    const { tap, clock, closed } = stand();
    await tap(alice);
    await clock.advance(seconds(59));
    expect(closed()).toEqual([]);
    await clock.advance(seconds(2));
    expect(closed()).toEqual(['timeout']);
  });

  it('lasts ten minutes at most, also while something is printing', async () => {
    const { tap, clock, closed } = stand({ autoRelease: true });
    await tap(alice);
    await clock.advance(minutes(11));
    expect(closed()).toEqual(['timeout']);
  });

  it('closes with an error when the list cannot be had', async () => {
    const list = () => Promise.reject(new Problem('cloud-unreachable', 'no route'));
    const { tap, closed, log } = stand({ list });
    await tap(alice);
    expect(closed()).toEqual(['error']);
    expect(log.records('list failed')).toMatchObject([{ code: 'cloud-unreachable' }]);
  });

  it('ends in order when the agent stops', async () => {
    const { tap, stop, closed, turn } = stand();
    await tap(alice);
    stop.abort();
    await turn();
    expect(closed()).toEqual(['stopped']);
  });

  it('leaves no name, title or number of the person in view or log (I3, I5)', async () => {
    const { tap, log, terminal } = stand({ documents: [documentNamed('one', { name: 'Dismissal letter' })] });
    await tap(alice);
    await tap(alice);
    const seen = JSON.stringify(terminal.view.current()) + log.text();
    for (const canary of ['alice', 'Dismissal', '04A1B2C3D4', 'token of']) expect(seen).not.toContain(canary);
  });
});

describe('a document', () => {
  it.each([
    ['may have been printed already', 'may-have-printed'],
    ['is just being printed', 'in-progress'],
    ['was printed and only its deletion is owed', 'deletion-owed'],
  ] as const)('that %s is left alone (I1)', async (_words, standing) => {
    const { tap, tickets } = stand({ autoRelease: true, standings: { one: standing } });
    await tap(alice);
    expect(tickets.map(({ document }) => document.uuid)).toEqual(['two']);
  });

  it('whose deletion is owed is deleted with the token of this login', async () => {
    const last: LastRelease = { releaseId: 'r1', state: 'CONFIRMED', deletionOwed: true };
    const { tap, removed, settled } = stand({ standings: { one: 'deletion-owed' }, last });
    await tap(alice);
    expect([removed, settled]).toEqual([['one'], ['r1']]);
  });

  it('whose storage is offline is left alone', async () => {
    const documents = [documentNamed('one', { storageOnline: false }), documentNamed('two')];
    const { tap, tickets } = stand({ autoRelease: true, documents });
    await tap(alice);
    expect(tickets.map(({ document }) => document.uuid)).toEqual(['two']);
  });
});
