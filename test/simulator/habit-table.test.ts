/** The tables of habits, and wishes that are none. */
import { expect, test } from 'vitest';
import type { HabitTable } from '../../src/simulator/habit-table.ts';
import { habitsFrom, mistakeIn } from '../../src/simulator/habit-table.ts';
import { printerHabits } from '../../src/simulator/printer/habits/habits.ts';
import { socketPrinterHabits } from '../../src/simulator/printer/raw/socket-habits.ts';

const tables: readonly HabitTable[] = [printerHabits, socketPrinterHabits];

test.each(tables.flatMap((table) => Object.entries(table)))(
  '%s has its source, and a usual value of its own form',
  (_, { does, who, source, value }) => {
    expect(source).toMatch(/^(?:https:\/\/\S+|RFC \d+ .+)$/);
    expect([does, who]).toEqual([expect.stringMatching(/\S/), expect.stringMatching(/\S/)]);
    expect(value?.form.test(value.usual) ?? true).toBe(true);
  },
);

test.each([
  ['counts-late', undefined],
  ['cuts-names=80', undefined],
  ['cuts-names=abc', 'the value of the habit cuts-names is octets, from 1 to 255; "abc" is not'],
  ['cuts-names=256', 'the value of the habit cuts-names is octets, from 1 to 255; "256" is not'],
  ['slow-rip=-1', 'the value of the habit slow-rip is seconds, from 0 to 86400; "-1" is not'],
  ['cuts-names=', 'the value of the habit cuts-names is octets, from 1 to 255; "" is not'],
  ['counts-late=1', 'the habit counts-late has no value'],
])('the wish %s: %s', (wish, mistake) => {
  expect(mistakeIn(printerHabits, wish)).toBe(mistake);
});

test.each(['sings', 'toString', ''])('a wish for %j is told with the known ones', (wish) => {
  expect(mistakeIn(printerHabits, wish)).toContain(`no habit is called ${wish}. Known are: counts-late, `);
});

test('a wish with a mistake makes no printer', () => {
  expect(() => habitsFrom(printerHabits, ['cuts-names=many'])).toThrow(TypeError);
});

test('a value is what was wished for, else the usual one; without the habit there is none', () => {
  const habits = habitsFrom(printerHabits, ['cuts-names', 'slow-rip=7']);
  expect(habits.number('cuts-names')).toBe(63);
  expect(habits.value('slow-rip')).toBe('7');
  expect(habits.number('warm-up')).toBeUndefined();
  expect([habits.has('cuts-names'), habits.has('warm-up')]).toEqual([true, false]);
});
