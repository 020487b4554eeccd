/**
 * Who brings the document to the printer, and what becomes of it afterwards: `delivery` and `finish` as a person at the
 * terminal and the service see them (contract, sections 2 and 3; src/cloud/README.md 12, rows 17 to 19).
 */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { documentStatus } from '../../src/simulator/cloud/state.ts';
import type { PreparedStage, RunningStage } from '../support/agent/running-stage.ts';
import { enter, expectPrintedOnce, prepareStage, setRunningStage } from '../support/agent/running-stage.ts';

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

async function badgeForNothing({ agent, badge, clock }: RunningStage) {
  await badge();
  expect(await clock.hurry(agent.told('session closed'))).toMatchObject({ reason: 'released' });
}

describe('delivery: cloud', () => {
  it('a badge, and the service prints, records and finishes with the document by itself (I1, I2)', async () => {
    await using running = await setRunningStage(alone);
    expect(await running.release()).toMatchObject({ outcome: 'completed' });
    expect(treatment(running)).toEqual(['POST document']);
    expect([running.document.deliveries, recordedBy(running)]).toEqual([[lobby], ['service']]);
    expect(running.document.info.status).toBe(documentStatus.PRINTED);
    expectNothingFromUs(running);
    await badgeForNothing(running);
    expect(running.document.deliveries).toEqual([lobby]);
  });

  it('a printer that needs its time: the person’s session stays open until the document has left', async () => {
    await using running = await setRunningStage(alone);
    running.cloud.setDelivery(lobby, { after: seconds(1) });
    await running.badge();
    expect(await running.agent.told('release ended')).toMatchObject({ outcome: 'completed' });
    expect(recordedBy(running)).toEqual(['service']);
  });

  it('an output that is not ready is asked again after 5 s, and then prints', async () => {
    await using running = await setRunningStage(alone);
    const { cloud, clock, agent } = running;
    cloud.setDelivery(lobby, { printer: 'not-ready' });
    await running.badge();
    await cloud.waitFor(() => treatment(running).length === 1);
    cloud.setDelivery(lobby, { printer: 'ready' });
    expect(await clock.hurry(agent.told('release ended'))).toMatchObject({ outcome: 'completed' });
    expect([treatment(running).length, running.document.deliveries]).toEqual([2, [lobby]]);
  });

  it('an output that stays not ready: nothing came out, and the document waits for the next badge', async () => {
    await using running = await setRunningStage(alone);
    const { cloud, document } = running;
    cloud.setDelivery(lobby, { printer: 'not-ready' });
    expect(await running.release()).toMatchObject({ outcome: 'failed', code: 'printer-not-ready' });
    expect(treatment(running)).toHaveLength(4);
    expect([document.info.status, recordedBy(running)]).toEqual([documentStatus.READY, []]);
    cloud.setDelivery(lobby, { printer: 'ready' });
    expect(await running.release()).toMatchObject({ outcome: 'completed' });
    expectNothingFromUs(running);
  });

  it('an answer that was lost: nobody knows, and no badge asks for the document again (I1)', async () => {
    await using running = await setRunningStage(alone);
    running.cloud.setDelivery(lobby, { ends: 'never' });
    running.cloud.answerNext(request, { kind: 'answer-lost' });
    expect(await running.release()).toMatchObject({ outcome: 'unknown', code: 'outcome-unknown' });
    await badgeForNothing(running);
    expect([treatment(running), running.document.deliveries]).toEqual([['POST document'], [lobby]]);
    expect(running.document.info.status).toBe(documentStatus.READY);
    expectNothingFromUs(running);
  });

  it('an agent that ends meanwhile finds the release open, asks nobody, and stays at not knowing (I1, I11)', async () => {
    await using stage = await prepareStage(alone);
    stage.cloud.setDelivery(lobby, { ends: 'never' });
    {
      await using running = await enter(stage);
      await running.badge();
      await stage.cloud.waitFor(() => stage.document.deliveries.length === 1);
    }
    await using running = await enter(stage);
    expect(await running.agent.told('release resumed')).toMatchObject({ state: 'SERVICE-INTENT' });
    expect(await running.agent.told('release ended')).toMatchObject({ outcome: 'unknown' });
    await badgeForNothing(running);
    expect(stage.document.deliveries).toEqual([lobby]);
    expectNothingFromUs(stage);
  });
});

