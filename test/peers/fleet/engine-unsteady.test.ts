/** A PostgreSQL that restarts again and again is told of, though each absence is over before it wakes anybody (F8). */
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { minutes } from '../../../src/core/duration.ts';
import { movedClock } from '../../../src/simulator/moved-clock.ts';
import { runEngine } from '../../support/fleet/fleet-engine.ts';
import { needsPostgres, startPostgres } from '../../support/fleet/postgres.ts';

needsPostgres()('an engine that restarts four times', () => {
  it('is unsteady from the fourth time on, up in between, and steady again after ten quiet minutes', async () => {
    await using postgres = await startPostgres();
    const clock = movedClock(systemClock);
    await using member = runEngine(await postgres.newDatabase(), { clock });
    await member.until('up');
    for (let restart = 1; restart <= 4; restart += 1) {
      expect(member.condition('engine steadiness')).toBeUndefined();
      await postgres.stop();
      await member.until('away');
      await postgres.start();
      await member.until('up');
    }
    expect(member.condition('engine steadiness')).toMatchObject({
      code: 'fleet-engine-unsteady',
      severity: 'warning',
      detail: 'the connection to it was lost 4 times in 10 minutes',
    });
    expect(member.condition()).toBeUndefined();
    clock.advance(minutes(10));
    await expect.poll(() => member.condition('engine steadiness')).toBeUndefined();
    expect(member.engine.state().is).toBe('up');
  });
});
