/** The user's story at a queue of CUPS: the page comes by the spooler's word, and its policy is watched. */
import { describe, expect, it } from 'vitest';
import { attribute } from '../../src/ipp/message.ts';
import * as ipp from '../../src/ipp/values.ts';
import { commandHere } from '../support/command-here.ts';
import { aliceCard, setStage } from '../support/agent/stage.ts';

const queueWith = (errorPolicy: string) => ({
  queue: 'office',
  attributes: [
    attribute('printer-error-policy', ipp.nameWithoutLanguage(errorPolicy)),
    attribute('device-uri', ipp.uri('ipp://10.0.0.7/ipp/print')),
  ],
});
const terminal = { session: { autoRelease: true } };

describe('a queue of CUPS', () => {
  it('prints what a badge lets out, and the ledger says that the spooler confirmed it', async () => {
    await using stage = await setStage({ printer: queueWith('abort-job'), terminal });
    const { cloud, configFile, printer, reader } = stage;
    const checked = await commandHere(['check', '-c', configFile]);
    expect(checked.out).toContain('office prints to ipp://10.0.0.7/ipp/print; error policy abort-job');
    expect(checked.out).toContain('PreserveJobFiles cannot be read from here');

    const agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    const waiting = cloud.state.documents.filter(({ owner }) => owner === 'alice');
    reader.tap(aliceCard);
    expect(await agent.told('session closed')).toMatchObject({ reason: 'released' });
    expect(printer.outputs.map(({ complete }) => complete)).toEqual(waiting.map(() => true));
    await cloud.waitFor(() => waiting.every(({ info }) => info.status === 2));
    await agent.stop();

    const list = await commandHere(['releases', 'list', '-c', configFile, '--json']);
    const rows = JSON.parse(list.out) as { state: string; confirmation: string }[];
    expect(rows.map(({ state, confirmation }) => [state, confirmation])).toEqual(
      waiting.map(() => ['CONFIRMED', 'spooler']),
    );
    expect(agent.records.filter(({ code }) => code === 'spooler-policy')).toEqual([]);
    expect([...cloud.deviations, ...printer.deviations]).toEqual([]);
  });

  it('that would print again by itself is a warning, and check says what to do (D15)', async () => {
    await using stage = await setStage({ printer: queueWith('retry-job'), terminal });
    const checked = await commandHere(['check', '-c', stage.configFile]);
    const advice = 'lpadmin -p office -o printer-error-policy=abort-job';
    expect([checked.code, checked.out]).toEqual([1, expect.stringContaining(advice)]);

    const agent = await stage.start();
    expect(await agent.told('condition raised', ({ code }) => code === 'spooler-policy')).toMatchObject({
      severity: 'warning',
      scope: 'lobby',
      detail: expect.stringContaining(advice) as string,
    });
    await agent.told('terminal ready');
  });

  it('that is stopped keeps the document in the cloud (I1)', async () => {
    await using stage = await setStage({ printer: queueWith('abort-job'), terminal });
    const { cloud, printer, reader } = stage;
    const agent = await stage.start();
    await agent.told('terminal ready');
    await agent.told('reader up');
    await printer.behave({ kind: 'stopped', reason: 'paused' });
    reader.tap(aliceCard);
    expect(await agent.told('release ended')).toMatchObject({ outcome: 'failed', code: 'printer-not-ready' });
    expect([printer.jobs.length, cloud.state.history.length]).toEqual([0, 0]);
  });
});
