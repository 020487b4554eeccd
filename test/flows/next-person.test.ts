import { expect, it } from 'vitest';
import { jamPrinter } from './jammed-printer.ts';

it('whoever comes while the print of the one before hangs is served at once (T29)', async () => {
  await using jam = await jamPrinter();
  const { agent, stage } = jam;
  const [hers] = stage.printer.jobs;
  // 200 ms alone on a machine (npm run bench); here others work beside us.
  expect(await jam.bobTaps()).toBeLessThan(2_000);
  expect(await agent.told('session closed')).toMatchObject({ sessionId: jam.sessionId, reason: 'badge' });

  // Her job is taken out of the printer, and nothing of her batch follows.
  const { releaseId } = await agent.told('release started');
  const ended = await agent.told('release ended', (record) => record['releaseId'] === releaseId);
  const detail = 'the printer stood still when the person left';
  expect(ended).toMatchObject({ outcome: 'unknown', code: 'printer-stalled', detail });
  expect(hers?.state).toBe('canceled');
  expect(stage.printer.outputs).toEqual([]);

  // His own waits for nobody but the printer.
  await stage.printer.clear();
  expect(await agent.told('session closed')).toMatchObject({ reason: 'released' });
  expect(stage.printer.jobs.map(({ state }) => state)).toEqual(['canceled', 'completed']);
});
