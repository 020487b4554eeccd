/** The table of what a person may say, and the states of the terminal in which it does something. */
import { expect, it } from 'vitest';
import type { WordType } from '../../src/domain/terminal/persons-word.ts';
import { personsWords } from '../../src/domain/terminal/persons-word.ts';
import { terminalMachine } from '../../src/terminal/machine.ts';

interface States {
  readonly on?: object;
  readonly states?: Readonly<Record<string, States>>;
}

const answeredIn = ({ on = {}, states = {} }: States): readonly string[] => [
  ...Object.keys(on),
  ...Object.values(states).flatMap(answeredIn),
];

const words = Object.keys(personsWords) as readonly WordType[];
const { states = {} } = terminalMachine.config as States;
const answered = new Set(Object.values(states).flatMap(answeredIn));
/** In any state in which somebody is signed in. */
const everywhere: readonly WordType[] = ['language'];

it.each(words.filter((word) => !everywhere.includes(word)))('%s is answered in some state', (word) => {
  expect(answered).toContain(word);
});
