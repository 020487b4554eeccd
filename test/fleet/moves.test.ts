/** Which holds are taken, and which are given back, by what a beat saw (F11). */
import { expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { GroupSeen } from '../../src/fleet/moves.ts';
import { terminalsToTake, toGiveBack, toTake } from '../../src/fleet/moves.ts';
import { groupSeen } from './scripted-table.ts';

const taken = (seen: Partial<GroupSeen>, beatingFor = seconds(60)) =>
  toTake({ beatingFor, groups: [groupSeen(seen)] }).length === 1;

it('F11: the preferred member takes what is free at once', () => {
  expect(taken({ state: 'free', isPreferred: true, freeFor: seconds(0) })).toBe(true);
  expect(taken({ state: 'free', isPreferred: false, freeFor: seconds(0) })).toBe(false);
});

it('F11: what the preferred member leaves free, another takes after three seconds', () => {
  expect(taken({ state: 'free', isPreferred: false, freeFor: seconds(2.9) })).toBe(false);
  expect(taken({ state: 'free', isPreferred: false, freeFor: seconds(3) })).toBe(true);
});

it.each(['held', 'own'] as const)('F11: what is %s is not taken', (state) => {
  expect(taken({ state, isPreferred: true, freeFor: seconds(60) })).toBe(false);
});

it('F11: after an outage of the engine nobody takes what others had before those could come back', () => {
  const lapsed = { state: 'lapsed', isPreferred: true, freeFor: seconds(20) } as const;
  expect(taken(lapsed, seconds(4.9))).toBe(false);
  expect(taken(lapsed, seconds(5))).toBe(true);
});

it('F11: a hold goes back to the preferred member when that has stayed for 30 s, and nobody is at the terminals', () => {
  const given = (seen: Partial<GroupSeen>, isIdle = true) =>
    toGiveBack({ groups: [groupSeen({ state: 'own', isPreferred: false, ...seen })] }, () => isIdle)
      .length === 1;
  expect(given({ preferredFor: seconds(30) })).toBe(true);
  expect(given({ preferredFor: seconds(29.9) })).toBe(false);
  expect(given({ preferredFor: seconds(30) }, false)).toBe(false);
  expect(given({ preferredFor: seconds(30), isPreferred: true })).toBe(false);
  expect(given({ preferredFor: seconds(30), state: 'held' })).toBe(false);
});

it('F11: a terminal is taken together with its printer, and not without it', () => {
  const own = groupSeen({ group: 'terminal SN0001' });
  const takenWith = (printer: GroupSeen, taking: readonly GroupSeen[]) =>
    terminalsToTake([{ own, printer }], { beatingFor: seconds(60), taking });
  const free = groupSeen({});
  expect(takenWith(free, [free])).toEqual([own]);
  expect(takenWith(free, [])).toEqual([]);
  expect(takenWith(groupSeen({ state: 'held' }), [])).toEqual([]);
});

it('F11: whoever looks for the printer elsewhere leaves a terminal for six seconds to those that agree with its last holder', () => {
  const printer = groupSeen({ state: 'own' });
  const takes = (own: Partial<GroupSeen>, beatingFor = seconds(60)) =>
    terminalsToTake([{ own: groupSeen({ group: 'terminal SN0001', ...own }), printer }], {
      beatingFor,
      taking: [],
    }).length === 1;
  expect(takes({ freeFor: seconds(5.9) })).toBe(false);
  expect(takes({ freeFor: seconds(6) })).toBe(true);
  expect(takes({ freeFor: seconds(0), epoch: 0 })).toBe(true);
  expect(takes({ state: 'held', freeFor: seconds(60) })).toBe(false);
  expect(takes({ state: 'lapsed', freeFor: seconds(60) }, seconds(4.9))).toBe(false);
});
