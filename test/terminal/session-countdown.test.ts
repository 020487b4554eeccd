/** When a session ends by itself: B.4, 10; and what its end means for what still prints (T29). */
import { describe, expect, it } from 'vitest';
import { minutes, seconds } from '../../src/core/duration.ts';
import { alice, bob, documentNamed, terminalStage } from '../support/terminal/terminal-stage.ts';

const endsIn = ({ terminal }: ReturnType<typeof terminalStage>) => terminal.view.current().endsInSeconds;
const shown = ({ terminal }: ReturnType<typeof terminalStage>) => terminal.view.current().generation;

/** In front of the list, or with everything at the printer. */
async function opened(where: 'choosing' | 'releasing') {
  const one = terminalStage({ autoRelease: where === 'releasing' });
  await one.tap(alice);
  expect(one.state()).toBe(where);
  return one;
}

describe.each(['choosing', 'releasing'] as const)('in %s the countdown to the end', (where) => {
  it('runs while nothing moves, and says how long', async () => {
    const one = await opened(where);
    expect(endsIn(one)).toBe(60);
    await one.clock.advance(seconds(20.5));
    expect(endsIn(one)).toBe(40);
    await one.clock.advance(seconds(39));
    expect([endsIn(one), one.closed()]).toEqual([1, []]);
    await one.clock.advance(seconds(1));
    expect([endsIn(one), one.closed()]).toEqual([undefined, ['timeout']]);
  });

  it('begins anew when somebody touches keys or screen', async () => {
    const one = await opened(where);
    await one.clock.advance(seconds(50));
    one.terminal.tell({ type: 'still-there', generation: shown(one) });
    expect(endsIn(one)).toBe(60);
    await one.clock.advance(seconds(59));
    expect(one.closed()).toEqual([]);
    await one.clock.advance(seconds(1));
    expect(one.closed()).toEqual(['timeout']);
  });

  it('heeds no sign of the one before (I3)', async () => {
    const one = await opened(where);
    await one.clock.advance(seconds(50));
    one.terminal.tell({ type: 'still-there', generation: shown(one) - 1 });
    expect(endsIn(one)).toBe(10);
  });

  it('does not keep anybody longer than ten minutes from the opening', async () => {
    const one = await opened(where);
    for (let half = 1; half < 20; half += 1) {
      await one.clock.advance(seconds(30));
      one.terminal.tell({ type: 'still-there', generation: shown(one) });
    }
    expect([endsIn(one), one.closed()]).toEqual([30, []]);
    await one.clock.advance(seconds(30));
    expect(one.closed()).toEqual(['timeout']);
    await one.tap(bob);
    await one.clock.advance(seconds(59));
    expect(one.closed()).toEqual(['timeout']);
  });
});

describe('the countdown', () => {
  it('begins anew with every document chosen or found', async () => {
    const [list, print] = [documentNamed('list'), documentNamed('print')];
    const one = terminalStage({
      documents: [list, print],
      standings: { list: 'may-have-printed' },
      last: doubtful,
    });
    await one.tap(alice);
    for (const say of [
      () => one.terminal.tell({ type: 'it-is-there', generation: shown(one), documentUuid: 'list' }),
      () => one.terminal.tell({ type: 'release', generation: shown(one), documentUuids: ['print'] }),
    ]) {
      await one.clock.advance(seconds(50));
      say();
      expect(endsIn(one)).toBe(60);
    }
  });

  it('keeps who waits for a long print that comes on, until it is done', async () => {
    const one = await opened('releasing');
    for (let page = 1; page <= 5; page += 1) {
      await one.clock.advance(seconds(55));
      one.progress[0]?.();
    }
    one.ends.get('one')?.();
    await one.clock.advance(seconds(55));
    one.ends.get('two')?.();
    expect(one.closed()).toEqual(['released']);
  });

  it('runs behind the documents of others, and while only theirs come on (T29)', async () => {
    const one = await opened('releasing');
    one.terminal.tell({ type: 'log-out', generation: shown(one) });
    await one.tap(bob);
    await one.clock.advance(seconds(50));
    one.places[1]?.(3);
    one.progress[0]?.();
    expect(endsIn(one)).toBe(10);
    await one.clock.advance(seconds(10));
    expect(one.closed()).toEqual(['logout', 'timeout']);
  });

  it('is not on while nobody is there', async () => {
    const one = terminalStage();
    expect(endsIn(one)).toBeUndefined();
    await one.tap(alice);
    one.terminal.tell({ type: 'log-out', generation: shown(one) });
    expect(endsIn(one)).toBeUndefined();
    expect(one.clock.waits().filter((wait) => wait > 8_000)).toEqual([]);
  });
});

