/**
 * A USB reader without a kernel that has one: its events or reports come through a FIFO, which the reader opens, waits
 * for and reads as it does a node of `/dev`. Only the grab is played, at the door of ioctl(2).
 */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { mkdtemp, open, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { ReportLayout } from '../../src/config/schema/known-readers.ts';
import { openHidReader } from '../../src/readers/hid/hid.ts';
import type { Grab } from '../../src/readers/hid/ioctl.ts';
import { typed } from '../support/reader/keyboard-samples.ts';
import type { ReaderStage } from './reader.ts';
import { until } from './reader.ts';

export interface HidStage extends ReaderStage {
  readonly path: string;
  write(bytes: Uint8Array): Promise<void>;
  /** As the kernel has it: the node vanishes, and who has it open reads an end. */
  unplug(): Promise<void>;
  plugIn(): Promise<void>;
}

const granted: Grab = async () => {};

/** Plugged in. */
export async function setKeyboardStage(grab: Grab = granted): Promise<HidStage> {
  const node = await createNode();
  return {
    ...node,
    open: (options) => openHidReader({ ...options, at: node.path, grab }),
    badge: (...numbers) => node.write(typed(...numbers)),
  };
}

/** Of no make: its reports are numbered, and tell when a card is taken away. */
export const proximityLayout: ReportLayout = {
  reportId: 3,
  length: 1,
  number: 2,
  most: 10,
  output: 'hex',
  order: 'as-sent',
  empty: 'removed',
  source: 'the tests',
};

export const proximityReport = (number: string): Buffer => {
  const card = Buffer.from(number, 'hex');
  return Buffer.concat([Buffer.from([3, card.length]), card], 12);
};

/** Each report is read before the next is written: in a FIFO two would run together, as they do not in a hidraw node. */
export async function setRawStage(): Promise<HidStage> {
  const node = await createNode();
  let read = 0;
  return {
    ...node,
    open: ({ events, ...options }) =>
      openHidReader({
        ...options,
        at: node.path,
        layout: proximityLayout,
        grab: granted,
        events: {
          ...events,
          onFrame(verdict) {
            read += 1;
            events.onFrame(verdict);
          },
        },
      }),
    async badge(...numbers) {
      for (const number of numbers) {
        const before = read;
        await node.write(proximityReport(number));
        await until(() => expect(read).toBeGreaterThan(before));
      }
    },
  };
}

async function createNode(): Promise<Omit<HidStage, 'open' | 'badge'>> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-hid-'));
  const [path, away] = [join(folder, 'event0'), join(folder, 'unplugged')];
  await promisify(execFile)('mkfifo', [away]);
  let device: FileHandle | undefined;

  const plugIn = async (): Promise<void> => {
    // Both ends at once, so that it opens before anybody reads.
    device = await open(away, constants.O_RDWR);
    await rename(away, path);
  };
  const unplug = async (): Promise<void> => {
    await rename(path, away);
    await device?.close();
    device = undefined;
  };

  await plugIn();
  return {
    path,
    plugIn,
    unplug,
    async write(bytes) {
      await device?.writeFile(bytes);
    },
    async [Symbol.asyncDispose]() {
      await device?.close();
      await rm(folder, { recursive: true });
    },
  };
}
