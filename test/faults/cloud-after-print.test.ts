/** The cloud fails when the page is out: at the history record or the deletion (reliability.md B.4, 9 and D6). */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import type { ProblemCode } from '../../src/domain/problem-kinds.ts';
import { documentStatus } from '../../src/simulator/cloud-state.ts';
import type { CloudFault } from './cloud-faults.ts';
import { cloudFaults } from './cloud-faults.ts';
import type { Scene } from './scene.ts';
import { expectPrintedOnce, setScene } from './scene.ts';

const history = { method: 'POST', path: '/documents/history' };
const deletion = { method: 'DELETE', path: /\/documents\/[^/]+$/ };

/** Another badge when nothing may come out any more. */
async function badgeForNothing({ agent, badge }: Scene) {
  badge();
  expect(await agent.told('session closed')).toMatchObject({ reason: 'released' });
}

/** How often the cloud has the record: twice where it had taken the first one and could not say so. */
const historyRows: readonly (readonly [CloudFault, ProblemCode, 1 | 2])[] = [
  ['a cut body without length', 'cloud-protocol', 2],
  ['10 MB', 'cloud-protocol', 2],
  ['trailing bytes', 'cloud-protocol', 2],
  ['a page of HTML', 'cloud-protocol', 1],
  ['a redirect', 'cloud-protocol', 1],
  ['status 403', 'cloud-denied', 1],
  ['status 404', 'cloud-not-found', 1],
  ['status 405', 'cloud-feature-off', 1],
  ['status 429 with Retry-After', 'cloud-busy', 1],
  ['status 500', 'cloud-busy', 1],
  ['status 503 with Retry-After', 'cloud-busy', 1],
  ['a reset', 'cloud-unreachable', 1],
  ['an answer lost', 'cloud-unreachable', 2],
  ['no answer', 'cloud-unreachable', 1],
];

describe('a history record is kept and posted again until the cloud has it (I2, D8)', () => {
  it.each(historyRows)('%s is %s; the record arrives %i times in all', async (fault, code, records) => {
    await using scene = await setScene();
    const { agent, cloud, clock } = scene;
    cloud.answerNext(history, cloudFaults[fault]);
    expect(await scene.release()).toMatchObject({ outcome: 'completed' });
    const postponed = await clock.hurry(agent.told('history postponed'));
    expect(postponed).toMatchObject({ level: 'warn', error: { code } });
    await clock.hurry(agent.told('history accepted'));
    await expectPrintedOnce(scene, records);
    await badgeForNothing(scene);
    expect(scene.printer.outputs).toHaveLength(1);
  });

  it('status 401: the device token is refreshed, and the record arrives', async () => {
    await using scene = await setScene();
    const { agent, cloud, clock } = scene;
    clock.forward(seconds(60));
    cloud.answerNext(history, cloudFaults['status 401']);
    await scene.release();
    await clock.hurry(agent.told('history accepted'));
    await agent.told('device token refreshed');
    await expectPrintedOnce(scene);
  });

  it('status 400: it becomes a dead letter, which is kept and holds up nobody', async () => {
    await using scene = await setScene();
    const { agent, cloud } = scene;
    cloud.answerNext(history, cloudFaults['status 400']);
    await scene.release();
    expect(await agent.told('history rejected')).toMatchObject({ error: { code: 'cloud-rejected' } });
    const next = cloud.addDocument({ owner: 'alice', name: 'Next.pdf' });
    const { releaseId } = await scene.release();
    await agent.told('history accepted', (record) => record['releaseId'] === releaseId);
    expect(cloud.state.history.map(({ title }) => title)).toEqual([next.info.documentName]);
    const metrics = await (await fetch(`${agent.operations}/metrics`)).text();
    expect(metrics).toContain('platen_outbox_dead_letters 1');
  });

  it('while the cloud takes none, releases go on, and then all records arrive in order', async () => {
    await using scene = await setScene();
    const { agent, cloud, clock } = scene;
    cloud.always(history, cloudFaults['status 503 with Retry-After']);
    await scene.release();
    for (const name of ['Second.pdf', 'Third.pdf']) {
      cloud.addDocument({ owner: 'alice', name });
      expect(await scene.release()).toMatchObject({ outcome: 'completed' });
    }
    expect(cloud.state.history).toEqual([]);
    cloud.behaveWell();
    for (const _ of [1, 2, 3]) await clock.hurry(agent.told('history accepted'));
    const titles = cloud.state.history.map(({ title }) => title);
    expect(titles).toEqual([scene.document.info.documentName, 'Second.pdf', 'Third.pdf']);
  });
});

const deletions = ({ cloud }: Scene) => cloud.calls.filter(({ method }) => method === 'DELETE');

const deletionRows: readonly (readonly [CloudFault, ProblemCode])[] = [
  ['a body cut short', 'cloud-protocol'],
  ['a cut chunk', 'cloud-protocol'],
  ['malformed JSON', 'cloud-protocol'],
  ['no body at all', 'cloud-protocol'],
  ['10 MB', 'cloud-protocol'],
  ['a page of HTML', 'cloud-protocol'],
  ['a redirect', 'cloud-protocol'],
  ['status 429 with Retry-After', 'cloud-busy'],
  ['status 500', 'cloud-busy'],
  ['a reset', 'cloud-unreachable'],
  ['an answer lost', 'cloud-unreachable'],
  ['no answer', 'cloud-unreachable'],
];

describe('a printed document whose deletion failed is never printed again (I1, D6)', () => {
  it.each(deletionRows)('%s is %s; it is deleted a little later', async (fault, code) => {
    await using scene = await setScene();
    const { agent, cloud, clock } = scene;
    cloud.answerNext(deletion, cloudFaults[fault]);
    expect(await scene.release()).toMatchObject({ outcome: 'completed' });
    expect(await clock.hurry(agent.told('deletion refused'))).toMatchObject({
      level: 'warn',
      error: { code },
    });
    await clock.hurry(cloud.waitFor(() => deletions(scene).length === 2));
    await expectPrintedOnce(scene);
  });

  it.each([
    ['status 401', 'user-token-refused'],
    ['status 403', 'cloud-denied'],
    ['status 405', 'cloud-feature-off'],
  ] as const)(
    '%s is %s; it stays owed, and is made at its owner’s next login (contract 3)',
    async (fault, code) => {
      await using scene = await setScene();
      const { agent, cloud, document, printer } = scene;
      cloud.answerNext(deletion, cloudFaults[fault]);
      expect(await scene.release()).toMatchObject({ outcome: 'completed' });
      expect(await agent.told('deletion refused')).toMatchObject({ error: { code } });
      expect(document.info.status).toBe(documentStatus.READY);
      await badgeForNothing(scene);
      await agent.told('owed deletion made');
      await expectPrintedOnce(scene);
      expect(printer.jobs).toHaveLength(1);
    },
  );

  it('while the cloud deletes nothing, no badge lets it out again', async () => {
    await using scene = await setScene();
    const { agent, cloud, clock, printer } = scene;
    cloud.always(deletion, cloudFaults['status 500']);
    await scene.release();
    await clock.hurry(cloud.waitFor(() => deletions(scene).length >= 3));
    await badgeForNothing(scene);
    expect(await agent.told('owed deletion refused again')).toMatchObject({ error: { code: 'cloud-busy' } });
    expect(printer.jobs).toHaveLength(1);
    cloud.behaveWell();
    await expectPrintedOnce(scene);
  });
});
