/**
 * The card reader on a serial port or USB-serial adapter: opens it, reads, and opens it again whenever it goes.
 * Lines are cut by `framing.ts`, repeated reads are judged by `debounce.ts`. The list of ports is never asked for
 * (`SerialPort.list()` runs udevadm and can end the process): the path comes from the configuration.
 */
import { stat } from 'node:fs/promises';
import { SerialPort } from 'serialport';
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { milliseconds, seconds } from '../core/duration.ts';
import type { Log } from '../core/log.ts';
import type { RetrySchedule } from '../core/retry-schedule.ts';
import { waitBefore } from '../core/retry-schedule.ts';
import { aborted } from '../core/service.ts';
import { normaliseCard } from '../domain/card.ts';
import type { CardReader, CardReaderEvents } from '../domain/ports/readers.ts';
import { Problem } from '../domain/problem.ts';
import type { Debounce } from './debounce.ts';
import { createDebounce } from './debounce.ts';
import { createFraming } from './framing.ts';

const reopening: RetrySchedule = { first: milliseconds(250), factor: 2, longest: seconds(5) };
/** A port that was up so long starts the schedule anew; a loose plug that flaps does not. */
const steadyAfter = seconds(5);
const lookInterval = seconds(1);

export interface SerialReaderOptions {
  readonly path: string;
  readonly baudRate: number;
  readonly name: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly events: CardReaderEvents;
}

export function openSerialReader(options: SerialReaderOptions): CardReader {
  const { name, clock, events } = options;
  const log = options.log.with({ reader: name });

  async function run(signal: AbortSignal): Promise<void> {
    const debounce = createDebounce();
    let state: 'unknown' | 'up' | 'down' = 'unknown';
    let failures = 0;

    const becameUp = (): void => {
      state = 'up';
      log.info('reader up');
      events.onUp();
    };
    const becameDown = (cause: unknown): void => {
      const problem = new Problem('reader-unavailable', reasonOf(cause), { cause });
      if (state === 'down') return log.debug('reader still down', { error: problem });
      state = 'down';
      log.warn('reader down', { error: problem });
      events.onDown(problem);
    };

    while (!signal.aborted) {
      const openedAt = clock.monotonic();
      try {
        await readUntilGone({ options, debounce, log, onOpen: becameUp }, signal);
      } catch (cause) {
        if (signal.aborted) return;
        failures = clock.monotonic() - openedAt >= steadyAfter ? 1 : failures + 1;
        becameDown(cause);
        await rest(waitBefore(failures, reopening), clock, signal);
      }
    }
  }

  return { name, run };
}

/** serialport's own errors begin with `Error: `. */
const reasonOf = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).replace(/^Error:? /, '');

/** Sleeps; returns early when the signal aborts. */
const rest = (span: Duration, clock: Clock, signal: AbortSignal): Promise<void> =>
  clock.sleep(span, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });

interface OpenReader {
  readonly options: SerialReaderOptions;
  readonly debounce: Debounce;
  readonly log: Log;
  onOpen(): void;
}

/** Resolves when the signal aborts, rejects when the port cannot be opened or goes; the port is closed either way. */
async function readUntilGone(reader: OpenReader, signal: AbortSignal): Promise<void> {
  const { path, baudRate, clock } = reader.options;
  const device = await deviceAt(path);
  const port = new SerialPort({ path, baudRate, autoOpen: false });
  const lost = new Promise<never>((_, reject) => {
    port.on('error', reject);
    port.once('close', (cause: Error | null) => reject(new Error(`${path} was disconnected`, { cause })));
  });
  // It rejects at our own closing too, when nobody waits for it any longer.
  lost.catch(() => {});

  await new Promise<void>((resolve, reject) => port.open((error) => (error ? reject(error) : resolve())));
  const done = new AbortController();
  const ended = AbortSignal.any([signal, done.signal]);
  try {
    if (signal.aborted) return;
    port.on('data', lineReader(reader));
    reader.onOpen();
    await Promise.race([lost, vanished({ path, device, clock }, ended), aborted(ended)]);
  } finally {
    done.abort();
    port.removeAllListeners('data');
    await closed(port);
  }
}

function lineReader({ options, debounce, log }: OpenReader): (bytes: Buffer) => void {
  const { name, clock, events } = options;
  const framing = createFraming();
  return (bytes) => {
    const at = clock.monotonic();
    for (const frame of framing.push(bytes, at)) {
      const card = frame.kind === 'text' ? normaliseCard(frame.text) : undefined;
      if (!card) {
        events.onGarbage();
        continue;
      }
      const verdict = debounce.judge(card, at);
      if (verdict === 'accepted') events.onCard({ reader: name, card });
      if (verdict === 'second-card') log.info('second card ignored');
    }
  };
}

/**
 * Rejects when the path no longer leads to the device it led to; resolves when the signal aborts. An adapter pulled
 * while a badge is being read makes serialport 13 read the end of the file for ever (bindings-cpp issue 162): no
 * `close` event comes, and the memory grows until somebody looks.
 */
async function vanished(
  opened: { path: string; device: string | undefined; clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  // Not every port is a file that could vanish: COM3 of Windows.
  if (opened.device === undefined) return aborted(signal);
  while (!signal.aborted) {
    await rest(lookInterval, opened.clock, signal);
    if ((await deviceAt(opened.path)) !== opened.device) throw new Error(`${opened.path} vanished`);
  }
}

async function deviceAt(path: string): Promise<string | undefined> {
  try {
    const { dev, ino, rdev } = await stat(path);
    return `${dev}:${ino}:${rdev}`;
  } catch {
    return undefined;
  }
}

const closed = (port: SerialPort): Promise<void> =>
  new Promise((resolve) => {
    // What closing a port that is gone has to say is of no use to anybody.
    if (port.isOpen) port.close(() => resolve());
    else resolve();
  });
