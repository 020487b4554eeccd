/**
 * The cloud fails when the page is out, at the history record or the deletion (INVARIANTS.md B.4, 9 and D6): what goes
 * beyond one call and one fault of the standard set, which is `matrix/`.
 */
import { describe, expect, it } from 'vitest';
import { minutes } from '../../src/core/duration.ts';
import { standardFaults } from '../../src/simulator/cloud/standard-faults.ts';
import type { RunningStage } from '../support/agent/running-stage.ts';
import { expectPrintedOnce, setRunningStage } from '../support/agent/running-stage.ts';

const history = { method: 'POST', path: '/documents/history' };
const deletion = { method: 'DELETE', path: /\/documents\/[^/]+$/ };

/** Another badge when nothing may come out any more. */
async function badgeForNothing({ agent, badge, clock }: RunningStage) {
  await badge();
  expect(await clock.hurry(agent.told('session closed'))).toMatchObject({ reason: 'released' });
}

describe('a history record is kept and posted again until the cloud has it (I2, D8)', () => {
  it.each([
    ['a page of HTML', 'cloud-protocol'],
    ['no answer', 'cloud-unreachable'],
  ] as const)('%s is %s; the record arrives', async (fault, code) => {
    await using stage = await setRunningStage();
    const { agent, cloud, clock } = stage;
    cloud.answerNext(history, standardFaults[fault]);
    expect(await stage.release()).toMatchObject({ outcome: 'completed' });
    const postponed = await clock.hurry(agent.told('history postponed'));
    expect(postponed).toMatchObject({ level: 'warn', error: { code } });
    await clock.hurry(agent.told('history accepted'));
    await expectPrintedOnce(stage);
    await badgeForNothing(stage);
    expect(stage.printer.outputs).toHaveLength(1);
  });

  it.each(['trailing bytes', 'an answer lost'] as const)(
    '%s, and the cloud does not tell what it has: the record arrives twice rather than never',
    async (fault) => {
      await using stage = await setRunningStage({ cloud: { readsFor: 'users' } });
      const { agent, cloud, clock } = stage;
      cloud.answerNext(history, standardFaults[fault]);
      await stage.release();
      await clock.hurry(agent.told('history accepted'));
      await expectPrintedOnce(stage, 2);
    },
  );

  it('lost on its way, while another gateway printed the same in the same second: it is posted again', async () => {
    await using stage = await setRunningStage();
    const { agent, cloud, clock, document } = stage;
    cloud.answerNext(history, { kind: 'reset' });
    await stage.release();
    await agent.told('history postponed');
    const sent = cloud.calls.find(({ path, method }) => method === 'POST' && path.endsWith('/history'));
    const dateTime = new URLSearchParams(sent?.body).get('datetime') ?? '';
    const { totalPages, colorPages, paperSize, documentName: title } = document.info;
    const elsewhere = { serialNumber: 'SN-0002', address: undefined, outputPortId: 8 };
    cloud.state.history.push({
      uuid: 'elsewhere',
      at: Date.now(),
      jobType: 'PRINT',
      userName: 'alice',
      providerId: 3,
      title,
      totalPages,
      colorPages,
      paperSize,
      duplex: 2,
      dateTime,
      recordedWith: 'device',
      ...elsewhere,
    });
    await clock.hurry(agent.told('history accepted'));
    expect(cloud.state.history.map(({ outputPortId }) => outputPortId)).toEqual([8, 7]);
  });

  it('status 400: it becomes a dead letter, which is kept and holds up nobody', async () => {
    await using stage = await setRunningStage();
    const { agent, cloud } = stage;
    cloud.answerNext(history, standardFaults['status 400']);
    await stage.release();
    expect(await agent.told('history rejected')).toMatchObject({ error: { code: 'cloud-rejected' } });
    const next = cloud.addDocument({ owner: 'alice', name: 'Next.pdf' });
    const { releaseId } = await stage.release();
    await agent.told('history accepted', (record) => record['releaseId'] === releaseId);
    expect(cloud.state.history.map(({ title }) => title)).toEqual([next.info.documentName]);
    const metrics = await (await fetch(`${agent.operations}/metrics`)).text();
    expect(metrics).toContain('platen_outbox_dead_letters 1');
  });

  it('status 404 that does not change: after eight tries it is a dead letter, and what waited behind it goes', async () => {
    await using stage = await setRunningStage();
    const { agent, cloud, clock } = stage;
    cloud.answerNext(history, { kind: 'status', status: 404 }, { times: 8 });
    await stage.release();
    const next = cloud.addDocument({ owner: 'alice', name: 'Next.pdf' });
    const { releaseId } = await stage.release();
    for (let tries = 1; tries < 8; tries += 1) {
      await agent.told('history postponed');
      clock.forward(minutes(6));
    }
    expect(await agent.told('history rejected')).toMatchObject({ error: { code: 'cloud-not-found' } });
    await agent.told('history accepted', (record) => record['releaseId'] === releaseId);
    expect(cloud.state.history.map(({ title }) => title)).toEqual([next.info.documentName]);
  });

  it('while the cloud takes none, releases go on, and then all records arrive in order', async () => {
    await using stage = await setRunningStage();
    const { agent, cloud, clock } = stage;
    cloud.always(history, standardFaults['status 503 with Retry-After']);
    await stage.release();
    for (const name of ['Second.pdf', 'Third.pdf']) {
      cloud.addDocument({ owner: 'alice', name });
      expect(await stage.release()).toMatchObject({ outcome: 'completed' });
    }
    expect(cloud.state.history).toEqual([]);
    cloud.behaveWell();
    for (const _ of [1, 2, 3]) await clock.hurry(agent.told('history accepted'));
    const titles = cloud.state.history.map(({ title }) => title);
    expect(titles).toEqual([stage.document.info.documentName, 'Second.pdf', 'Third.pdf']);
  });
});

const deletions = ({ cloud }: RunningStage) => cloud.calls.filter(({ method }) => method === 'DELETE');

describe('a printed document whose deletion failed is never printed again (I1, D6)', () => {
  it.each([
    ['malformed JSON', 'cloud-protocol'],
    ['a page of HTML', 'cloud-protocol'],
    ['no answer', 'cloud-unreachable'],
  ] as const)('%s is %s; it is deleted a little later', async (fault, code) => {
    await using stage = await setRunningStage();
    const { agent, cloud, clock } = stage;
    cloud.answerNext(deletion, standardFaults[fault]);
    expect(await stage.release()).toMatchObject({ outcome: 'completed' });
    expect(await clock.hurry(agent.told('deletion refused'))).toMatchObject({
      level: 'warn',
      error: { code },
    });
    await clock.hurry(cloud.waitFor(() => deletions(stage).length === 2));
    await expectPrintedOnce(stage);
  });

  it('while the cloud deletes nothing, no badge lets it out again', async () => {
    await using stage = await setRunningStage();
    const { agent, cloud, clock, printer } = stage;
    cloud.always(deletion, standardFaults['status 500']);
    await stage.release();
    await clock.hurry(cloud.waitFor(() => deletions(stage).length >= 3));
    await badgeForNothing(stage);
    expect(await agent.told('owed deletion refused again')).toMatchObject({ error: { code: 'cloud-busy' } });
    expect(printer.jobs).toHaveLength(1);
    cloud.behaveWell();
    await expectPrintedOnce(stage);
  });
});
