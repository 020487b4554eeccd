/**
 * A virtual IPP printer on the loopback address (RFC 8010, RFC 8011; IPP/1.1 and 2.0). What it prints lies as files
 * in a folder, and `outputs` tells what really came out, whatever the client was told. Strict: requests that are
 * not what the standard asks for are noted in `deviations`. Shares nothing with `src/printing` but the codec.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Chance } from '../../core/chance.ts';
import { systemChance } from '../../core/chance.ts';
import type { Clock } from '../../core/clock.ts';
import { systemClock } from '../../core/clock.ts';
import { milliseconds } from '../../core/duration.ts';
import { createDeviations } from '../deviations.ts';
import { startLoopbackServer } from '../loopback-server.ts';
import type { Audience } from '../news.ts';
import { createNews } from '../news.ts';
import type { PrinterBehaviour } from './behaviour.ts';
import { createMood } from './behaviour.ts';
import type { Panel, PrinterContext, PrinterSettings } from './context.ts';
import { cancelWhereOrdered, runEngine } from './engine.ts';
import { habitsFrom } from '../habit-table.ts';
import type { HabitWish } from './habits.ts';
import { printerHabits } from './habits.ts';
import { habitualCounters } from './job-attributes.ts';
import type { Job } from './jobs.ts';
import { createJobs } from './jobs.ts';
import type { PrinterOutput } from './outputs.ts';
import { createOutputs } from './outputs.ts';
import { createReach } from './reach.ts';
import type { PrinterRequest } from './serving.ts';
import { servePrinter } from './serving.ts';

export interface PrinterOptions extends Partial<Omit<PrinterSettings, 'uri' | 'uuid'>> {
  /** 0 or absent: a free one. */
  readonly port?: number;
  /** It stands at `/printers/QUEUE`, as a queue of CUPS does. */
  readonly queue?: string;
  /** Where the printed documents go; absent: a temporary folder that goes with the printer. */
  readonly outputFolder?: string;
  /** What it does as real ones do, always (`printer-habits.ts`). */
  readonly habits?: readonly HabitWish[];
  readonly clock?: Clock;
  readonly chance?: Chance;
}

export interface VirtualPrinter extends AsyncDisposable, Audience {
  /** `ipp://127.0.0.1:…/ipp/print`, or `cups://127.0.0.1:…/QUEUE` */
  readonly uri: string;
  readonly outputFolder: string;
  /** The ground truth: everything that came out, in part or whole. */
  readonly outputs: readonly PrinterOutput[];
  readonly jobs: readonly Job[];
  /** Every IPP request that arrived. */
  readonly requests: readonly PrinterRequest[];
  /** What clients did against the standard, a sentence each. */
  readonly deviations: readonly string[];
  /** From now on, until `clear`. */
  behave(behaviour: PrinterBehaviour): Promise<void>;
  /** For the first request or job that an event concerns; a condition lasts until `clear` all the same. */
  behaveOnce(behaviour: PrinterBehaviour): Promise<void>;
  /** Well again: the jam is cleared, the door closed, jobs go on. */
  clear(): Promise<void>;
  /** As after a reboot: connections break, jobs are forgotten, ids begin at 1 again. */
  reboot(): Promise<void>;
  /** Somebody cancels the job that prints, or the next one, after so many pages. */
  cancelAtPanel(afterPages?: number): Promise<void>;
  /** With one of the sleeping habits: the next request has to wake it. */
  fallAsleep(): void;
}

