/**
 * The card reader on a serial port or USB-serial adapter. It opens the port, reads, and opens it again when it goes.
 * The path comes from the configuration. The list of ports is never read, because `SerialPort.list()` runs udevadm and
 * can end the process.
 */
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type * as serialport from 'serialport';
import type { Clock } from '../../core/clock.ts';
import { milliseconds, seconds } from '../../core/duration.ts';
import type { RetrySchedule } from '../../core/retry-schedule.ts';
import { waitBefore } from '../../core/retry-schedule.ts';
import { aborted } from '../../core/service.ts';
import type { CardReader } from '../../domain/ports/readers.ts';
import type { BadgeIntake, TextReaderDeps } from '../intake/badge-intake.ts';
import { createBadgeIntake } from '../intake/badge-intake.ts';
import { createReaderLink, keepTrying, longestOpening, rest } from '../intake/reader-link.ts';
import type { Signaller } from '../intake/reader-signals.ts';
import { createSignaller } from '../intake/reader-signals.ts';
import { whyRefused } from '../device-node.ts';
import type { UsbDevice } from '../usb-device.ts';
import { findUsbNodes } from '../usb-device.ts';

/** Kept short, because the person who plugs in a reader stands there and waits. */
const reopening: RetrySchedule = { first: milliseconds(250), factor: 2, longest: seconds(2) };
const lookInterval = seconds(1);

export interface SerialReaderDeps extends TextReaderDeps {
  /** The path of the node, or the USB device that has the node. */
  readonly at: string | UsbDevice;
  readonly baudRate: number;
  /** Where sysfs is mounted. */
  readonly sysfs?: string;
}

export function openSerialReader(deps: SerialReaderDeps): CardReader {
  const { name, clock } = deps;
  const openIntake = createBadgeIntake(deps);
  const signaller = createSignaller({ commands: deps.signals, clock });
  return {
    name,
    signal: signaller.signal,
    run(signal) {
      const link = createReaderLink(deps);
      return keepTrying(
        (during) => readUntilGone({ ...deps, signaller, intake: openIntake(), onOpen: link.up }, during),
        {
          link,
          clock,
          waitAfter: (failures) => waitBefore(failures, reopening),
          opensWithin: longestOpening,
        },
        signal,
      );
    },
  };
}

/** Opens the port and closes it at once. Rejects with the system's reason. */
export async function trySerialPort(at: { readonly path: string; readonly baudRate: number }): Promise<void> {
  const port = portOf(at);
  await opened(port);
  await closed(port);
}

interface Opening {
  readonly at: string | UsbDevice;
  readonly baudRate: number;
  readonly sysfs?: string;
  readonly clock: Clock;
  readonly intake: BadgeIntake;
  readonly signaller: Signaller;
  onOpen(): void;
}

/**
 * Resolves when the signal aborts. Rejects when the port cannot be opened or goes. The port is closed in both cases.
 */
async function readUntilGone(opening: Opening, signal: AbortSignal): Promise<void> {
  const { baudRate, clock, intake, signaller } = opening;
  const path = await nodeOf(opening);
  const deviceBefore = await deviceAt(path);
  const port = portOf({ path, baudRate });
  const lost = new Promise<never>((_, reject) => {
    port.on('error', reject);
    port.once('close', (cause: Error | null) => reject(new Error(`${path} was disconnected`, { cause })));
  });
  // It also rejects when the port is closed here, and then no code waits for it.
  lost.catch(() => {});

  await opened(port);
  const done = new AbortController();
  const ended = AbortSignal.any([signal, done.signal]);
  const disconnect = signaller.connect({ stream: port, intake });
  try {
    if (signal.aborted) return;
    port.on('data', (bytes: Buffer) => {
      intake.push(bytes);
      // serialport reuses this memory for months, so the number is erased.
      bytes.fill(0);
    });
    opening.onOpen();
    await Promise.race([lost, vanished({ path, deviceBefore, clock }, ended), aborted(ended)]);
  } finally {
    done.abort();
    disconnect();
    intake.close();
    port.removeAllListeners('data');
    await closed(port);
  }
}

/**
 * Rejects when the path no longer leads to the same device; resolves when the signal aborts. If an adapter is pulled
 * during a read, serialport 13 reads the end of the file for ever (bindings-cpp issue 162). Then no `close` event
 * comes, and memory grows until this check runs.
 */
async function vanished(
  { path, deviceBefore, clock }: { path: string; deviceBefore: string | undefined; clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  // Not every port is a file that can vanish, for example COM3 on Windows.
  if (!path.startsWith('/')) return aborted(signal);
  // The device may have come between the first look and the opening.
  const device = deviceBefore ?? (await deviceAt(path));
  while (!signal.aborted) {
    if (device === undefined || (await deviceAt(path)) !== device) throw new Error(`${path} vanished`);
    await rest(lookInterval, clock, signal);
  }
}

async function nodeOf({ at, sysfs }: Pick<Opening, 'at' | 'sysfs'>): Promise<string> {
  if (typeof at === 'string') return at;
  const [first] = await findUsbNodes({
    ...at,
    class: 'tty',
    ...(sysfs === undefined ? {} : { root: sysfs }),
  });
  if (first) return first.path;
  throw new Error(`no USB device ${at.vendor}:${at.product} with a serial port is there`);
}

async function deviceAt(path: string): Promise<string | undefined> {
  try {
    const { dev, ino, rdev } = await stat(path);
    return `${dev}:${ino}:${rdev}`;
  } catch {
    return undefined;
  }
}

const load = createRequire(import.meta.url);

/**
 * Native code is loaded with the first port: the start of the agent does not wait for it, and few terminals have a
 * port. The package's own door would load all its parsers, too.
 */
function portOf(at: { readonly path: string; readonly baudRate: number }): serialport.SerialPort {
  const { SerialPort } = load('serialport/dist/serialport.js') as Pick<typeof serialport, 'SerialPort'>;
  return new SerialPort({ ...at, autoOpen: false });
}

const opened = (port: serialport.SerialPort): Promise<void> =>
  new Promise((resolve, reject) =>
    port.open((error) => (error ? reject(inWords(port.path, error)) : resolve())),
  );

/** serialport gives the system's reason as words, without a code. */
const codeBySaying: Readonly<Record<string, string>> = {
  'Operation not permitted': 'EPERM',
  'Permission denied': 'EACCES',
  'Cannot lock port': 'EBUSY',
};

function inWords(path: string, error: Error): Error {
  const [, code] = Object.entries(codeBySaying).find(([saying]) => error.message.includes(saying)) ?? [];
  const why = code === undefined ? undefined : whyRefused(code);
  return why === undefined ? error : new Error(`${path} ${why}`, { cause: error });
}

const closed = (port: serialport.SerialPort): Promise<void> =>
  new Promise((resolve) => {
    // An error from closing a lost port needs no handling.
    if (port.isOpen) port.close(() => resolve());
    else resolve();
  });
