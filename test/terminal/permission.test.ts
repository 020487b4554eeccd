/** Whether a person may print at this printer is asked beside their list, and is theirs to know; where it is not said, all is as ever. */
import { describe, expect, it } from 'vitest';
import { milliseconds, seconds } from '../../src/core/duration.ts';
import { Secret } from '../../src/core/secret.ts';
import type { PermittedPorts } from '../../src/domain/ports/service.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { alice, bob, documentNamed, terminalStage } from '../support/terminal/terminal-stage.ts';

const elsewhere: PermittedPorts['include'] = async () => false;
const trip = milliseconds(50);

function standWith(options: Parameters<typeof terminalStage>[0] = {}) {
  const at = terminalStage({ canBeAsked: true, ...options });
  const { terminal, generation } = at;
  return {
    ...at,
    view: () => terminal.view.current(),
    say: (type: 'release' | 'delete', documentUuids = ['one']) =>
      terminal.tell({ type, generation: generation(), documentUuids }),
  };
}

describe('at a printer that is not theirs a person', () => {
  it('is told before they choose, and nothing comes out by touch or by a second badge; deleting works', async () => {
    const { tap, view, say, turn, tickets, removed, state } = standWith({ mayPrint: elsewhere });
    await tap(alice);
    expect(view()).toMatchObject({ state: 'choosing', notHere: true, waiting: 2 });
    // That is for their own eyes: the sentence is on every screen.
    expect(view().sentence).toBe('You are signed in.');
    expect(view().notice).toBeUndefined();
    say('release');
    say('delete', ['two']);
    await turn();
    expect([tickets, removed, view().waiting]).toEqual([[], ['two'], 1]);
    await tap(alice);
    expect([state(), tickets.length]).toEqual(['prompting', 0]);
  });

  it.each([{ autoRelease: true }, { autoRelease: false }])(
    'gets nothing out by a badge alone, held once or twice (%j)',
    async (options) => {
      const lists = Promise.withResolvers<void>();
      const list = () => lists.promise.then(() => [documentNamed('one')]);
      const { tap, turn, view, tickets } = standWith({ ...options, mayPrint: elsewhere, list });
      await tap(alice);
      await tap(alice);
      lists.resolve();
      await turn();
      expect([view().state, view().notHere, tickets.length]).toEqual(['choosing', true, 0]);
    },
  );

  it('prints nothing once more, and may say that it is there', async () => {
    const { terminal, tap, generation, tickets, confirmed } = standWith({
      mayPrint: elsewhere,
      standings: { one: 'may-have-printed' },
      last: { releaseId: '5'.repeat(32), state: 'UNKNOWN', deletionOwed: false },
    });
    await tap(alice);
    for (const type of ['print-again', 'it-is-there'] as const) {
      terminal.tell({ type, generation: generation(), documentUuid: 'one' });
    }
    expect([tickets.length, confirmed]).toEqual([0, ['5'.repeat(32)]]);
  });

  it('hears it at the reader, where nobody sees a screen', async () => {
    const { tap, signals } = standWith({ mayPrint: elsewhere, canBeAsked: false });
    await tap(alice);
    expect(signals.map(([signal]) => signal)).toEqual(['accepted', 'refused']);
  });

  it('is the only one who is told: the next one prints (I3)', async () => {
    const mayPrint: PermittedPorts['include'] = async (_port, { user }) => user.userName !== 'alice';
    const { tap, view, tickets } = standWith({ mayPrint });
    await tap(alice);
    await tap(bob);
    expect(view().notHere).toBeUndefined();
    await tap(bob);
    expect(tickets.map(({ user }) => user.userName)).toEqual(['bob', 'bob']);
  });
});

