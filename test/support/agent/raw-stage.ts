/** The stage of `running-stage.ts` with a raw printer in the place of the IPP one, judged from outside like the other. */
import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { hours } from '../../../src/core/duration.ts';
import type {
  SocketPrinterOptions,
  VirtualSocketPrinter,
} from '../../../src/simulator/printer/raw/socket-printer.ts';
import { startVirtualSocketPrinter } from '../../../src/simulator/printer/raw/socket-printer.ts';
import { documentStatus } from '../../../src/simulator/cloud/state.ts';
import type { PreparedStage, RunningStage } from './running-stage.ts';
import { enter, prepareStage } from './running-stage.ts';

export interface RawStage extends PreparedStage {
  readonly raw: VirtualSocketPrinter;
}

export interface RunningRawStage extends RunningStage {
  readonly raw: VirtualSocketPrinter;
}

export interface RawStageOptions {
  readonly documentBytes?: number;
  readonly pjl?: 'auto' | 'off';
  readonly requireConfirmation?: boolean;
  readonly resetIsEnd?: boolean;
  readonly stallSeconds?: number;
  readonly raw?: SocketPrinterOptions;
}

/** No agent runs yet. */
export async function prepareRawStage(options: RawStageOptions = {}): Promise<RawStage> {
  const { documentBytes = 0, raw: rawOptions, ...settings } = options;
  await using opened = new AsyncDisposableStack();
  const raw = opened.use(await startVirtualSocketPrinter(rawOptions));
  const printer = { uri: raw.uri, stallSeconds: 5, jobStallSeconds: 30, ...settings };
  const stage = opened.use(await prepareStage({ documentBytes, terminal: { printer } }));
  const held = opened.move();
  return { ...stage, raw, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** The agent runs and is ready; it ends with what is given here, the prepared stage stays. */
export async function enterRaw(stage: RawStage): Promise<RunningRawStage> {
  return { ...(await enter(stage)), raw: stage.raw };
}

export async function setRunningRawStage(options: RawStageOptions = {}): Promise<RunningRawStage> {
  await using opened = new AsyncDisposableStack();
  const stage = opened.use(await prepareRawStage(options));
  const running = opened.use(await enterRaw(stage));
  const held = opened.move();
  return { ...running, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** It came out once and whole, its record is posted, and it is gone from the cloud. */
export async function expectHandedOver({ clock, cloud, document, raw }: RunningRawStage): Promise<void> {
  const isSettled = () => cloud.state.history.length === 1 && document.info.status === documentStatus.DELETED;
  await clock.hurry(cloud.waitFor(isSettled));
  expect(raw.outputs.map(({ sha256, complete }) => ({ sha256, complete }))).toEqual([
    { sha256: createHash('sha256').update(document.bytes).digest('hex'), complete: true },
  ]);
  expect([...cloud.deviations, ...raw.deviations]).toEqual([]);
}

/**
 * Nothing of it comes out any more, whoever badges; its record is kept, and posted when its time has come. So many
 * connections have brought anything.
 */
export async function expectLeftAlone(running: RunningRawStage, transfers = 1): Promise<void> {
  const { agent, badge, clock, cloud, document, raw } = running;
  const came = () => raw.received.filter(({ length }) => length > 0).length;
  await raw.waitFor(() => came() === transfers);
  await badge();
  expect(await clock.hurry(agent.told('session closed'))).toMatchObject({ reason: 'released' });
  expect(came()).toBe(transfers);
  expect(raw.outputs.length).toBeLessThanOrEqual(1);
  expect(document.info.status).toBe(documentStatus.READY);
  expect(cloud.state.history).toEqual([]);
  clock.forward(hours(25));
  await clock.hurry(agent.told('history accepted'));
  expect(cloud.state.history.map(({ title }) => title)).toEqual([document.info.documentName]);
  expect(raw.outputs.length).toBeLessThanOrEqual(1);
  expect(cloud.deviations).toEqual([]);
}
