import { expect, it } from 'vitest';
import { namedTerminal } from '../../src/commands/named-terminal.ts';

const terminals = [{ id: 'lobby' }, { id: 'hall' }];

it('asks whether a near terminal was meant, and names those there are', () => {
  expect(namedTerminal(terminals, 'hall')).toBe(terminals[1]);
  expect(() => namedTerminal(terminals, 'loby')).toThrow(
    'There is no terminal loby. Did you mean lobby? Terminals: lobby, hall.',
  );
  expect(() => namedTerminal(terminals, 'attic')).toThrow(
    'There is no terminal attic. Terminals: lobby, hall.',
  );
});
