/**
 * A virtual IPP printer on the loopback address (RFC 8010, RFC 8011; IPP/1.1 and 2.0). Printed documents are files in a
 * folder, and `outputs` is the ground truth, whatever the client was told. Violations of the standard are noted in
 * `deviations`. It shares only the codec with `src/printing`.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Chance } from '../../core/chance.ts';
import { systemChance } from '../../core/chance.ts';
import type { Clock } from '../../core/clock.ts';
import { systemClock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { milliseconds } from '../../core/duration.ts';
import type { Audience, Deviations, News } from '../news.ts';
import { createDeviations, createNews } from '../news.ts';
import type { LoopbackServer } from '../loopback-server.ts';
import { startLoopbackServer } from '../loopback-server.ts';
import type { PrinterBehaviour } from './behaviour.ts';
import { createMood } from './behaviour.ts';
import type { Panel, PrinterContext, PrinterSettings } from './context.ts';
import { cancelWhereOrdered, releaseHeld, runEngine } from './engine.ts';
import { habitsFrom } from '../habit-table.ts';
import type { Habits, HabitWish } from './habits/habits.ts';
import { printerHabits } from './habits/habits.ts';
import { habitualCounters } from './job-attributes.ts';
import type { Job, Jobs } from './jobs.ts';
import { createJobs } from './jobs.ts';
import type { PrinterOutput } from './outputs.ts';
import { createOutputs } from './outputs.ts';
import type { Reach } from './reach.ts';
import { createReach } from './reach.ts';
import type { PrinterRequest } from './serving.ts';
import { servePrinter } from './serving.ts';
import { ownPath } from './habitual-answers.ts';

export interface PrinterOptions extends Partial<Omit<PrinterSettings, 'uri' | 'uuid'>> {
  /** 0 or absent: a free port. */
  readonly port?: number;
  /** The printer is at `/printers/QUEUE`, like a queue of CUPS. */
  readonly queue?: string;
  /** The folder of printed documents. Absent: a temporary folder that is deleted with the printer. */
  readonly outputFolder?: string;
  /** Its lasting habits, like those of real printers (`habits.ts`). */
  readonly habits?: readonly HabitWish[];
  readonly clock?: Clock;
  readonly chance?: Chance;
}

export interface VirtualPrinter extends AsyncDisposable, Audience {
  /** For example `ipp://127.0.0.1:…/ipp/print`, or `cups://127.0.0.1:…/QUEUE`. */
  readonly uri: string;
  readonly outputFolder: string;
  /** The ground truth: everything that was printed, completely or in part. */
  readonly outputs: readonly PrinterOutput[];
  readonly jobs: readonly Job[];
  /** Every IPP request that arrived. */
  readonly requests: readonly PrinterRequest[];
  /** The violations of the standard by clients, one sentence each. */
  readonly deviations: readonly string[];
  /** From now until `clear`. */
  behave(behaviour: PrinterBehaviour): Promise<void>;
  /** For the first request or job that an event concerns. A condition still lasts until `clear`. */
  behaveOnce(behaviour: PrinterBehaviour): Promise<void>;
  /** Repairs the printer: the jam is cleared, the door is closed, and jobs go on. */
  clear(): Promise<void>;
  /** As after a reboot: connections break, jobs are forgotten, and ids begin at 1 again. */
  reboot(): Promise<void>;
  /** A person cancels the job that prints or is held, or the next one, after this many pages. */
  cancelAtPanel(afterPages?: number): Promise<void>;
  /** A person releases the held jobs. */
  releaseAtPanel(): void;
  /** For the sleeping habits: the next request must wake the printer. */
  fallAsleep(): void;
}

export async function startVirtualPrinter(options: PrinterOptions = {}): Promise<VirtualPrinter> {
  await using opening = new AsyncDisposableStack();
  const folder = options.outputFolder ?? (await mkdtemp(join(tmpdir(), 'platen-printer-')));
  if (options.outputFolder === undefined) {
    opening.defer(() => rm(folder, { recursive: true, force: true }));
  }
  await mkdir(folder, { recursive: true });
  const served = Promise.withResolvers<IppPrinter>();
  const server = opening.use(
    await startLoopbackServer({
      port: options.port ?? 0,
      handle: async (request, response) => (await served.promise).serve(request, response),
    }),
  );
  const printer = new IppPrinter({ server, folder, options, opened: opening.move() });
  printer.switchOn();
  served.resolve(printer);
  return printer;
}

class IppPrinter implements VirtualPrinter {
  readonly uri: string;
  readonly outputFolder: string;
  readonly onEvent: Audience['onEvent'];
  readonly waitFor: Audience['waitFor'];
  readonly requests: PrinterRequest[] = [];
  readonly #server: LoopbackServer;
  readonly #opened: AsyncDisposableStack;
  readonly #news: News;
  readonly #deviations: Deviations;
  readonly #mood = createMood();
  readonly #panel: Panel = { repairs: 0, isOutOfPaper: false, cancelAfter: undefined };
  readonly #jobs: Jobs;
  readonly #context: PrinterContext;
  readonly #reach: Reach;
  readonly #off = new AbortController();

