/** A printer that is not this person's says so before they choose, and gives them nothing; another service that refuses to say changes nothing. */
import { expect, it } from 'vitest';
import type { SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { everydayPermissions } from '../../src/simulator/cloud/permissions.ts';
import { standInFront } from './front.ts';
import { aliceCard, bobCard, setStage } from '../support/agent/stage.ts';

async function atTheReader(prepare: (cloud: SimulatedCloud) => void = () => {}) {
  await using opened = new AsyncDisposableStack();
  const stage = opened.use(await setStage());
  prepare(stage.cloud);
  const agent = await stage.start();
  await agent.told('output port found');
  const { page, passerBy, at, is } = await standInFront(stage, agent, opened);
  const held = opened.move();
  return { stage, agent, page, at, is, passerBy, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

it('nothing is released, by touch or by autoRelease; they may delete, and the next person prints', async () => {
  await using front = await atTheReader(({ state }) => {
    state.outputPorts = state.outputPorts.map((port) => ({ ...port, autoRelease: true }));
    // The ports are another account's.
    state.users = state.users.map((one) => (one.userName === 'alice' ? { ...one, accountId: 99 } : one));
  });
  const { stage, agent, page, at, is, passerBy } = front;
  const { cloud, printer, reader } = stage;
  reader.tap(aliceCard);
  await is('choosing');
  expect(at()).toMatchObject({ notHere: true, documents: expect.arrayContaining([expect.anything()]) });
  expect(JSON.stringify(passerBy.views)).not.toMatch(/notHere|may not print/);
  const documentUuids = (at()?.documents ?? []).slice(0, 1).map(({ uuid }) => uuid);
  const generation = at()?.generation ?? 0;
  expect(await page.say({ command: 'release', documentUuids, generation })).toBe(409);
  expect(await page.say({ command: 'delete', documentUuids, generation })).toBe(204);
  await agent.told('documents deleted');
  const { sessionId } = await agent.told('session opened');
  expect(await agent.told('printer not permitted')).toMatchObject({ level: 'info', sessionId });
  stage.awaitAnotherBadge();
  reader.tap(bobCard);
  await agent.told('release ended');
  expect(printer.jobs.length).toBeGreaterThan(0);
  expect(agent.records.filter(({ msg }) => msg === 'release ended')).not.toContainEqual(
    expect.objectContaining({ sessionId }),
  );
  const asked = cloud.calls.filter(({ query }) => query.includes('username='));
  expect(asked.filter(({ path }) => path === '/api/v1/outputports').map(({ query }) => query)).toEqual([
    expect.stringMatching(/^username=alice&providerid=\d+$/),
    expect.stringMatching(/^username=bob&providerid=\d+$/),
  ]);
  expect(cloud.deviations).toEqual([]);
});

it('where the service refuses to say, all is as ever', async () => {
  const permissions = everydayPermissions.filter((permission) => permission !== 'ViewOutputPort');
  await using front = await atTheReader(({ state }) => {
    state.users = state.users.map((one) => ({ ...one, permissions }));
  });
  const { stage, agent, at, is } = front;
  stage.reader.tap(aliceCard);
  await is('choosing');
  expect(at()).not.toHaveProperty('notHere');
  await agent.told('print permission not said');
  stage.awaitSameBadge();
  stage.reader.tap(aliceCard);
  expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
  expect(agent.records.filter(({ msg }) => msg === 'print permission not said')).toMatchObject([
    { level: 'debug', code: 'cloud-denied' },
  ]);
});
