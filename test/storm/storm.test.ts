/**
 * Gateways that all begin in one second (F13): a part of a thousand, who know that they are a thousand. The whole thousand is
 * `npm run bench -- Storm`.
 */
import { describe, expect, it } from 'vitest';
import { minutes } from '../../src/core/duration.ts';
import { powerCut, rollingUpdate, serviceReturns } from './crowd.ts';

/** At the pace of a gateway alone: the rest is then 1.67 reports a second of ten gateways, and little else. */
const options = { gateways: 60, terminals: 10, intervalSeconds: 60, watched: minutes(7) };
const restOfReports = (options.gateways * options.terminals) / options.intervalSeconds;

describe.each([
  ['after the service was away for an hour', serviceReturns],
  ['while a tenth is updated each minute', rollingUpdate],
])('%s', (_moment, scene) => {
  it('no second comes in which half of the gateways ask at all, and nobody who badges waits', async () => {
    // At the pace of a fleet. A storm would be all their terminals in one second.
    const few = { ...options, gateways: 30, intervalSeconds: 900 };
    const { busiest, ready, badge } = await scene({ ...few, known: 1001 });
    expect(busiest.total).toBeLessThan(few.gateways / 2);
    expect({ ready, badge }).toEqual({ ready: 0, badge: 0 });
  });
});

describe('after a power cut', () => {
  it('asks less than twice the load of rest in its busiest second, and nobody who badges waits', async () => {
    const { busiest, ready, read, window, badge } = await powerCut({ ...options, known: 1001 });
    // Sixty are few: of ten reports a second chance makes twenty in some second, of a hundred and sixty never 320.
    const chance = 4 * Math.sqrt(restOfReports);
    expect(busiest.total).toBeLessThan(2 * restOfReports + chance);
    expect({ ready, badge }).toEqual({ ready: 0, badge: 0 });
    expect(window).toBeGreaterThan(290);
    expect(read).toBeLessThanOrEqual(window + 1);
  });

  it('asked more than twenty times the load of rest where no gateway knew of the others', async () => {
    const { busiest } = await powerCut({ ...options, known: 1, watched: minutes(2) });
    expect(busiest.total).toBeGreaterThan(20 * restOfReports);
  });
});