  constructor({
    server,
    folder,
    options,
    opened,
  }: {
    readonly server: LoopbackServer;
    readonly folder: string;
    readonly options: PrinterOptions;
    readonly opened: AsyncDisposableStack;
  }) {
    const { clock = systemClock, chance = systemChance, queue } = options;
    this.#server = server;
    this.#opened = opened;
    this.#news = createNews();
    ({ onEvent: this.onEvent, waitFor: this.waitFor } = this.#news.audience);
    this.#deviations = createDeviations((sentence) => this.#news.tell(`deviation: ${sentence}`));
    this.#jobs = createJobs({ clock, chance });
    this.outputFolder = folder;
    const habits = habitsFrom(printerHabits, options.habits ?? []);
    const settings = settingsOf(options, server.port, habits);
    // If the printer has another path, the usual address is given, because a person would write that one.
    const uri = ownPath(habits) !== undefined ? addressOf(options, server.port) : settings.uri;
    this.uri = queue === undefined ? uri : `cups://127.0.0.1:${server.port}/${queue}`;
    this.#context = {
      settings,
      habits,
      clock,
      mood: this.#mood,
      panel: this.#panel,
      news: this.#news,
      jobs: this.#jobs,
      outputs: createOutputs({ folder, now: () => clock.now() }),
      restart: () => this.reboot(),
      off: this.#off.signal,
    };
    this.#reach = createReach({
      habits,
      clock,
      off: this.#off.signal,
      beAway: (span) => this.#beAway(span),
    });
  }

  switchOn(): void {
    const engine = runEngine(this.#context);
    this.#opened.defer(async () => {
      this.#off.abort();
      await engine;
    });
  }

  serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const desk = {
      context: this.#context,
      deviations: this.#deviations,
      reach: this.#reach,
      requests: this.requests,
    };
    return servePrinter(desk, request, response);
  }

  get outputs(): readonly PrinterOutput[] {
    return this.#context.outputs.list;
  }

  get jobs(): readonly Job[] {
    return this.#jobs.list;
  }

  get deviations(): readonly string[] {
    return this.#deviations.list;
  }

  behave(behaviour: PrinterBehaviour): Promise<void> {
    return this.#change(behaviour, 'always');
  }

  behaveOnce(behaviour: PrinterBehaviour): Promise<void> {
    return this.#change(behaviour, 'once');
  }

  clear(): Promise<void> {
    return this.#change(undefined, 'always');
  }

  async reboot(): Promise<void> {
    await this.#server.close();
    this.#jobs.forget();
    await this.#listenAgain();
    this.#news.tell('printer: rebooted, no job is known');
  }

  async cancelAtPanel(afterPages = 0): Promise<void> {
    this.#panel.cancelAfter = afterPages;
    const printing = this.#jobs.list.find(
      ({ state }) => state.startsWith('processing') || state === 'pending-held',
    );
    if (printing) cancelWhereOrdered(this.#context, printing);
    await this.#news.until(() => this.#panel.cancelAfter === undefined, this.#off.signal);
  }

  releaseAtPanel(): void {
    releaseHeld(this.#context);
  }

  fallAsleep(): void {
    this.#reach.fallAsleep();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#opened.disposeAsync();
  }

  async #change(behaviour: PrinterBehaviour | undefined, times: 'always' | 'once'): Promise<void> {
    const wasClosed = this.#mood.is('refuse-connections') !== undefined;
    this.#mood.set(behaviour, times);
    const isClosed = behaviour?.kind === 'refuse-connections';
    if (isClosed && !wasClosed) await this.#server.close();
    if (wasClosed && !isClosed) await this.#server.reopen();
    if (behaviour === undefined) this.#panel.repairs += 1;
    this.#news.tell(behaviour ? `printer: told to ${behaviour.kind}` : 'printer: well again');
  }

  async #beAway(span: Duration): Promise<void> {
    this.#news.tell('printer: wakes up, nobody listens');
    await this.#server.close();
    await this.#context.clock.sleep(span, { signal: this.#off.signal });
    await this.#listenAgain();
    this.#news.tell('printer: awake');
  }

  async #listenAgain(): Promise<void> {
    if (this.#mood.is('refuse-connections') === undefined) await this.#server.reopen();
  }
}

const addressOf = ({ queue }: PrinterOptions, port: number, path?: string): string =>
  `ipp://127.0.0.1:${port}${path ?? (queue === undefined ? '/ipp/print' : `/printers/${queue}`)}`;

const settingsOf = (options: PrinterOptions, port: number, habits: Habits): PrinterSettings => ({
  name: options.name ?? 'Platen Virtual Printer',
  uri: addressOf(options, port, ownPath(habits)),
  uuid: uuidAt(port),
  pageTime: options.pageTime ?? milliseconds(5),
  pages: options.pages ?? 1,
  whenBusy: options.whenBusy ?? 'queue',
  afterCut: options.afterCut ?? 'print',
  counters: options.counters ?? habitualCounters(habits) ?? 'reported',
  attributes: options.attributes ?? [],
});

/** A printer that starts again on the same port has the same uuid (RFC 9562 version 8). */
const uuidAt = (port: number): string =>
  `urn:uuid:${port.toString(16).padStart(8, '0')}-0000-8000-8000-000000000000`;
