/** What is read of the settings when a thousand gateways begin at once (F13): each in its turn, and for a person at once. */
import { describe, expect, it } from 'vitest';
import { hours, minutes, seconds } from '../../src/core/duration.ts';
import type { KeptSettings } from '../../src/domain/ports/settings.ts';
import type { StageOptions } from './settings-reading-stage.ts';
import { alice, lobbyPort, settingsReadingOn } from './settings-reading-stage.ts';

const known: KeptSettings = { port: lobbyPort, config: undefined, since: 1 };
const amongThousand = (options: StageOptions = {}) =>
  settingsReadingOn({ gateways: 1001, kept: { lobby: known }, ...options });

describe('settings among a thousand gateways that begin at once', () => {
  it('are read in their turn; who knows them from before is ready at once', async () => {
    const { reading, within, portsAsked, configsAsked, clock } = amongThousand();
    expect(await within(reading.look())).toBe(true);
    expect(reading.of('lobby').port).toEqual(lobbyPort);
    // The chance of this stage draws the middle: of five minutes, and of an hour.
    await clock.advance(seconds(149));
    expect(portsAsked).toEqual([]);
    await clock.advance(seconds(1));
    expect(portsAsked).toEqual(['device']);
    await clock.advance(minutes(27));
    expect(configsAsked).toEqual([]);
    await clock.advance(minutes(1));
    expect(configsAsked).toHaveLength(1);
  });

  it('are read at once where nothing is known of a terminal', async () => {
    const { reading, within, portsAsked } = amongThousand({ kept: {} });
    expect(await within(reading.look())).toBe(true);
    expect(portsAsked).toEqual(['device']);
    expect(reading.of('lobby').port).toEqual(lobbyPort);
  });

  it('are pulled by a badge, which waits for them only where nothing was known', async () => {
    const { reading, within, portsAsked, configsAsked, clock } = amongThousand({ ports: ['never'] });
    await clock.advance(seconds(1));
    expect(await within(reading.offer('lobby', alice))).toBe(true);
    expect(portsAsked).toEqual(['device']);
    expect(configsAsked).toHaveLength(1);
    const unknown = amongThousand({ kept: {}, ports: ['never'] });
    await unknown.clock.advance(seconds(1));
    expect(await unknown.within(unknown.reading.offer('lobby', alice))).toBe(false);
    expect(unknown.portsAsked).toEqual(['device']);
  });

  it('are pulled with the token of the user where the device may not read them', async () => {
    const { reading, clock, portsAsked } = amongThousand({ ports: ['cloud-denied', [lobbyPort]] });
    await reading.offer('lobby', alice);
    await clock.advance(seconds(1));
    expect(portsAsked).toEqual(['device', 'user']);
  });

  it('are read once for two badges', async () => {
    const { reading, clock, portsAsked, configsAsked } = amongThousand();
    for (const turn of ['first', 'second']) {
      await reading.offer('lobby', alice);
      await clock.advance(seconds(10));
      expect([turn, portsAsked.length, configsAsked.length]).toEqual([turn, 1, 1]);
    }
  });

  it('take their turns anew when the service is back', async () => {
    const { reading, settling, clock, portsAsked } = amongThousand();
    await clock.advance(hours(0.25));
    expect(portsAsked).toHaveLength(1);
    settling.begin();
    reading.readAgain();
    await clock.advance(seconds(149));
    expect(portsAsked).toHaveLength(1);
    await clock.advance(seconds(2));
    expect(portsAsked).toHaveLength(2);
  });
});