describe('when all that was wanted came out, and nothing is left', () => {
  async function printedAll(documents = [documentNamed('one')]) {
    const one = terminalStage({ list: async () => documents });
    await one.tap(alice);
    const documentUuids = documents.map(({ uuid }) => uuid);
    one.terminal.tell({ type: 'release', generation: shown(one), documentUuids });
    documents.splice(0);
    one.ends.get('one')?.();
    await one.turn();
    return { ...one, documents };
  }

  it('the session says so, and ends by itself when that is read', async () => {
    const one = await printedAll();
    expect([one.state(), one.sentence(), endsIn(one)]).toEqual([
      'choosing',
      'All done. Please take your pages.',
      8,
    ]);
    await one.clock.advance(seconds(7.5));
    expect(one.closed()).toEqual([]);
    await one.clock.advance(seconds(0.5));
    expect([one.closed(), one.state()]).toEqual([['released'], 'prompting']);
  });

  it('whoever touches the screen has the usual time', async () => {
    const one = await printedAll();
    await one.clock.advance(seconds(7));
    one.terminal.tell({ type: 'still-there', generation: shown(one) });
    expect(endsIn(one)).toBe(60);
    await one.clock.advance(seconds(59));
    expect(one.closed()).toEqual([]);
  });

  it('so has whoever sends one more', async () => {
    const one = await printedAll();
    one.documents.push(documentNamed('two'));
    await one.clock.advance(seconds(6));
    expect([endsIn(one), one.terminal.view.current().waiting]).toEqual([59, 1]);
  });

  it('what failed is left, and is no end', async () => {
    const one = terminalStage();
    await one.tap(alice);
    one.terminal.tell({ type: 'release', generation: shown(one), documentUuids: ['one'] });
    one.ends.get('one')?.();
    await one.turn();
    expect([one.state(), endsIn(one)]).toEqual(['choosing', 60]);
  });
});

it('whoever badges while the print of the one before hangs does not wait for it at all (T29)', async () => {
  const one = await opened('releasing');
  const since = one.clock.monotonic();
  await one.tap(bob);
  expect(one.log.records('session opened')).toHaveLength(2);
  expect(one.clock.monotonic() - since).toBe(0);
});

describe('the desk', () => {
  it.each([
    ['another badge', (one: ReturnType<typeof terminalStage>) => one.tap(bob)],
    ['the same badge', (one: ReturnType<typeof terminalStage>) => one.tap(alice)],
    [
      'the button',
      async (one: ReturnType<typeof terminalStage>) =>
        one.terminal.tell({ type: 'log-out', generation: shown(one) }),
    ],
    ['nobody for too long', (one: ReturnType<typeof terminalStage>) => one.clock.advance(minutes(1))],
  ])('is told that the person left, by %s (T29)', async (_, leave) => {
    const one = await opened('releasing');
    const sessionId = one.tickets[0]?.sessionId;
    await leave(one);
    expect(one.left).toEqual([sessionId]);
  });

  it('is told nothing when the agent ends: a restart goes on with what is printing', async () => {
    const one = await opened('releasing');
    one.stop.abort();
    await one.turn();
    expect([one.closed(), one.left]).toEqual([['stopped'], []]);
  });
});

const doubtful = { releaseId: '0'.repeat(32), state: 'UNKNOWN', deletionOwed: false } as const;
