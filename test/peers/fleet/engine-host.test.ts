/** The lines of the fleet's campaign to its engine are cut where they say so, and nowhere else, and heal (F2). */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startEngineHost } from '../../support/fleet/engine-host.ts';
import { addressOf, runEngine } from '../../support/fleet/fleet-engine.ts';
import { needsPostgres } from '../../support/fleet/postgres.ts';
import { needsNamespaces } from '../../support/needs.ts';

const hows = ['cut', 'both', 'there', 'back'] as const;

needsPostgres()('the engine of a campaign', () => {
  needsNamespaces()('in a network of its own', () => {
    it('is away for whose line is cut or silent, up for who has another, and back when it is mended', async () => {
      await using host = await startEngineHost(hows.length + 1);
      expect(host.cuts).toMatch(/namespaces/);
      const url = await host.postgres.newDatabase();
      await using opened = new AsyncDisposableStack();
      const members = [...hows, undefined].map((how, index) => {
        const line = host.line(index);
        const address = addressOf(line.url(url), (file) => readFileSync(file, 'utf8'));
        return {
          how,
          line,
          running: opened.use(runEngine(address, { member: { name: `member-${index}` } })),
        };
      });
      await Promise.all(members.map(({ running }) => running.until('up')));
      const struck = members.flatMap((one) => (one.how === undefined ? [] : [{ ...one, how: one.how }]));
      for (const { how, line } of struck) {
        if (how === 'cut') line.cut();
        else line.silence(how);
      }
      await Promise.all(struck.map(({ running }) => running.until('away')));
      expect(members.at(-1)?.running.engine.state().is).toBe('up');
      for (const { line } of struck) line.mend();
      await Promise.all(struck.map(({ running }) => running.until('up')));
    });
  });
});
