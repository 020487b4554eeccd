/**
 * Nothing of a person is within reach of the terminal when they have left: no object that came with them is alive, by
 * whatever closure, listener, actor or timer, while the terminal lives on (I3; B.4, 10). For the whole agent, strings
 * included, see `test/flows/session-memory.test.ts`.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { hours, minutes } from '../../src/core/duration.ts';
import { Secret } from '../../src/core/secret.ts';
import { CardNumber } from '../../src/domain/card/card-number.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { bob, documentNamed, terminalStage } from '../support/terminal/terminal-stage.ts';
import { eventually } from '../support/patience.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What one person brings to the terminal. */
function personal() {
  const alive = new Map<string, WeakRef<object>>();
  const watched = <Thing extends object>(what: string, thing: Thing): Thing => {
    alive.set(what, new WeakRef(thing));
    return thing;
  };
  return {
    card: () => watched('card', new CardNumber('04A1B2C3D4')),
    async login() {
      const user = { id: 1, providerId: 3, userName: 'alice', fullName: 'Alice' };
      const token = { value: watched('token', new Secret('token')), expiresAt: hours(1) };
      return watched('login', { user: watched('user', user), token });
    },
    list: async () => [documentNamed('one'), documentNamed('two')].map((one) => watched(one.uuid, one)),
    names: () => [...alive.keys()].toSorted(),
    left: () => [...alive].filter(([, one]) => one.deref() !== undefined).map(([what]) => what),
  };
}

type Stand = ReturnType<typeof terminalStage>;
const shown = ({ terminal }: Stand) => ({ generation: terminal.view.current().generation });

const ways: readonly (readonly [string, (one: Stand) => unknown])[] = [
  ['logs out', (one) => one.terminal.tell({ type: 'log-out', ...shown(one) })],
  ['walks away', (one) => one.clock.advance(minutes(1))],
  ['gives way to another badge', (one) => one.tap(bob)],
  [
    'takes the card away',
    (one) => one.terminal.tell({ type: 'card-removed', card: new CardNumber('04A1B2C3D4') }),
  ],
  [
    'is followed by a badge that nobody can read',
    (one) => one.terminal.tell({ type: 'card-unreadable', problem: unreadable() }),
  ],
  ['is there when the agent ends', (one) => one.stop.abort()],
];
const unreadable = () => new Problem('card-not-convertible', 'no rule fits');

describe('nothing is left of a person who', () => {
  it.each(ways)('%s while the costs are asked for', async (_how, leave) => {
    const person = personal();
    let isAlice = true;
    const one = terminalStage({
      login: async () => (isAlice ? person.login() : Promise.reject(unreadable())),
      list: person.list,
      // The answer never comes; who asked is told to stop.
      quote: (_wanted, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', reject)),
    });
    await one.tap(person.card());
    expect(one.state()).toBe('choosing');
    one.signals.length = 0;
    collectGarbage();
    expect(person.left().toSorted()).toEqual(person.names());

    isAlice = false;
    await leave(one);
    await one.turn();
    one.signals.length = 0;
    // What the engine works on beside us may hold something for a moment; only what stays is a leftover.
    await eventually(() => {
      collectGarbage();
      expect(person.left()).toEqual([]);
    });
    expect(one.terminal.view.current().waiting).toBe(0);
  });
});
