/** From a reader's number to the terminal, and what is told of numbers that do not fit. */
import { expect, it } from 'vitest';
import { parseCardRule } from '../../src/domain/card/rule-text.ts';
import { CardNumber } from '../../src/domain/card/card-number.ts';
import type { Condition } from '../../src/domain/condition.ts';
import type { Problem } from '../../src/domain/problem/problem.ts';
import { Badges } from '../../src/terminal/badges.ts';
import type { TerminalInput } from '../../src/terminal/events.ts';
import { recordLog } from '../support/recorded-log.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

function cardsBy(rule: string) {
  const taken: string[] = [];
  const refused: Problem[] = [];
  const unreadable: string[] = [];
  const conditions = new Map<string, Condition>();
  const log = recordLog();
  const badges = new Badges({
    readers: [],
    terminal: {
      id: 'lobby',
      tell(input: TerminalInput) {
        if (input.type === 'card') taken.push(input.card.reveal());
        if (input.type === 'card-unreadable') refused.push(input.problem);
      },
      view: { current: () => ({ generation: 1, state: 'prompting', sentence: '', waiting: 0 }) },
    },
    format: () => ({ rule: parseCardRule(rule), decimal: false, trim: false }),
    conditions: {
      raise: (condition) => void conditions.set(condition.subject, condition),
      clear: (_scope, subject) => void conditions.delete(subject),
    },
    relay: () => ({ release: () => Promise.reject(new Error('no badge is relayed here')) }),
    signalAt: () => {},
    counted: { cardUnreadable: ({ reader }) => void unreadable.push(reader), cardRelayed: () => {} },
    clock: createSteeredClock(),
    log: log.log,
  });
  const read = (number: string) => badges.read({ reader: 'desk', card: new CardNumber(number) });
  return { read, taken, refused, unreadable, log, conditions: () => [...conditions.values()] };
}

it('the rule is applied once', () => {
  const { read, taken } = cardsBy('ReverseBytes');
  read('A1B2C3');
  expect(taken).toEqual(['C3B2A1']);
});

it('a number that the rule does not fit reaches the person and the counter, and no log shows it (I5)', () => {
  const { read, taken, refused, unreadable, log } = cardsBy('Hex2Dec');
  read('SECRET-99');
  expect([taken, unreadable, refused.map(({ code }) => code)]).toEqual([
    [],
    ['desk'],
    ['card-not-convertible'],
  ]);
  expect(log.records('card not converted')).toMatchObject([{ reader: 'desk', code: 'card-not-convertible' }]);
  expect(JSON.stringify(log.records('card not converted'))).not.toContain('SECRET-99');
});

it('a reader whose numbers change their shape is a condition until they are as before', () => {
  const { read, conditions } = cardsBy('');
  for (let card = 0; card < 10; card += 1) read(`04A1B2C${card}`);
  for (const card of ['1157', '1158', '1159']) read(card);
  expect(conditions()).toEqual([
    {
      code: 'card-shape-changed',
      severity: 'warning',
      scope: 'lobby',
      subject: 'numbers of desk',
      detail: 'desk gives 4 decimal digits now, and gave 8 hexadecimal digits',
    },
  ]);
  read('04A1B2C3');
  expect(conditions()).toEqual([]);
});
