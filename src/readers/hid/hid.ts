/**
 * The USB readers: keyboard readers and readers that send raw reports. It finds the node, opens it, reads it, and
 * searches again when the device goes. A keyboard is grabbed before the first read, so that no number reaches a login
 * prompt or a text field. Linux only.
 */
import { dirname } from 'node:path';
import type { ReportLayout } from '../../config/schema/known-readers.ts';
import { milliseconds, seconds } from '../../core/duration.ts';
import type { RetrySchedule } from '../../core/retry-schedule.ts';
import { waitBefore } from '../../core/retry-schedule.ts';
import type { CardReader } from '../../domain/ports/readers.ts';
import type { TextReaderDeps } from '../intake/badge-intake.ts';
import type { DeviceNode } from '../device-node.ts';
import { changeIn, openNode, whyRefused } from '../device-node.ts';
import type { HidInput } from './hid-input.ts';
import { createKeyboardInput, createRawInput } from './hid-input.ts';
import { hidNodes } from '../usb-device.ts';
import type { Grab } from './ioctl.ts';
import { createReaderLink, keepTrying, longestOpening } from '../intake/reader-link.ts';
import type { UsbDevice } from '../usb-device.ts';

/** Kept short, because the person who plugs in a reader stands there and waits. */
const reopening: RetrySchedule = { first: milliseconds(250), factor: 2, longest: seconds(2) };

export interface HidReaderDeps extends TextReaderDeps {
  /** The path of a node in `/dev`, or the USB device that has the node. */
  readonly at: string | UsbDevice;
  /** The layout of raw reports. Without a layout, the reader is a keyboard. */
  readonly layout?: ReportLayout | undefined;
  readonly grab: Grab;
}

export function openHidReader(deps: HidReaderDeps): CardReader {
  const { name, clock, layout } = deps;
  const openInput = layout ? createRawInput({ ...deps, layout }) : createKeyboardInput(deps);

  return {
    name,
    run(signal) {
      const link = createReaderLink(deps);
      const session = async (during: AbortSignal): Promise<void> => {
        const node = await openFirst(deps);
        const close = (): void => void node.close();
        during.addEventListener('abort', close, { once: true });
        const input = openInput();
        try {
          if (during.aborted) return;
          link.up();
          await readUntilGone(node, input);
        } finally {
          during.removeEventListener('abort', close);
          input.close();
          await node.close();
        }
      };
      const waitAfter = (failures: number) => waitBefore(failures, reopening);
      // A keyboard that is not grabbed types at every console.
      const arrival = (during: AbortSignal) => changeIn(folderOf(deps), during);
      return keepTrying(session, { link, clock, waitAfter, opensWithin: longestOpening, arrival }, signal);
    },
  };
}

/** Where its node appears. The links in a folder below it come later, or with the folder. */
const folderOf = ({ at }: HidReaderDeps): string =>
  typeof at !== 'string' || at.startsWith('/dev/input/') ? '/dev/input' : dirname(at);

/** Rejects when the device goes or when the node is closed. */
async function readUntilGone(node: DeviceNode, input: HidInput): Promise<never> {
  for (;;) input.push(await node.read());
}

/** If several devices fit, the first one that no other program uses is taken. */
async function openFirst(deps: HidReaderDeps): Promise<DeviceNode> {
  const { at, name, layout, log } = deps;
  const kind = layout ? 'raw' : 'keyboard';
  const paths = typeof at === 'string' ? [at] : await hidNodes({ device: at, kind });
  if (paths.length > 1) log.info('several devices fit; the first free one is taken', { reader: name, paths });
  let failure: unknown = new Error(`no device ${name} is there`);
  for (const path of paths) {
    try {
      return await openAlone(path, deps);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function openAlone(path: string, { layout, grab }: HidReaderDeps): Promise<DeviceNode> {
  try {
    const node = await openNode(path);
    // A raw node needs no grab: the kernel types nothing from it into other programs.
    if (layout) return node;
    try {
      await grab(node.fd);
      return node;
    } catch (cause) {
      await node.close();
      throw cause;
    }
  } catch (cause) {
    throw new Error(`${path} ${explanationOf(cause)}`, { cause });
  }
}

function explanationOf(cause: unknown): string {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  if (code === 'ENOTTY') return 'is not an event node';
  return whyRefused(code) ?? `cannot be opened: ${message}`;
}
