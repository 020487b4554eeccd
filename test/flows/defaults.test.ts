/** How a person wants their documents is kept with the badge over a restart, prints so by the badge alone, and is forgotten by one word. */
import { expect, it } from 'vitest';
import { standInFront } from './front.ts';
import type { Stage } from '../support/agent/stage.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';

async function visit(stage: Stage) {
  await using opened = new AsyncDisposableStack();
  const agent = opened.use(await stage.start());
  const { page, passerBy, at, is } = await standInFront(stage, agent, opened);
  stage.reader.tap(aliceCard);
  await is('choosing');
  const held = opened.move();
  return {
    agent,
    at,
    passerBy,
    say: (word: object) =>
      page.say({ generation: at()?.generation ?? 0, ...word } as Parameters<typeof page.say>[0]),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

it('kept today, applied tomorrow, forgotten at once', async () => {
  await using stage = await setStage();
  const { cloud, printer, reader } = stage;
  cloud.state.documents = cloud.state.documents.filter(({ owner }) => owner !== 'alice');
  cloud.addDocument({ owner: 'alice', name: 'Plan.pdf', pages: 4 });
  {
    await using today = await visit(stage);
    expect(today.at()?.defaults).toEqual({});
    expect(await today.say({ command: 'forget-defaults' })).toBe(409);
    expect(await today.say({ command: 'keep-defaults', grey: true, twoSided: true })).toBe(204);
    await expect.poll(() => today.at()?.defaults).toEqual({ kept: { grey: true, twoSided: true } });
    await today.agent.stop();
  }
  await using tomorrow = await visit(stage);
  const { agent, at, say, passerBy } = tomorrow;
  expect(at()?.documents).toMatchObject([{ color: false, sides: 'two-sided-long-edge' }]);
  expect(JSON.stringify(passerBy.views)).not.toMatch(/defaults|twoSided/);
  stage.awaitSameBadge();
  reader.tap(aliceCard);
  expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
  expect(JSON.stringify(printer.jobs[0]?.template)).toMatch(/two-sided-long-edge.*monochrome/);
  await expect.poll(() => at()?.state).toBe('prompting');

  cloud.addDocument({ owner: 'alice', name: 'Map.pdf', pages: 4 });
  stage.awaitSameBadge();
  reader.tap(aliceCard);
  await expect.poll(() => at()?.state).toBe('choosing');
  expect(await say({ command: 'forget-defaults' })).toBe(204);
  await expect.poll(() => at()?.defaults).toEqual({});
  expect(at()?.documents).toMatchObject([{ color: true, sides: 'one-sided' }]);
  expect(cloud.deviations).toEqual([]);
});
