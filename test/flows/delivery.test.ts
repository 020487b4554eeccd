/**
 * Who brings the document to the printer, and what becomes of it afterwards: `delivery` and `finish` as a person at the
 * terminal and the service see them (contract, sections 2 and 3; src/cloud/README.md 12, rows 17 to 19).
 */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { documentStatus } from '../../src/simulator/cloud/state.ts';
import type { PreparedStage, Scene } from '../faults/scene.ts';
import { enter, expectPrintedOnce, prepareStage, setScene } from '../faults/scene.ts';

/** The output port of the terminal in the service. */
const lobby = 7;
const request = { method: 'POST', path: '/SN-0001' };
const content = /\.content$/;
const alone = { terminal: { delivery: 'cloud' } };
const orHere = { terminal: { delivery: 'cloud-then-local' } };

/** Every call about the document, in their order. */
const treatment = ({ cloud, document }: PreparedStage): readonly string[] =>
  cloud.calls
    .filter(({ path }) => path.includes(`/documents/${document.info.uuid}`))
    .map(({ method, path }) => `${method} ${content.test(path) ? 'content' : 'document'}`);
const recordedBy = ({ cloud }: PreparedStage) => cloud.state.history.map(({ recordedWith }) => recordedWith);

function expectNothingFromUs({ printer, cloud, document }: PreparedStage): void {
  expect([printer.jobs, document.fetched]).toEqual([[], 0]);
  expect([...cloud.deviations, ...printer.deviations]).toEqual([]);
}

async function badgeForNothing({ agent, badge }: Scene) {
  badge();
  expect(await agent.told('session closed')).toMatchObject({ reason: 'released' });
}

describe('delivery: cloud', () => {
  it('a badge, and the service prints, records and finishes with the document by itself (I1, I2)', async () => {
    await using scene = await setScene(alone);
    expect(await scene.release()).toMatchObject({ outcome: 'completed' });
    expect(treatment(scene)).toEqual(['POST document']);
    expect([scene.document.deliveries, recordedBy(scene)]).toEqual([[lobby], ['service']]);
    expect(scene.document.info.status).toBe(documentStatus.PRINTED);
    expectNothingFromUs(scene);
    await badgeForNothing(scene);
    expect(scene.document.deliveries).toEqual([lobby]);
  });

  it('a printer that needs its time: the person’s session stays open until the document has left', async () => {
    await using scene = await setScene(alone);
    scene.cloud.setDelivery(lobby, { after: seconds(1) });
    expect(await scene.release()).toMatchObject({ outcome: 'completed' });
    expect(recordedBy(scene)).toEqual(['service']);
  });

  it('an output that is not ready is asked again after 5 s, and then prints', async () => {
    await using scene = await setScene(alone);
    const { cloud, clock, agent } = scene;
    cloud.setDelivery(lobby, { printer: 'not-ready' });
    scene.badge();
    await cloud.waitFor(() => treatment(scene).length === 1);
    cloud.setDelivery(lobby, { printer: 'ready' });
    expect(await clock.hurry(agent.told('release ended'))).toMatchObject({ outcome: 'completed' });
    expect([treatment(scene).length, scene.document.deliveries]).toEqual([2, [lobby]]);
  });

  it('an output that stays not ready: nothing came out, and the document waits for the next badge', async () => {
    await using scene = await setScene(alone);
    const { cloud, document } = scene;
    cloud.setDelivery(lobby, { printer: 'not-ready' });
    expect(await scene.release()).toMatchObject({ outcome: 'failed', code: 'printer-not-ready' });
    expect(treatment(scene)).toHaveLength(4);
    expect([document.info.status, recordedBy(scene)]).toEqual([documentStatus.READY, []]);
    cloud.setDelivery(lobby, { printer: 'ready' });
    expect(await scene.release()).toMatchObject({ outcome: 'completed' });
    expectNothingFromUs(scene);
  });

  it('an answer that was lost: nobody knows, and no badge asks for the document again (I1)', async () => {
    await using scene = await setScene(alone);
    scene.cloud.setDelivery(lobby, { ends: 'never' });
    scene.cloud.answerNext(request, { kind: 'answer-lost' });
    expect(await scene.release()).toMatchObject({ outcome: 'unknown', code: 'outcome-unknown' });
    await badgeForNothing(scene);
    expect([treatment(scene), scene.document.deliveries]).toEqual([['POST document'], [lobby]]);
    expect(scene.document.info.status).toBe(documentStatus.READY);
    expectNothingFromUs(scene);
  });

  it('an agent that ends meanwhile finds the release open, asks nobody, and stays at not knowing (I1, I11)', async () => {
    await using stage = await prepareStage(alone);
    stage.cloud.setDelivery(lobby, { ends: 'never' });
    {
      await using scene = await enter(stage);
      scene.badge();
      await stage.cloud.waitFor(() => stage.document.deliveries.length === 1);
    }
    await using scene = await enter(stage);
    expect(await scene.agent.told('release resumed')).toMatchObject({ state: 'SERVICE-INTENT' });
    expect(await scene.agent.told('release ended')).toMatchObject({ outcome: 'unknown' });
    await badgeForNothing(scene);
    expect(stage.document.deliveries).toEqual([lobby]);
    expectNothingFromUs(stage);
  });
});

