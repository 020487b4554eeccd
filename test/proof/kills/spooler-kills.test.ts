/**
 * A real CUPS killed a few times in mid job: no second copy comes out whole, and no outcome is told as better than it
 * is (I1, D15). Fifty kills of each kind are `npm run campaign -- --program cupsd`.
 */
import { expect, it } from 'vitest';
import { killOften } from '../../campaign/spooler-kills.ts';
import { needsPeer } from '../../support/needs.ts';

/** Of the moments: always the same; the campaign throws others. */
const seed = 15;

needsPeer('cupsd', 'cups-daemon')('CUPS', () => {
  needsPeer('lpadmin', 'cups-client')('killed and started again', () => {
    it.each([
      ['one by one', {}],
      ['all at once', {}],
      ['all at once', { isEmptied: true }],
    ] as const)('before a printer that takes connections %s, %o', async (takes, how) => {
      const order = { seed, runs: 3 };
      const { table, violations } = await killOften({ takes, dirtyCleanInterval: 0, ...how }, order);
      process.stdout.write(`\n3 kills, ${takes}, seed ${seed}\n\n${table}\n`);
      expect(violations).toEqual([]);
    });
  });
});
