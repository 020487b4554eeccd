import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { complaintsAbout } from '../support/cloud/exchanges.ts';
import { launchScreen } from '../support/agent/screen.ts';
import type { StageOptions } from '../support/agent/stage.ts';
import { aliceCard, bobCard, carolCard, setStage } from '../support/agent/stage.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const releasing: StageOptions = { terminal: { session: { autoRelease: true } } };

describe('a badge lets the documents out', () => {
  it('registers, is approved by hand, reads a badge, prints, records, deletes and reports', async () => {
    await using stage = await setStage({ ...releasing, cloud: { approval: 'by-hand' } });
    const { cloud, printer, reader } = stage;
    const agent = await stage.start();
    await agent.told('agent started');
    await agent.told('device registered');
    await cloud.waitFor(() => cloud.calls.filter(({ path }) => path.endsWith('/token')).length >= 2);
    expect(agent.records.map(({ msg }) => msg)).not.toContain('device authorized');
    cloud.approve();
    await agent.told('device authorized');
    await agent.told('terminal ready', ({ terminal }) => terminal === 'lobby');
    await agent.told('reader up');

    const waiting = cloud.state.documents.filter(({ owner }) => owner === 'alice');
    reader.tap(aliceCard);
    const read = await agent.told('card read');
    expect(read).toMatchObject({ terminal: 'lobby', reader: reader.path });
    const { sessionId } = await agent.told('session opened');
    for (const { info } of waiting) {
      const { releaseId } = await agent.told(
        'release started',
        ({ documentUuid }) => documentUuid === info.uuid,
      );
      const ended = await agent.told('release ended', (record) => record['releaseId'] === releaseId);
      expect(ended['outcome']).toBe('completed');
      await agent.told('history accepted', (record) => record['releaseId'] === releaseId);
    }
    expect(await agent.told('session closed')).toMatchObject({
      sessionId,
      reason: 'released',
      terminal: 'lobby',
    });
    await agent.told('status reported');

    expect(printer.outputs.map(({ sha256: digest, complete }) => ({ digest, complete }))).toEqual(
      waiting.map(({ bytes }) => ({ digest: sha256(bytes), complete: true })),
    );
    const [first] = printer.outputs;
    expect(sha256(await readFile(first?.file ?? ''))).toBe(first?.sha256);
    await cloud.waitFor(() => waiting.every(({ info }) => info.status === 2));
    expect(waiting.map(({ fetched, consumed }) => ({ fetched, consumed }))).toEqual(
      waiting.map(() => ({ fetched: 1, consumed: false })),
    );
    expect(cloud.state.history).toHaveLength(waiting.length);
    await agent.stop();
    expect(agent.records.at(-1)?.msg).toBe('agent stopped');
    expect([...cloud.deviations, ...printer.deviations]).toEqual([]);
    expect(complaintsAbout(cloud.calls)).toEqual([]);
  });

  it('without autoRelease the first badge opens the session and the same badge again prints', async () => {
    await using stage = await setStage({ terminal: { session: { autoRelease: false } } });
    const { printer, reader, cloud } = stage;
    const agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    reader.tap(bobCard);
    await agent.told('session opened');
    stage.awaitSameBadge();
    expect([printer.jobs.length, cloud.state.history.length]).toEqual([0, 0]);
    reader.tap(bobCard);
    expect(await agent.told('session closed')).toMatchObject({ reason: 'released' });
    expect(printer.outputs).toHaveLength(1);
    expect([...cloud.deviations, ...printer.deviations]).toEqual([]);
    expect(complaintsAbout(cloud.calls)).toEqual([]);
  });
});

describe('a terminal whose output port in the service says autoRelease', () => {
  const outputPorts = sampleData.outputPorts.map((port) => ({ ...port, autoRelease: true }));

  it.each([
    ['the device may read it', 'devices-and-users'],
    ['only users may read it', 'users'],
  ] as const)('prints at the very first badge, also where %s', async (_who, readsFor) => {
    await using stage = await setStage({ cloud: { seed: { ...sampleData, outputPorts }, readsFor } });
    const agent = await stage.start();
    await agent.told('reader up');
    await agent.told('terminal ready');
    stage.reader.tap(bobCard);
    expect(await agent.told('session closed')).toMatchObject({ reason: 'released' });
    expect(stage.printer.outputs).toHaveLength(1);
  });
});

describe('a person', () => {
  it('with nothing waiting comes and goes without a print', async () => {
    await using stage = await setStage(releasing);
    const agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    stage.reader.tap(carolCard);
    expect(await agent.told('session closed')).toMatchObject({ reason: 'released' });
    expect(stage.printer.jobs).toEqual([]);
  });

  it('whose card the service does not know is turned away, and the next one is served', async () => {
    await using stage = await setStage(releasing);
    const agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    stage.reader.tap('DEADBEEF');
    expect(await agent.told('login failed')).toMatchObject({ code: 'login-refused' });
    stage.awaitAnotherBadge();
    stage.reader.tap(bobCard);
    expect(await agent.told('session closed')).toMatchObject({ reason: 'released' });
    expect(stage.printer.outputs).toHaveLength(1);
  });

  it('who comes while the one before still prints is served, and both documents come out', async () => {
    await using stage = await setStage({ ...releasing, printer: { pageTime: seconds(0.4) } });
    const agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    stage.reader.tap(aliceCard);
    await stage.printer.waitFor(() => stage.printer.outputs.length === 1);
    stage.reader.tap(bobCard);
    expect(await agent.told('session closed')).toMatchObject({ reason: 'badge' });
    expect(await agent.told('session closed')).toMatchObject({ reason: 'released' });
    expect(stage.printer.outputs).toHaveLength(3);
    expect(stage.printer.outputs.every(({ complete }) => complete)).toBe(true);
  });
});

it('a document whose name in the list is spelled otherwise is not printed, and its owner reads so (B.4, 3; I9)', async () => {
  await using stage = await setStage(releasing);
  const info = { userName: 'EXAMPLE\\carol' };
  stage.cloud.addDocument({ owner: 'carol', name: 'Spelled apart.pdf', info });
  await using agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');
  await using screen = await launchScreen(agent);
  stage.reader.tap(carolCard);
  await screen.showed(
    'One document is not shown, because the user name is different. Please ask for help. There is nothing to print.',
  );
  expect(await agent.told('documents of another user hidden')).toMatchObject({ level: 'warn', count: 1 });
  expect(JSON.stringify(screen.views)).not.toMatch(/Spelled apart|EXAMPLE/);
  expect(stage.printer.jobs).toEqual([]);
});
