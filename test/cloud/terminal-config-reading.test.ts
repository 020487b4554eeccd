import { describe, expect, it } from 'vitest';
import { hours, minutes, seconds } from '../../src/core/duration.ts';
import type { OutputPort } from '../../src/domain/output-port.ts';
import { alice, settingsReadingOn, lobbyPort } from './settings-reading-stage.ts';

const many = Array.from({ length: 250 }, (_, at) => `t${at}`);

describe('the terminal configs', () => {
  it('are read once for each terminal, and again an hour later', async () => {
    const { reading, configsAsked, clock } = settingsReadingOn({ configs: [{ printEnabled: false }] });
    await clock.advance(minutes(59));
    expect([configsAsked.length, reading.of('lobby').config]).toEqual([1, { printEnabled: false }]);
    await clock.advance(minutes(2));
    expect(configsAsked.map(({ serial }) => serial)).toEqual(['SN-0001', 'SN-0001']);
  });

  it('that are not there leave the local settings', async () => {
    const { reading, clock } = settingsReadingOn({ configs: [{ printEnabled: false }, undefined] });
    await clock.advance(hours(2));
    expect(reading.of('lobby').config).toBeUndefined();
  });

  it('of 250 terminals are asked for one after the other, 0.2 a second at most after the first round', async () => {
    const { configsAsked, clock } = settingsReadingOn({ terminals: many });
    await clock.advance(hours(2));
    const gaps = configsAsked.slice(1).map(({ at }, before) => at - (configsAsked[before]?.at ?? 0));
    expect(new Set(configsAsked.slice(0, 250).map(({ serial }) => serial)).size).toBe(250);
    expect(Math.min(...gaps.slice(0, 249))).toBe(seconds(1));
    expect(Math.min(...gaps.slice(249))).toBeGreaterThanOrEqual(seconds(6));
    expect(configsAsked.length).toBeLessThan(3 * 250);
  });

  it('that cannot be read keep the last good copy, and cost one call in five minutes, not 250', async () => {
    const { reading, configsAsked, clock } = settingsReadingOn({
      terminals: many,
      configs: [{ printEnabled: false }, 'cloud-unreachable'],
    });
    await clock.advance(hours(1));
    expect(configsAsked.length).toBeLessThan(22);
    expect(reading.of('t0').config).toEqual({ printEnabled: false });
  });

  it('are read anew as soon as the service is back', async () => {
    const { reading, configsAsked, clock } = settingsReadingOn({
      configs: ['cloud-unreachable', { printEnabled: true }],
    });
    await clock.advance(seconds(1));
    reading.readAgain();
    await clock.advance(seconds(0));
    expect([configsAsked.length, reading.of('lobby').config]).toEqual([2, { printEnabled: true }]);
  });

  it('are not asked for again for an hour after a 403, but by the next user', async () => {
    const { reading, configsAsked, clock, within } = settingsReadingOn({
      configs: ['cloud-denied', { printEnabled: false }],
    });
    await clock.advance(minutes(50));
    expect(configsAsked.map(({ by }) => by)).toEqual(['device']);
    await within(reading.offer('lobby', alice));
    expect([configsAsked.at(-1)?.by, reading.of('lobby').config]).toEqual(['user', { printEnabled: false }]);
  });

  it.each<[string, Partial<OutputPort>]>([
    ['id', { id: 8 }],
    ['address', { address: '10.0.0.8' }],
  ])('are read anew when the output port gets another %s', async (_what, change) => {
    const { configsAsked, clock } = settingsReadingOn({
      kept: { lobby: { since: 0, port: lobbyPort } },
      ports: ['cloud-busy', [{ ...lobbyPort, ...change }]],
    });
    await clock.advance(seconds(1));
    expect(configsAsked).toHaveLength(1);
    await clock.advance(minutes(1));
    expect(configsAsked).toHaveLength(2);
  });
});
