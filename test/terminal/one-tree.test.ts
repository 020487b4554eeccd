/** Machines that share their tree of states, and nothing else. */
import { expect, it } from 'vitest';
import { createActor, setup } from 'xstate';
import { withOwn } from '../../src/terminal/one-tree.ts';

const machine = setup({
  actions: { tell: (_, _params: { what: string }) => {} },
  guards: { isOpen: () => false },
  delays: { pause: 1_000 },
}).createMachine({
  initial: 'shut',
  states: {
    shut: { on: { PUSH: { guard: 'isOpen', target: 'open' } } },
    open: { entry: { type: 'tell', params: { what: 'opened' } }, after: { pause: 'shut' } },
  },
});

it('does as its own implementations say, and the one beside it as its own', () => {
  const reported: string[] = [];
  const [left, right] = ['left', 'right'].map((name) =>
    createActor(
      withOwn(machine, {
        actions: { tell: (_, { what }) => void reported.push(`${name} ${what}`) },
        guards: { isOpen: () => name === 'left' },
      }),
    ).start(),
  );
  for (const actor of [left, right]) actor?.send({ type: 'PUSH' });
  expect(reported).toEqual(['left opened']);
  expect([left, right].map((actor) => actor?.getSnapshot().value)).toEqual(['open', 'shut']);
  for (const actor of [left, right]) actor?.stop();
});

it('leaves the first machine as it was, and keeps what it was not given', () => {
  const own = withOwn(machine, { guards: { isOpen: () => true } });
  expect(own.root).toBe(machine.root);
  expect(own.implementations.delays).toEqual({ pause: 1_000 });
  const actor = createActor(machine).start();
  actor.send({ type: 'PUSH' });
  expect(actor.getSnapshot().value).toBe('shut');
  actor.stop();
});
