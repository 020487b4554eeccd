/**
 * The printer breaks off when it has some of the document: what became of the page cannot be known. Such a release is
 * `unknown`; its document is left alone until a person speaks, and its history waits for that (contract, section 3).
 */
import { describe, expect, it } from 'vitest';
import { hours, milliseconds } from '../../src/core/duration.ts';
import type { ProblemCode } from '../../src/domain/problem/problem-kinds.ts';
import type { PrinterBehaviour } from '../../src/simulator/printer/behaviour.ts';
import { documentStatus } from '../../src/simulator/cloud/state.ts';
import type { RunningStage, RunningStageOptions } from '../support/agent/running-stage.ts';
import { setRunningStage } from '../support/agent/running-stage.ts';

/** More than the buffers of a connection hold. */
const large = 16_000_000;

interface Row {
  readonly what: string;
  readonly behaviour: PrinterBehaviour;
  readonly code: ProblemCode;
  /** Outputs, in part or whole, that the printer makes of it; absent where it may be cancelled before the first. */
  readonly outputs?: 0 | 1;
  readonly options?: RunningStageOptions;
}

const rows: readonly Row[] = [
  {
    what: 'it jams after a page and is not mended',
    behaviour: { kind: 'jam', afterPages: 1 },
    code: 'printer-stalled',
    outputs: 1,
  },
  {
    what: 'it gives the job up after two pages',
    behaviour: { kind: 'abort', afterPages: 2 },
    code: 'printer-aborted-job',
    outputs: 1,
  },
  {
    what: 'it gives the job up and counts no pages',
    behaviour: { kind: 'abort', afterPages: 1 },
    code: 'printer-aborted-job',
    outputs: 1,
    options: { printer: { counters: 'absent' } },
  },
  {
    what: 'it stops reading in the middle',
    behaviour: { kind: 'stop-reading', afterBytes: 100_000 },
    code: 'printer-stalled',
    outputs: 0,
    options: { documentBytes: large },
  },
  {
    what: 'it resets the connection in the middle and would print what it got',
    behaviour: { kind: 'reset', afterBytes: 100_000 },
    code: 'transfer-broken',
    options: { documentBytes: large, printer: { pageTime: milliseconds(0) } },
  },
  {
    what: 'it resets the connection in the middle and throws away what it got',
    behaviour: { kind: 'reset', afterBytes: 100_000 },
    code: 'transfer-broken',
    outputs: 0,
    options: { documentBytes: large, printer: { afterCut: 'discard' } },
  },
  {
    what: 'its answer to Send-Document is lost',
    behaviour: { kind: 'answer-lost', to: 'Send-Document' },
    code: 'transfer-broken',
    options: { printer: { pageTime: milliseconds(0) } },
  },
  {
    what: 'it takes the whole document and never answers',
    behaviour: { kind: 'never-answer', to: 'Send-Document' },
    code: 'printer-stalled',
    outputs: 0,
  },
];

/** Nothing of the document comes out any more, whoever badges; its record is kept, and posted when its time has come. */
async function expectLeftAlone(stage: RunningStage) {
  const { agent, badge, clock, cloud, document, printer } = stage;
  const sent = () => printer.requests.filter(({ operation }) => operation === 'Send-Document').length;
  expect(sent()).toBe(1);
  await badge();
  expect(await clock.hurry(agent.told('session closed'))).toMatchObject({ reason: 'released' });
  expect(sent()).toBe(1);
  expect(printer.jobs.filter(({ state }) => state.startsWith('p'))).toEqual([]);
  expect(document.info.status).toBe(documentStatus.READY);
  expect(cloud.state.history).toEqual([]);
  expect(await (await fetch(`${agent.operations}/metrics`)).text()).toContain('platen_outbox_records 1');

  clock.forward(hours(25));
  await clock.hurry(agent.told('history accepted'));
  expect(cloud.state.history.map(({ title }) => title)).toEqual([document.info.documentName]);
  expect(printer.outputs.length).toBeLessThanOrEqual(1);
  expect([...cloud.deviations, ...printer.deviations]).toEqual([]);
}

describe('a release that broke off is unknown, and never printed again by a badge (I1, I2, I11, T29)', () => {
  it.each(rows)('$what: $code', async ({ behaviour, code, outputs, options }) => {
    await using stage = await setRunningStage(options);
    const { printer } = stage;
    await printer.behave(behaviour);
    expect(await stage.release()).toMatchObject({ level: 'warn', outcome: 'unknown', code });
    if (outputs !== undefined) await printer.waitFor(() => printer.outputs.length === outputs);
    await printer.clear();
    await expectLeftAlone(stage);
  });

  it('the printer restarts while it prints, and knows nothing of the job', async () => {
    await using stage = await setRunningStage();
    const { agent, clock, printer } = stage;
    await printer.behave({ kind: 'hold' });
    await stage.badge();
    await printer.waitFor(() => printer.jobs[0]?.state === 'processing');
    await printer.reboot();
    expect(await agent.told('release ended')).toMatchObject({ outcome: 'unknown', code: 'outcome-unknown' });
    await clock.hurry(agent.told('session closed'));
    await printer.clear();
    await expectLeftAlone(stage);
  });

  it('the printer is gone for good when it has everything: after ten minutes nobody waits any longer', async () => {
    await using stage = await setRunningStage();
    const { agent, clock, printer } = stage;
    await printer.behave({ kind: 'hold' });
    await stage.badge();
    const isFollowed = () => printer.requests.some(({ operation }) => operation === 'Get-Job-Attributes');
    await clock.hurry(printer.waitFor(isFollowed));
    await printer.behave({ kind: 'refuse-connections' });
    expect(await clock.hurry(agent.told('release ended'))).toMatchObject({
      outcome: 'unknown',
      code: 'printer-unreachable',
    });
    await clock.hurry(agent.told('session closed'));
    await printer.clear();
    await printer.waitFor(() => printer.outputs.length === 1);
    await expectLeftAlone(stage);
  });
});