describe('delivery: cloud-then-local', () => {
  it('what the service takes is left to it', async () => {
    await using scene = await setScene(orHere);
    expect(await scene.release()).toMatchObject({ outcome: 'completed' });
    expect([treatment(scene), recordedBy(scene)]).toEqual([['POST document'], ['service']]);
    expectNothingFromUs(scene);
  });

  it('what its output will not take comes out here, once, under the same release (I1, I2, D1)', async () => {
    await using scene = await setScene(orHere);
    const { agent, cloud } = scene;
    cloud.setDelivery(lobby, { printer: 'not-ready' });
    const ended = await scene.release();
    expect(ended).toMatchObject({ outcome: 'completed' });
    expect(await agent.told('delivery refused')).toMatchObject({
      level: 'warn',
      releaseId: ended['releaseId'],
      code: 'printer-not-ready',
    });
    await expectPrintedOnce(scene);
    expect([scene.document.deliveries, recordedBy(scene)]).toEqual([[], ['device']]);
    expect(agent.records.filter(({ msg }) => msg === 'release started')).toHaveLength(1);
  });

  it('what the service may have printed never comes out here as well (I1)', async () => {
    await using scene = await setScene(orHere);
    scene.cloud.answerNext(request, { kind: 'answer-lost' });
    expect(await scene.release()).toMatchObject({ outcome: 'unknown' });
    await badgeForNothing(scene);
    expect(scene.document.deliveries).toEqual([lobby]);
    expectNothingFromUs(scene);
  });
});

describe('finish', () => {
  it('consume: fetched and kept until the page is out, then counted by the service as released (D6)', async () => {
    await using scene = await setScene({ terminal: { finish: 'consume' } });
    const { cloud, clock, document } = scene;
    expect(await scene.release()).toMatchObject({ outcome: 'completed' });
    await clock.hurry(cloud.waitFor(() => document.consumed));
    expect(treatment(scene)).toEqual(['GET content', 'GET content']);
    expect([document.info.status, scene.printer.outputs.length]).toEqual([documentStatus.PRINTED, 1]);
    await scene.agent.told('history accepted');
    expect(cloud.deviations).toEqual([]);
  });

  it('consume: owed when the service refuses it, and made at its owner’s next login (contract 3)', async () => {
    await using scene = await setScene({ terminal: { finish: 'consume' } });
    const { agent, badge, cloud, document, printer } = scene;
    badge();
    await cloud.waitFor(() => document.fetched === 1);
    cloud.answerNext({ method: 'GET', path: content }, { kind: 'status', status: 403 });
    expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
    await agent.told('session closed');
    expect(await agent.told('deletion refused')).toMatchObject({ error: { code: 'cloud-denied' } });
    await badgeForNothing(scene);
    await agent.told('owed deletion made');
    expect([document.consumed, printer.outputs.length]).toEqual([true, 1]);
    expect(treatment(scene)).not.toContain('DELETE document');
  });

  it('keep: the document stays, and comes out again when it is asked for again', async () => {
    await using scene = await setScene({ terminal: { finish: 'keep' } });
    expect(await scene.release()).toMatchObject({ outcome: 'completed' });
    expect(scene.document.info.status).toBe(documentStatus.READY);
    expect(await scene.release()).toMatchObject({ outcome: 'completed' });
    expect(treatment(scene)).toEqual(['GET content', 'GET content']);
    expect(scene.printer.outputs).toHaveLength(2);
  });

  it('keep: the service is asked to keep what it delivers', async () => {
    await using scene = await setScene({ terminal: { delivery: 'cloud', finish: 'keep' } });
    expect(await scene.release()).toMatchObject({ outcome: 'completed' });
    expect(scene.document.info.status).toBe(documentStatus.STORED);
    expectNothingFromUs(scene);
  });
});