describe('the question', () => {
  it('is asked beside the list: a badge costs two round trips, as before', async () => {
    const asked: (readonly [number, string])[] = [];
    const answer = async <T>(what: string, value: T): Promise<T> => {
      asked.push([clock.monotonic(), what]);
      await clock.sleep(trip);
      return value;
    };
    const { clock, tap, state } = terminalStage({
      login: async (_, call) => {
        call.signal.throwIfAborted();
        return answer('login', {
          user: { id: 1, providerId: 3, userName: 'alice', fullName: 'alice' },
          token: { value: new Secret('token'), expiresAt: 1e12 },
        });
      },
      list: () => answer('list', [documentNamed('one')]),
      mayPrint: () => answer('may print', false),
    });
    const since = clock.monotonic();
    await tap(alice);
    await clock.advance(trip);
    expect(state()).toBe('listing');
    await clock.advance(trip);
    expect(state()).toBe('choosing');
    expect(asked.map(([at, what]) => [at - since, what])).toEqual([
      [0, 'login'],
      [50, 'may print'],
      [50, 'list'],
    ]);
  });

  it('is asked once a session, of the port and the user, and not where nobody knows the port', async () => {
    const asked: unknown[] = [];
    const mayPrint: PermittedPorts['include'] = async (port, { user }) =>
      asked.push([port, user.userName]) > 0;
    const { tap, say, ends, turn } = standWith({ mayPrint });
    await tap(alice);
    say('release');
    ends.get('one')?.();
    await turn();
    expect(asked).toEqual([[7, 'alice']]);
    const unknown = standWith({ mayPrint, outputPort: () => undefined });
    await unknown.tap(bob);
    await unknown.tap(bob);
    expect([asked.length, unknown.tickets.length]).toEqual([1, 2]);
  });

  it('that the service does not answer changes nothing, and the log says so once', async () => {
    const denied = new Problem('cloud-denied', 'no ViewOutputPort', { status: 403, delivery: 'answered' });
    const { tap, view, tickets, log } = standWith({ mayPrint: () => Promise.reject(denied) });
    await tap(alice);
    expect(view().notHere).toBeUndefined();
    await tap(alice);
    expect(tickets).toHaveLength(2);
    expect(log.records('print permission not said')).toMatchObject([
      { level: 'debug', code: 'cloud-denied' },
    ]);
    expect(log.records('printer not permitted')).toEqual([]);
  });

  it('holds up nobody for longer than a moment; a refusal that comes later counts from then on', async () => {
    const said = Promise.withResolvers<boolean>();
    const { clock, tap, view, say, turn, tickets, ends, state } = standWith({ mayPrint: () => said.promise });
    await tap(alice);
    expect(state()).toBe('listing');
    await clock.advance(milliseconds(200));
    expect([state(), view().notHere]).toEqual(['choosing', undefined]);
    say('release');
    expect(tickets).toHaveLength(1);
    said.resolve(false);
    await turn();
    ends.get('one')?.(new Problem('printer-refused-job', 'no'));
    await turn();
    expect([state(), view().notHere]).toEqual(['choosing', true]);
    say('release');
    expect(tickets).toHaveLength(1);
  });

  it('answered when the person is gone is nobody’s answer (I3)', async () => {
    const said = Promise.withResolvers<boolean>();
    const signals: AbortSignal[] = [];
    const { clock, tap, view, turn, log } = standWith({
      mayPrint: (_, { user }, { signal }) => {
        signals.push(signal);
        return user.userName === 'alice' ? said.promise : Promise.resolve(true);
      },
    });
    await tap(alice);
    await clock.advance(milliseconds(200));
    await tap(bob);
    said.resolve(false);
    await turn();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(view().notHere).toBeUndefined();
    expect(log.records('printer not permitted')).toEqual([]);
  });

  it('with autoRelease and nothing there yet: what comes in stays where it is', async () => {
    const lists = [[], [documentNamed('late')]];
    const { clock, tap, view, tickets } = standWith({
      autoRelease: true,
      mayPrint: elsewhere,
      list: async () => lists.shift() ?? [documentNamed('late')],
    });
    await tap(alice);
    await clock.advance(seconds(6));
    expect([view().waiting, view().notHere, tickets.length]).toEqual([1, true, 0]);
  });
});
