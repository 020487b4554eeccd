import { expect, it } from 'vitest';
import { endOfMoment, moment } from '../../src/commands/terminal-text/moment.ts';
import { isoWithOffset, parseInstant } from '../../src/core/clock.ts';

const now = parseInstant('2026-11-22T10:20:30') ?? 0;
const local = (wall: number) => isoWithOffset(wall).slice(0, 19);

it.each([
  ['10s', '2026-11-22T10:20:20'],
  ['30m', '2026-11-22T09:50:30'],
  ['2d', '2026-11-20T10:20:30'],
  ['10:15', '2026-11-22T10:15:00'],
  ['10:20', '2026-11-22T10:20:00'],
  ['10:21', '2026-11-21T10:21:00'],
  ['10:15:07', '2026-11-22T10:15:07'],
  ['2026-11-20', '2026-11-20T00:00:00'],
  ['2026-11-20 10:15', '2026-11-20T10:15:00'],
])('%s is %s on the clock of this machine', (text, wanted) => {
  expect(local(moment(text)(now))).toBe(wanted);
});

it('a time with its zone is that of the zone', () => {
  expect(moment('2026-11-20T10:15:00Z')(now)).toBe(Date.UTC(2026, 10, 20, 10, 15));
});

it.each(['', 'lately', '25:00', '10:60', '30x', '2026-13-01'])('%j is no moment', (text) => {
  expect(() => moment(text)).toThrow(/must be a time/);
});

it('a minute has happened when it is over, a second at once', () => {
  expect(local(endOfMoment('10:15')(now))).toBe('2026-11-22T10:15:59');
  expect(local(endOfMoment('2026-11-20 10:15')(now))).toBe('2026-11-20T10:15:59');
  expect(local(endOfMoment('10:15:07')(now))).toBe('2026-11-22T10:15:07');
});
