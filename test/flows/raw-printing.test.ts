/** The user's story at a printer of raw TCP: the page comes, and nobody says more of it than is known. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { documentStatus } from '../../src/simulator/cloud/state.ts';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import { startVirtualSocketPrinter } from '../../src/simulator/printer/raw/socket-printer.ts';
import { commandHere } from '../support/command-here.ts';
import { aliceCard, bobCard, setStage } from '../support/agent/stage.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('a printer of raw TCP', () => {
  it('prints what a badge lets out, unchanged, in the order of the list, recorded at once', async () => {
    await using raw = await startVirtualSocketPrinter();
    await using stage = await setStage({
      terminal: { session: { autoRelease: true }, printer: { uri: raw.uri } },
    });
    const { cloud, configFile, reader } = stage;
    const checked = await commandHere(['check', '-c', configFile]);
    expect(checked.out).toContain(`${raw.uri} accepts connections`);
    expect(checked.out).toContain('cannot confirm a print, which counts as handed over');
    // A plugin that runs by itself every few minutes is no person.
    await commandHere(['check', '-c', configFile, '--monitor']);
    expect(raw.connections()).toBe(1);

    const agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    const waiting = cloud.state.documents.filter(({ owner }) => owner === 'alice');
    reader.tap(aliceCard);
    expect(await agent.told('session closed')).toMatchObject({ reason: 'released' });
    await cloud.waitFor(
      () => waiting.every(({ info }) => info.status === 2) && cloud.state.history.length === waiting.length,
    );
    expect(raw.outputs.map(({ sha256: digest, complete }) => ({ digest, complete }))).toEqual(
      waiting.map(({ bytes }) => ({ digest: sha256(bytes), complete: true })),
    );
    await agent.stop();
    // One of the check, which a person ran; the agent had none beside its documents.
    expect(raw.connections()).toBe(1 + waiting.length);

    const list = await commandHere(['releases', 'list', '-c', configFile, '--json']);
    const rows = JSON.parse(list.out) as { releaseId: string; confirmation: string; state: string }[];
    expect(rows.map(({ confirmation, state }) => [state, confirmation])).toEqual(
      waiting.map(() => ['HANDED-OVER', 'handed-over']),
    );
    const first = rows.at(-1)?.releaseId.slice(0, 8) ?? '';
    expect(raw.outputs[0]?.jobName).toBe(`${waiting[0]?.info.documentName} [${first}]`);
    expect([...cloud.deviations, ...raw.deviations]).toEqual([]);
  });

  it('that talks confirms each page, and while it is jammed gets nothing (T29)', async () => {
    await using raw = await startVirtualSocketPrinter({ voice: { kind: 'talks', pages: 2 } });
    await using stage = await setStage({
      terminal: { session: { autoRelease: true }, printer: { uri: raw.uri, requireConfirmation: true } },
      cloud: {
        seed: { ...sampleData, documents: sampleData.documents.map((one) => ({ ...one, pages: 2 })) },
      },
    });
    const agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    const { cloud } = stage;
    const printed = cloud.state.documents.filter(({ owner }) => owner === 'alice');
    stage.reader.tap(aliceCard);
    await cloud.waitFor(() => cloud.state.history.length === printed.length);
    await agent.told('session closed');

    raw.speak({ kind: 'talks', code: 42_102 });
    const late = cloud.addDocument({ owner: 'bob', name: 'While it is jammed.pdf' });
    stage.awaitSameBadge();
    stage.reader.tap(bobCard);
    const refused = await agent.told('release ended', ({ outcome }) => outcome === 'failed');
    expect(refused).toMatchObject({ code: 'printer-not-ready', reasons: ['media-jam'] });
    expect(raw.outputs).toHaveLength(printed.length);
    expect(late.info.status).toBe(documentStatus.READY);
    await agent.stop();
    const list = await commandHere(['releases', 'list', '-c', stage.configFile, '--json']);
    const rows = JSON.parse(list.out) as { confirmation?: string; state: string }[];
    const confirmed = rows.filter(({ state }) => state === 'CONFIRMED');
    expect(confirmed.map(({ confirmation }) => confirmation)).toEqual(printed.map(() => 'device'));
    expect([...stage.cloud.deviations, ...raw.deviations]).toEqual([]);
  });

  it('is found where the output port says it is, through the address guard', async () => {
    await using raw = await startVirtualSocketPrinter();
    const port = Number(new URL(raw.uri).port);
    const outputPorts = sampleData.outputPorts.map((one) => ({
      ...one,
      printProtocol: 1,
      printerIppUrl: raw.uri,
    }));
    await using stage = await setStage({
      cloud: { seed: { ...sampleData, outputPorts } },
      config: { printerNetwork: { allow: ['127.0.0.1/32'], ports: [port] } },
      terminal: { session: { autoRelease: true }, printer: { uri: 'auto' } },
    });
    const agent = await stage.start();
    await agent.told('printer address adopted');
    await agent.told('reader up');
    stage.reader.tap(aliceCard);
    await agent.told('session closed');
    expect(raw.outputs.length).toBeGreaterThan(0);
  });
});