export async function startVirtualPrinter(options: PrinterOptions = {}): Promise<VirtualPrinter> {
  const { clock = systemClock, chance = systemChance, queue } = options;
  await using opening = new AsyncDisposableStack();
  const folder = options.outputFolder ?? (await mkdtemp(join(tmpdir(), 'platen-printer-')));
  if (options.outputFolder === undefined) {
    opening.defer(() => rm(folder, { recursive: true, force: true }));
  }
  await mkdir(folder, { recursive: true });

  const news = createNews(clock);
  const deviations = createDeviations((sentence) => news.tell(`deviation: ${sentence}`));
  const requests: PrinterRequest[] = [];
  const off = new AbortController();
  const mood = createMood();
  const habits = habitsFrom(printerHabits, options.habits ?? []);
  const panel: Panel = { repairs: 0, isOutOfPaper: false, cancelAfter: undefined };
  const outputs = createOutputs({ folder, now: () => clock.now() });
  const jobs = createJobs({ clock, chance });
  const server = opening.use(
    await startLoopbackServer({
      port: options.port ?? 0,
      handle: (request, response) =>
        servePrinter({ context, deviations, reach, requests }, request, response),
    }),
  );
  const listenAgain = async () => {
    if (mood.is('refuse-connections') === undefined) await server.reopen();
  };
  const reach = createReach({
    ...{ habits, clock, off: off.signal },
    async beAway(span) {
      news.tell('printer: wakes up, nobody listens');
      await server.close();
      await clock.sleep(span, { signal: off.signal });
      await listenAgain();
      news.tell('printer: awake');
    },
  });
  const restart = async () => {
    await server.close();
    jobs.forget();
    await listenAgain();
    news.tell('printer: rebooted, no job is known');
  };
  const context: PrinterContext = {
    settings: {
      name: options.name ?? 'Platen Virtual Printer',
      uri: `ipp://127.0.0.1:${server.port}${queue === undefined ? '/ipp/print' : `/printers/${queue}`}`,
      uuid: uuidAt(server.port),
      pageTime: options.pageTime ?? milliseconds(5),
      pages: options.pages ?? 1,
      whenBusy: options.whenBusy ?? 'queue',
      afterCut: options.afterCut ?? 'print',
      counters: options.counters ?? habitualCounters(habits) ?? 'reported',
      attributes: options.attributes ?? [],
    },
    jobs,
    outputs,
    ...{ mood, habits, panel, news, clock, restart },
    off: off.signal,
  };
  const engine = runEngine(context);
  opening.defer(async () => {
    off.abort();
    await engine;
  });
  const on = opening.move();

  const change = async (behaviour: PrinterBehaviour | undefined, times: 'always' | 'once') => {
    const wasClosed = mood.is('refuse-connections') !== undefined;
    mood.set(behaviour, times);
    const isClosed = behaviour?.kind === 'refuse-connections';
    if (isClosed && !wasClosed) await server.close();
    if (wasClosed && !isClosed) await server.reopen();
    if (behaviour === undefined) panel.repairs += 1;
    news.tell(behaviour ? `printer: told to ${behaviour.kind}` : 'printer: well again');
  };
  return {
    ...news.audience,
    uri: queue === undefined ? context.settings.uri : `cups://127.0.0.1:${server.port}/${queue}`,
    outputFolder: folder,
    outputs: outputs.list,
    get jobs() {
      return jobs.list;
    },
    requests,
    deviations: deviations.list,
    behave: (behaviour) => change(behaviour, 'always'),
    behaveOnce: (behaviour) => change(behaviour, 'once'),
    clear: () => change(undefined, 'always'),
    reboot: restart,
    async cancelAtPanel(afterPages = 0) {
      panel.cancelAfter = afterPages;
      const printing = jobs.list.find(({ state }) => state.startsWith('processing'));
      if (printing) cancelWhereOrdered(context, printing);
      await news.until(() => panel.cancelAfter === undefined, off.signal);
    },
    fallAsleep: () => reach.fallAsleep(),
    [Symbol.asyncDispose]: () => on.disposeAsync(),
  };
}

/** Who starts it again on the same port has the same printer again (RFC 9562 version 8). */
const uuidAt = (port: number): string =>
  `urn:uuid:${port.toString(16).padStart(8, '0')}-0000-8000-8000-000000000000`;
