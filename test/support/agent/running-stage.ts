/**
 * The simplest release that can go wrong: alice has one document of three pages and a terminal that lets everything
 * out at the first badge. The agent runs and waits; its clock can be put forward. What happened is judged from outside:
 * by the printer's outputs, the cloud's records, and the log.
 */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { LogRecord } from '../../../src/commands/logs/sentences.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { seconds } from '../../../src/core/duration.ts';
import type { CloudDocument } from '../../../src/simulator/cloud/state.ts';
import { documentStatus } from '../../../src/simulator/cloud/state.ts';
import { sampleData } from '../../../src/simulator/sample/sample-data.ts';
import { samplePdf } from '../../../src/simulator/sample/sample-pdf.ts';
import type { Running, Stage, StageOptions } from './stage.ts';
import { aliceCard, setStage } from './stage.ts';
import { complaintsAbout } from '../cloud/exchanges.ts';
import type { ForwardClock } from '../forward-clock.ts';
import { forwardClock } from '../forward-clock.ts';
import { eventually } from '../patience.ts';

export interface RunningStageOptions extends Omit<StageOptions, 'clock'> {
  /** The document is filled up to at least so many bytes. */
  readonly documentBytes?: number;
}

export interface PreparedStage extends Stage {
  readonly clock: ForwardClock;
  /** The one that waits from the start. */
  readonly document: CloudDocument;
}

export interface RunningStage extends PreparedStage {
  readonly agent: Running;
  /** alice holds her card to the reader, long enough after the last time; resolves when it was read. */
  badge(): Promise<void>;
  /** alice's badge, in a hurry to the end of her session; gives the end of the first release in it. */
  release(): Promise<LogRecord>;
}

/** No agent runs yet. */
export async function prepareStage({
  documentBytes = 0,
  ...options
}: RunningStageOptions = {}): Promise<PreparedStage> {
  const clock = forwardClock();
  const stage = await setStage({
    ...options,
    clock,
    terminal: { session: { autoRelease: true }, ...options.terminal },
    // A service lives by its own time: where the agent's leaps by hours, its tokens stay good.
    cloud: { clock: systemClock, seed: { ...sampleData, documents: [] }, ...options.cloud },
  });
  const bytes = samplePdf({ title: 'Quarterly report', pages: 3, minimumBytes: documentBytes });
  const document = stage.cloud.addDocument({ owner: 'alice', name: 'Quarterly report.pdf', pages: 3, bytes });
  return { ...stage, clock, document };
}

/** The agent runs, is ready, and its reader is open. It ends with what is given here; the prepared stage stays. */
export async function enter(stage: PreparedStage): Promise<RunningStage> {
  const agent = await stage.start();
  await stage.clock.hurry(agent.told('terminal ready'));
  await agent.told('reader up');
  const badge = async () => {
    stage.clock.forward(seconds(2));
    const read = () =>
      agent.records.filter(({ msg }) => msg === 'card read' || msg === 'card ignored').length;
    const before = read();
    stage.reader.tap(aliceCard);
    // Not by `told`, which gives each record once: a test may want this one.
    await stage.clock.standStill(eventually(() => expect(read()).toBeGreaterThan(before)));
  };
  return {
    ...stage,
    agent,
    badge,
    async release() {
      await badge();
      const ended = await stage.clock.hurry(agent.told('release ended'));
      await stage.clock.hurry(agent.told('session closed'));
      return ended;
    },
    [Symbol.asyncDispose]: () => stage.clock.hurry(agent.stop()),
  };
}

/** Stage and agent as one. */
export async function setRunningStage(options: RunningStageOptions = {}): Promise<RunningStage> {
  await using opened = new AsyncDisposableStack();
  const stage = opened.use(await prepareStage(options));
  const running = opened.use(await enter(stage));
  const held = opened.move();
  return { ...running, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** The document came out once and whole, is gone from the cloud, and its history was recorded so many times. */
export async function expectPrintedOnce(running: RunningStage, records = 1): Promise<void> {
  const { cloud, clock, document } = running;
  const settled = () =>
    cloud.state.history.length >= records && document.info.status === documentStatus.DELETED;
  await clock.hurry(cloud.waitFor(settled));
  const outputs = running.printer.outputs.filter(({ jobName }) =>
    jobName.startsWith(document.info.documentName),
  );
  expect(outputs.map(({ sha256, complete }) => ({ sha256, complete }))).toEqual([
    { sha256: createHash('sha256').update(document.bytes).digest('hex'), complete: true },
  ]);
  expect(cloud.state.history.map(({ title }) => title)).toEqual(
    Array.from({ length: records }, () => document.info.documentName),
  );
  expect([...cloud.deviations, ...running.printer.deviations]).toEqual([]);
  expect(complaintsAbout(cloud.calls)).toEqual([]);
}

/** No page came out, and the document still waits in the cloud. */
export function expectUntouched({ cloud, document, printer }: RunningStage): void {
  expect(printer.outputs).toEqual([]);
  expect(cloud.state.history).toEqual([]);
  expect(document.info.status).toBe(documentStatus.READY);
}
