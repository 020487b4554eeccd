/** The readers of one terminal, opened by the configuration, and the state of each. */
import type { HidReaderConfig } from '../config/schema/usb-readers.ts';
import { reportLayouts } from '../config/schema/known-readers.ts';
import type { ReaderConfig, ReaderOf, ReaderType } from '../config/schema/reader.ts';
import { readerName } from '../config/schema/reader.ts';
import type { TerminalConfig } from '../config/schema/config.ts';
import { usbDeviceOf } from '../config/schema/usb-readers.ts';
import { hours, seconds } from '../core/duration.ts';
import type { ProgressWatch, Service } from '../core/service.ts';
import { createSparingLog } from '../core/sparing-log.ts';
import type {
  CardRead,
  CardReader,
  CardReaderEvents,
  FrameVerdict,
  ReaderSignal,
  ReaderStatus,
} from '../domain/ports/readers.ts';
import type { Trust } from '../printing/ipp/system-trust.ts';
import type { DialIn } from '../readers/tcp/dial-in.ts';
import { createReaderHealth } from '../readers/intake/reader-health.ts';
import { pcscdSocket } from '../readers/pcsc/pcsc-client.ts';
import { openPcscReader } from '../readers/pcsc/pcsc.ts';
import { openHidReader } from '../readers/hid/hid.ts';
import { createGrab } from '../readers/hid/ioctl.ts';
import { openSerialReader } from '../readers/serial/serial.ts';
import { openDialledReader } from '../readers/tcp/tcp-connect.ts';
import { openDiallingReader } from '../readers/tcp/tcp-listen.ts';
import { aborted, runServices } from '../core/service.ts';
import type { Env } from '../domain/env.ts';

export interface StationReaders {
  readonly services: readonly Service[];
  /** The readers are open while the terminal is served here. Resolves when they are closed, if they must be. */
  serve(yes: boolean): Promise<void>;
  states(): readonly ReaderStatus[];
  signal(reader: string, signal: ReaderSignal): void;
  /** At least one reader is up, or the terminal has none at all. */
  canRead(): boolean;
  /** Resolves when every reader is known to be up or down since it is served; after 2 s in any case. */
  settled(): Promise<void>;
}

export interface ReaderDeps extends Env {
  onCard(read: CardRead): void;
  /** A card was taken away whose removal ends the session. */
  onRemoved(read: CardRead): void;
  onState(reader: string, state: 'up' | 'down'): void;
  onFrame(reader: string, verdict: FrameVerdict): void;
  readonly dialIn: DialIn;
  readonly trust: Trust;
  readonly health: ProgressWatch;
}

const patience = seconds(2);

export function openReaders(
  config: Pick<TerminalConfig, 'id' | 'readers'>,
  deps: ReaderDeps,
): StationReaders {
  const opened = config.readers.map((reader) => openOne(reader, { ...deps, terminal: config.id }));
  const healths = opened.map(({ health }) => health);
  const services = opened.flatMap(({ reader, health }) => [reader, health]);
  const open = attended(services, {
    name: `readers of ${config.id}`,
    watch: deps.health,
    onClosed: () => healths.forEach((health) => health.closed()),
  });
  return {
    services: [open],
    serve(yes) {
      if (!yes) for (const { forget } of opened) forget();
      return open.serve(yes);
    },
    signal(name, signal) {
      for (const { reader } of opened) if (reader.name === name) reader.signal?.(signal);
    },
    states: () => healths.map((health) => health.status()),
    canRead: () => healths.length === 0 || healths.some((health) => health.status().state === 'up'),
    async settled() {
      const heard = opened.map(({ firstWord }) => firstWord());
      await Promise.race([Promise.all(heard), deps.clock.sleep(patience)]);
    },
  };
}