describe('delivery: cloud-then-local', () => {
  it('what the service takes is left to it', async () => {
    await using running = await setRunningStage(orHere);
    expect(await running.release()).toMatchObject({ outcome: 'completed' });
    expect([treatment(running), recordedBy(running)]).toEqual([['POST document'], ['service']]);
    expectNothingFromUs(running);
  });

  it('what its output will not take comes out here, once, under the same release (I1, I2, D1)', async () => {
    await using running = await setRunningStage(orHere);
    const { agent, cloud } = running;
    cloud.setDelivery(lobby, { printer: 'not-ready' });
    const ended = await running.release();
    expect(ended).toMatchObject({ outcome: 'completed' });
    expect(await agent.told('delivery refused')).toMatchObject({
      level: 'warn',
      releaseId: ended['releaseId'],
      code: 'printer-not-ready',
    });
    await expectPrintedOnce(running);
    expect([running.document.deliveries, recordedBy(running)]).toEqual([[], ['device']]);
    expect(agent.records.filter(({ msg }) => msg === 'release started')).toHaveLength(1);
  });

  it('what the service may have printed never comes out here as well (I1)', async () => {
    await using running = await setRunningStage(orHere);
    running.cloud.answerNext(request, { kind: 'answer-lost' });
    expect(await running.release()).toMatchObject({ outcome: 'unknown' });
    await badgeForNothing(running);
    expect(running.document.deliveries).toEqual([lobby]);
    expectNothingFromUs(running);
  });
});

describe('finish', () => {
  it('consume: fetched and kept until the page is out, then counted by the service as released (D6)', async () => {
    await using running = await setRunningStage({ terminal: { finish: 'consume' } });
    const { cloud, clock, document } = running;
    expect(await running.release()).toMatchObject({ outcome: 'completed' });
    await clock.hurry(cloud.waitFor(() => document.consumed));
    expect(treatment(running)).toEqual(['GET content', 'GET content']);
    expect([document.info.status, running.printer.outputs.length]).toEqual([documentStatus.PRINTED, 1]);
    await running.agent.told('history accepted');
    expect(cloud.deviations).toEqual([]);
  });

  it('consume: owed when the service refuses it, and made at its owner’s next login (contract 3)', async () => {
    await using running = await setRunningStage({ terminal: { finish: 'consume' } });
    const { agent, badge, cloud, document, printer } = running;
    await badge();
    await cloud.waitFor(() => document.fetched === 1);
    cloud.answerNext({ method: 'GET', path: content }, { kind: 'status', status: 403 });
    expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
    await agent.told('session closed');
    expect(await agent.told('deletion refused')).toMatchObject({ error: { code: 'cloud-denied' } });
    await badgeForNothing(running);
    await agent.told('owed deletion made');
    expect([document.consumed, printer.outputs.length]).toEqual([true, 1]);
    expect(treatment(running)).not.toContain('DELETE document');
  });

  it('keep: the document stays, and comes out again when it is asked for again', async () => {
    await using running = await setRunningStage({ terminal: { finish: 'keep' } });
    expect(await running.release()).toMatchObject({ outcome: 'completed' });
    expect(running.document.info.status).toBe(documentStatus.READY);
    expect(await running.release()).toMatchObject({ outcome: 'completed' });
    expect(treatment(running)).toEqual(['GET content', 'GET content']);
    expect(running.printer.outputs).toHaveLength(2);
  });

  it('keep: the service is asked to keep what it delivers', async () => {
    await using running = await setRunningStage({ terminal: { delivery: 'cloud', finish: 'keep' } });
    expect(await running.release()).toMatchObject({ outcome: 'completed' });
    expect(running.document.info.status).toBe(documentStatus.STORED);
    expectNothingFromUs(running);
  });
});
