/** The person who comes while the print of the one before hangs, at a printer that has stopped in the middle. */
import { expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { forwardClock } from '../support/forward-clock.ts';
import { aliceCard, bobCard, setStage } from '../support/agent/stage.ts';

it('whoever comes while the print of the one before hangs is served at once (T29)', async () => {
  const clock = forwardClock();
  await using stage = await setStage({ clock, terminal: { session: { autoRelease: true } } });
  const { printer, reader } = stage;
  await using agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');
  await printer.behave({ kind: 'jam', afterPages: 0 });
  reader.tap(aliceCard);
  await agent.told('card read');
  const { sessionId } = await agent.told('session opened');
  await clock.hurry(printer.waitFor(() => printer.jobs.some(({ state }) => state === 'processing-stopped')));
  const [hers] = printer.jobs;
  // By then the agent knows that the printer stands.
  const looks = () => printer.requests.filter(({ operation }) => operation === 'Get-Job-Attributes').length;
  const before = looks();
  await clock.hurry(printer.waitFor(() => looks() > before + 1));

  stage.awaitAnotherBadge();
  reader.tap(bobCard);
  await clock.standStill(agent.told('card read'));
  // Nothing of his login waits for a time to pass; how long it takes is measured (npm run bench).
  expect(await clock.spanOf(agent.told('session opened'))).toBeLessThan(seconds(1));
  expect(await agent.told('session closed')).toMatchObject({ sessionId, reason: 'badge' });

  // Her job is taken out of the printer, and nothing of her batch follows.
  const { releaseId } = await agent.told('release started');
  const ended = await clock.hurry(agent.told('release ended', (record) => record['releaseId'] === releaseId));
  const detail = 'the printer stood still when the person left';
  expect(ended).toMatchObject({ outcome: 'unknown', code: 'printer-stalled', detail });
  expect(hers?.state).toBe('canceled');
  expect(printer.outputs).toEqual([]);

  // His own waits for nobody but the printer.
  await printer.clear();
  expect(await clock.hurry(agent.told('session closed'))).toMatchObject({ reason: 'released' });
  expect(printer.jobs.map(({ state }) => state)).toEqual(['canceled', 'completed']);
});
