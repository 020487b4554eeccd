/** The engine at its edges, on which the fleet's campaign is played, is as slow, and as little believed, as a fault says (F2). */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { EdgeLine } from '../../support/fleet/edge-host.ts';
import { startEdgeHost } from '../../support/fleet/edge-host.ts';
import { addressOf, runEngine } from '../../support/fleet/fleet-engine.ts';
import { needsPostgres } from '../../support/fleet/postgres.ts';
import { needsRoot } from '../../support/needs.ts';

const delay = 150;

needsPostgres()('an engine at its edges', () => {
  needsRoot()('on a disk of its own', () => {
    it('answers late by a slow line, and nobody by a line that does not believe its new certificate', async () => {
      await using host = await startEdgeHost(2);
      const url = await host.postgres.newDatabase();
      const address = (line: EdgeLine) => addressOf(line.url(url), (file) => readFileSync(file, 'utf8'));
      const [slow, quick] = host.lines;
      if (!slow || !quick) throw new RangeError('an engine without lines');
      slow.slow({ delay, loss: 10 });
      await using late = runEngine(address(slow), { member: { name: 'late' } });
      const state = await late.until('up');
      expect(state.is === 'up' && state.facts.roundTrip).toBeGreaterThanOrEqual(2 * delay);

      await using other = runEngine(address(quick), { addressAgain: () => address(quick) });
      await other.until('up');
      await host.showNext();
      quick.cut();
      quick.mend();
      expect(await other.until('away')).toMatchObject({ problem: { code: 'fleet-engine-away' } });
      await expect.poll(() => other.condition()?.code).toBe('fleet-engine-refused');
      quick.believe(host.authority());
      await other.until('up');
    });
  });
});
