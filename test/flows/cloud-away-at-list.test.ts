/** The service goes away while somebody stands at the page: what was wished and what waits stays, and they hear of it. */
import { expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { launchPage } from '../support/agent/kiosk-page.ts';
import { watchScreen } from '../support/agent/screen.ts';
import { prepareOutage, visitReady } from './outage.ts';

/** alice is at her list, with a document that she will print and one that she will not. */
async function aliceAtList() {
  await using opened = new AsyncDisposableStack();
  const outage = opened.use(await prepareOutage({ terminal: { session: { autoRelease: false } } }));
  const second = outage.cloud.addDocument({ owner: 'alice', name: 'Second.pdf', pages: 1 });
  const visited = opened.use(await visitReady(outage));
  const page = await launchPage(outage, visited.agent);
  const screen = opened.use(await watchScreen(visited.agent, page));
  await visited.badge();
  const names = () =>
    screen.views
      .at(-1)
      ?.documents?.filter(({ standing }) => standing === 'releasable')
      .map(({ name }) => name);
  const notice = () => screen.views.at(-1)?.notice?.code;
  await outage.clock.hurry(screen.shows(({ documents }) => documents?.length === 2));
  const held = opened.move();
  return {
    outage,
    visited,
    page,
    screen,
    second,
    names,
    notice,
    say: (command: 'release' | 'look-again') =>
      page.say({
        command,
        generation: screen.views.at(-1)?.generation ?? 0,
        ...(command === 'release' && { documentUuids: [outage.document.info.uuid] }),
      } as Parameters<typeof page.say>[0]),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

it('with their pages on the way: they read that those came out, and what waits, and may look again (I12)', async () => {
  await using stage = await aliceAtList();
  const { outage, visited, screen, names, notice, say } = stage;
  await outage.printer.behave({ kind: 'hold' });
  expect(await say('release')).toBe(204);
  await outage.clock.hurry(outage.printer.waitFor(() => outage.printer.jobs[0]?.transfer === 'over'));
  await outage.begin();
  await outage.printer.clear();
  expect(await outage.clock.hurry(visited.agent.told('release ended'))).toMatchObject({
    outcome: 'completed',
  });
  await outage.clock.hurry(screen.shows(({ state, progress }) => state === 'choosing' && !!progress));
  expect(screen.views.at(-1)).toMatchObject({
    progress: [{ name: 'Quarterly report.pdf', stage: 'printed' }],
    notice: { code: 'list-stale' },
  });
  expect(names()).toEqual(['Second.pdf']);
  await outage.end();
  expect(await say('look-again')).toBe(204);
  await outage.clock.hurry(screen.shows(() => notice() === 'nothing-new'));
  expect(names()).toEqual(['Second.pdf']);
});

it('and nothing on the way: they hear within 5 s that it is away, and of its return', async () => {
  await using stage = await aliceAtList();
  const { outage, screen, names, notice } = stage;
  await outage.begin();
  const heard = screen.shows(() => notice() === 'list-stale');
  expect(await outage.clock.spanOf(heard)).toBeLessThanOrEqual(seconds(5));
  expect(names()).toEqual(['Quarterly report.pdf', 'Second.pdf']);
  await outage.end();
  await outage.clock.hurry(screen.shows(() => notice() === undefined));
});
