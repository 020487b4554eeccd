/** The agent is stopped in order and started again: what was under way is settled, and what was kept is still there. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LogRecord } from '../../src/commands/logs/sentences.ts';
import { minutes, seconds } from '../../src/core/duration.ts';
import { documentStatus } from '../../src/simulator/cloud/state.ts';
import type { PreparedStage } from '../support/agent/running-stage.ts';
import { enter, expectPrintedOnce, expectUntouched, prepareStage } from '../support/agent/running-stage.ts';

const register = '/oauth/v1/register';
const token = '/oauth/v1/token';
const callsTo = ({ cloud }: PreparedStage, path: string) => cloud.calls.filter((call) => call.path === path);
const isSigned = (record: LogRecord) => record['registration'] === 'repeated';
/** Holds the answer back although the cloud has done what it was asked for. */
const answerHeld = { kind: 'slow-headers', wait: seconds(60) } as const;

describe('a release that is under way when the agent stops (I1, I2, B.1)', () => {
  it('in the download: is given up, and the document is printed after the restart', async () => {
    await using stage = await prepareStage();
    const { clock, cloud } = stage;
    const before = await enter(stage);
    cloud.always({ path: /\.content$/ }, { kind: 'never' });
    await before.badge();
    await cloud.waitFor(() => cloud.calls.some(({ path }) => path.endsWith('.content')));
    await clock.hurry(before.agent.stop());
    expect(await before.agent.told('release ended')).toMatchObject({
      outcome: 'failed',
      code: 'release-abandoned',
    });
    expectUntouched(before);
    cloud.behaveWell();
    await using after = await enter(stage);
    expect(await after.release()).toMatchObject({ outcome: 'completed' });
    await expectPrintedOnce(after);
  });

  it('while the printer prints: the restart asks the printer, and the page counts once', async () => {
    await using stage = await prepareStage();
    const { clock, document, printer } = stage;
    const before = await enter(stage);
    await printer.behave({ kind: 'hold' });
    await before.badge();
    await printer.waitFor(() => printer.jobs[0]?.state === 'processing');
    await clock.hurry(before.agent.stop());
    expect(before.agent.records.map(({ msg }) => msg)).not.toContain('release ended');

    await using after = await enter(stage);
    expect(await after.agent.told('release resumed')).toMatchObject({
      documentUuid: document.info.uuid,
      state: 'SENT',
    });
    // Somebody may stand there meanwhile: what is being printed is not printed again.
    await after.badge();
    expect(await clock.hurry(after.agent.told('session closed'))).toMatchObject({ reason: 'released' });
    await printer.clear();
    expect(await after.agent.told('release ended')).toMatchObject({ outcome: 'completed' });
    expect(document.info.status).toBe(documentStatus.READY);
    await after.badge();
    await after.agent.told('owed deletion made');
    await expectPrintedOnce(after);
    expect(printer.jobs).toHaveLength(1);
  });

  it('in the middle of its document: is cancelled, unknown, and left alone', async () => {
    await using stage = await prepareStage({ documentBytes: 16_000_000 });
    const { clock, document, printer } = stage;
    const before = await enter(stage);
    await printer.behave({ kind: 'stop-reading', afterBytes: 100_000 });
    await before.badge();
    await printer.waitFor(() => printer.jobs[0]?.transfer === 'under-way');
    await clock.hurry(before.agent.stop());
    await printer.clear();

    await using after = await enter(stage);
    expect(await clock.hurry(after.agent.told('release ended'))).toMatchObject({
      outcome: 'unknown',
      code: 'transfer-broken',
    });
    await after.badge();
    expect(await clock.hurry(after.agent.told('session closed'))).toMatchObject({ reason: 'released' });
    expect(printer.jobs).toHaveLength(1);
    expect(document.info.status).toBe(documentStatus.READY);
  });
});

describe('what the device keeps over a restart (B.2, src/cloud/README.md 1)', () => {
  it('the device code: it goes on polling for approval, without a second registration', async () => {
    await using stage = await prepareStage({ cloud: { approval: 'by-hand' } });
    const { clock, cloud } = stage;
    const before = await stage.start();
    await cloud.waitFor(() => callsTo(stage, token).length > 0);
    await before.stop();
    const asked = callsTo(stage, token).length;
    const after = await stage.start();
    await clock.hurry(cloud.waitFor(() => callsTo(stage, token).length > asked));
    cloud.approve();
    await clock.hurry(after.told('terminal ready'));
    expect(callsTo(stage, register)).toHaveLength(1);
    expect(cloud.deviations).toEqual([]);
  });

  it('the tokens: no call to the OAuth side is made', async () => {
    await using stage = await prepareStage();
    await (await enter(stage)).agent.stop();
    const asked = [callsTo(stage, register).length, callsTo(stage, token).length];
    await using after = await enter(stage);
    expect(await after.release()).toMatchObject({ outcome: 'completed' });
    await expectPrintedOnce(after);
    expect([callsTo(stage, register).length, callsTo(stage, token).length]).toEqual(asked);
  });

  it.each<[string, (slot: string) => void]>([
    ['deleted', (slot) => rmSync(slot, { force: true })],
    ['damaged', (slot) => writeFileSync(slot, 'no longer what it was')],
  ])(
    'its key, when its tokens are %s: it registers again, signed, and needs no approval',
    async (_, spoil) => {
      await using stage = await prepareStage();
      await (await enter(stage)).agent.stop();
      for (const slot of ['tokens-a', 'tokens-b']) spoil(join(stage.folder, 'state', slot));
      await using after = await enter(stage);
      await after.agent.told('device registered', isSigned);
      expect(stage.cloud.state.endpoints).toHaveLength(1);
      expect(await after.release()).toMatchObject({ outcome: 'completed' });
      await expectPrintedOnce(after);
    },
  );

  it('that a refresh was begun: its token may be spent, and one try later the device is back (I6)', async () => {
    await using stage = await prepareStage();
    const { clock, cloud } = stage;
    const before = await enter(stage);
    const asked = callsTo(stage, token).length;
    cloud.answerNext({ path: token }, answerHeld);
    clock.forward(minutes(40));
    await cloud.waitFor(() => callsTo(stage, token).length > asked);
    await before.agent.stop();
    await using after = await enter(stage);
    await after.agent.told('device registered', isSigned);
    expect(cloud.state.endpoints).toHaveLength(1);
    expect(await after.release()).toMatchObject({ outcome: 'completed' });
    await expectPrintedOnce(after);
  });

  it.each([
    ['and arrived', answerHeld],
    ['and did not arrive', { kind: 'never' } as const],
  ])('that a registration was begun %s: it is one endpoint in the end', async (_, fault) => {
    await using stage = await prepareStage();
    const { cloud } = stage;
    cloud.answerNext({ path: register }, fault);
    const before = await stage.start();
    await cloud.waitFor(() => callsTo(stage, register).length === 1);
    await before.stop();
    await using after = await enter(stage);
    expect(cloud.state.endpoints).toHaveLength(1);
    expect(await after.release()).toMatchObject({ outcome: 'completed' });
    await expectPrintedOnce(after);
  });
});
