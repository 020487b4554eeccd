/**
 * The card reader on a serial port or USB-serial adapter: opens it, reads, and opens it again whenever it goes. The list
 * of ports is never asked for (`SerialPort.list()` runs udevadm and can end the process): the path comes from the
 * configuration.
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
import { whyRefused } from '../refused-device.ts';
import type { UsbDevice } from '../usb-device.ts';
import { findUsbNodes } from '../usb-device.ts';

/** Never longer, for who plugs a reader in stands before it and waits. */
const reopening: RetrySchedule = { first: milliseconds(250), factor: 2, longest: seconds(2) };
const lookInterval = seconds(1);

export interface SerialReaderDeps extends TextReaderDeps {
  /** The path of its node, or the device, wherever its node is. */
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

/** Opens the port and lets it go at once; rejects with the system's reason. */
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

/** Resolves when the signal aborts, rejects when the port cannot be opened or goes; the port is closed either way. */
async function readUntilGone(opening: Opening, signal: AbortSignal): Promise<void> {
  const { baudRate, clock, intake, signaller } = opening;
  const path = await nodeOf(opening);
  const deviceBefore = await deviceAt(path);
  const port = portOf({ path, baudRate });
  const lost = new Promise<never>((_, reject) => {
    port.on('error', reject);
    port.once('close', (cause: Error | null) => reject(new Error(`${path} was disconnected`, { cause })));
  });
  // It rejects at our own closing too, when nobody waits for it any longer.
  lost.catch(() => {});

  await opened(port);
  const done = new AbortController();
  const ended = AbortSignal.any([signal, done.signal]);
  const disconnect = signaller.connect({ stream: port, intake });
  try {
    if (signal.aborted) return;
    port.on('data', (bytes: Buffer) => {
      intake.push(bytes);
      // A part of the room that serialport reads into for months.
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
 * Rejects when the path no longer leads to the device it led to; resolves when the signal aborts. An adapter pulled
 * while a badge is being read makes serialport 13 read the end of the file for ever (bindings-cpp issue 162): no
 * `close` event comes, and the memory grows until somebody looks.
 */
async function vanished(
  { path, deviceBefore, clock }: { path: string; deviceBefore: string | undefined; clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  // Not every port is a file that could vanish: COM3 of Windows.
  if (!path.startsWith('/')) return aborted(signal);
  // It may have come between the look and the opening.
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

/** Native code is loaded with the first of them: no start waits for it, and few terminals have one. */
function portOf(at: { readonly path: string; readonly baudRate: number }): serialport.SerialPort {
  const { SerialPort } = load('serialport') as typeof serialport;
  return new SerialPort({ ...at, autoOpen: false });
}

const opened = (port: serialport.SerialPort): Promise<void> =>
  new Promise((resolve, reject) =>
    port.open((error) => (error ? reject(inWords(port.path, error)) : resolve())),
  );

/** serialport tells the system's reason in words, and no code. */
const codeBySaying: Readonly<Record<string, string>> = {
  'Operation not permitted': 'EPERM',
  'Permission denied': 'EACCES',
};

function inWords(path: string, error: Error): Error {
  const [, code] = Object.entries(codeBySaying).find(([saying]) => error.message.includes(saying)) ?? [];
  const why = code === undefined ? undefined : whyRefused(code);
  return why === undefined ? error : new Error(`${path} ${why}`, { cause: error });
}

const closed = (port: serialport.SerialPort): Promise<void> =>
  new Promise((resolve) => {
    // What closing a port that is gone has to say is of no use to anybody.
    if (port.isOpen) port.close(() => resolve());
    else resolve();
  });