function openOne(config: ReaderConfig, world: ReaderDeps & { readonly terminal: string }) {
  const { terminal, conditions, clock, log } = world;
  const name = readerName(config);
  let known = Promise.withResolvers<void>();
  const health = createReaderHealth({
    name,
    kind: config.type,
    terminal,
    conditions,
    clock,
    silentAfter: silenceOf(config),
  });
  const events: CardReaderEvents = {
    onCard(read) {
      log.info('card read', { reader: name });
      world.onCard(read);
    },
    onRemoved(read) {
      log.info('card removed', { reader: name });
      if ('removalEndsSession' in config && config.removalEndsSession) world.onRemoved(read);
    },
    onUp() {
      health.onUp();
      known.resolve();
      world.onState(name, 'up');
    },
    onDown(problem) {
      health.onDown(problem);
      known.resolve();
      world.onState(name, 'down');
    },
    onKey(state) {
      health.onKey?.(state);
    },
    onFrame(verdict) {
      if (verdict === 'garbage') log.debug('garbage read', { reader: name });
      health.onFrame(verdict);
      world.onFrame(name, verdict);
    },
  };
  const reader = readerOf(config, { ...world, log: createSparingLog({ log, clock }), name, events });
  return {
    reader,
    health,
    firstWord: () => known.promise,
    forget: () => void (known = Promise.withResolvers()),
  };
}

type Tools = ReaderDeps & { readonly name: string; readonly events: CardReaderEvents };

interface Opener<Reader> {
  open(config: Reader, tools: Tools): CardReader;
}

const openers: { readonly [Type in ReaderType]: Opener<ReaderOf<Type>> } = {
  serial: {
    open: (config, tools) =>
      openSerialReader({ ...tools, ...config, at: config.path ?? usbDeviceOf(config.device ?? '') }),
  },
  hid: {
    open: (config, tools) => openHidReader({ ...tools, ...hidPlace(config), grab: createGrab() }),
  },
  pcsc: {
    open: ({ reader }, tools) => openPcscReader({ ...tools, reader, socket: pcscdSocket() }),
  },
  'tcp-connect': {
    open: (config, tools) => openDialledReader({ ...tools, ...config, tls: config.tls }),
  },
  'tcp-listen': {
    open: (config, tools) => openDiallingReader({ ...tools, ...config, hello: config.hello }),
  },
};

function readerOf(config: ReaderConfig, tools: Tools): CardReader {
  const opener: Opener<ReaderConfig> = openers[config.type];
  return opener.open(config, tools);
}

function hidPlace({ path, device = '', layout, framing = { kind: 'line' } }: HidReaderConfig) {
  const at = path ?? usbDeviceOf(device);
  return { at, framing, layout: layout === undefined ? undefined : reportLayouts.get(layout) };
}

function silenceOf(config: ReaderConfig) {
  if (!('silentAfterHours' in config) || config.silentAfterHours === 'off') return undefined;
  return hours(config.silentAfterHours);
}

/**
 * Services that run only while this gateway serves the terminal: its readers. A reader that two gateways had open would
 * give each badge to either of them (F11).
 */
interface Attended extends Service {
  /** Resolves when they are closed, if they must be. */
  serve(yes: boolean): Promise<void>;
}

export function attended(
  services: readonly Service[],
  { name, watch, onClosed }: { readonly name: string; readonly watch: ProgressWatch; onClosed(): void },
): Attended {
  let isServed = false;
  let turned = Promise.withResolvers<void>();
  let closing = new AbortController();
  let running = Promise.resolve();

  return {
    name,
    serve(yes) {
      isServed = yes;
      if (yes) turned.resolve();
      else closing.abort();
      return yes ? Promise.resolve() : running;
    },
    async run(signal) {
      while (!signal.aborted) {
        if (!isServed) await Promise.race([turned.promise, aborted(signal)]);
        turned = Promise.withResolvers();
        if (!isServed || signal.aborted) continue;
        closing = new AbortController();
        const over = AbortSignal.any([signal, closing.signal]);
        // A terminal may have no readers.
        const open = Promise.all([runServices(services, over, watch), aborted(over)]);
        running = open.then(onClosed, () => {});
        await open;
        await running;
      }
    },
  };
}
