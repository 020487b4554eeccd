/**
 * The port BytePrinter over raw TCP (AppSocket, port 9100). Such a printer serves one connection at a time and may make
 * a job of each, so a connection is opened only for a document, or when a person asks. A printer that answers in PJL is
 * asked for its state at the beginning of the document's connection, and its report of the job's end confirms the job.
 * Otherwise a document that was taken whole and closed in order is handed over, not confirmed (INVARIANTS.md B.1).
 */
import type { LookupFunction } from 'node:net';
import type { Clock } from '../../core/clock.ts';
import { minutes } from '../../core/duration.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { PrinterDescription } from '../../domain/ports/printer-description.ts';
import type { BytePrinter, LookOptions, SendOptions, SpooledDocument } from '../../domain/ports/printing.ts';
import { isProblem, Problem } from '../../domain/problem/problem.ts';
import type { JobReport, Ticket } from '../../domain/release.ts';
import type { BackChannel } from './back-channel.ts';
import { askBefore, backChannel } from './back-channel.ts';
import { pjlJob } from './pjl-job.ts';
import type { PjlDevice } from './pjl-messages.ts';
import type { SocketAddress, SocketConnection } from './socket-connection.ts';
import { openConnection, socketAddress } from './socket-connection.ts';
import type { SocketJobPlan, SocketPlanning } from './socket-plan.ts';
import { longestCopies, planBytes, rawFormats, wrapBytes } from './socket-plan.ts';
import { transferBytes } from './socket-transfer.ts';
import type { ByteStall, JobStall } from '../job-patience.ts';
import { busyLimit, busyPause, inquiryLimit, takingMoment } from '../timings.ts';
import type { Envelope } from './pjl.ts';

export interface SocketPrinterDeps extends SocketPlanning {
  /** `socket://10.0.0.7:9100` */
  readonly uri: string;
  /** `stallSeconds` of the configuration. */
  readonly stall: ByteStall;
  /** `jobStallSeconds`, for a printer that has everything and does not close; `auto` unless set. */
  readonly jobStall?: JobStall;
  /** `resetIsEnd` of the configuration; off unless set. */
  readonly resetIsEnd?: boolean;
  readonly clock: Clock;
  /** Name look-up; the system's unless set (INVARIANTS.md D9). */
  readonly lookup?: LookupFunction;
}

/**
 * The state that a document met is believed for this time. After that nothing is known, and the printer counts as
 * ready.
 */
const memorySpan = minutes(1);

/** Throws `config-invalid` for an invalid address. Disposing breaks off transfers under way. */
export const createSocketPrinter = (deps: SocketPrinterDeps): BytePrinter & AsyncDisposable =>
  new SocketPrinter(deps);

class SocketPrinter implements BytePrinter, AsyncDisposable {
  readonly kind = 'bytes';
  readonly uri: string;
  readonly #deps: SocketPrinterDeps;
  readonly #address: SocketAddress;
  readonly #channel: BackChannel;
  readonly #gone = new AbortController();
  #met: { readonly as: PjlDevice | Problem; readonly at: number } | undefined;
  #transfers = 0;

  constructor(deps: SocketPrinterDeps) {
    this.uri = deps.uri;
    this.#deps = deps;
    this.#address = socketAddress(deps.uri);
    this.#channel = backChannel(deps);
  }

  async describe({ isAskedFor = false, ...call }: LookOptions): Promise<PrinterDescription> {
    const device = await this.#deviceNow(isAskedFor, call);
    return described(device, { pjl: this.#deps.pjl, answers: this.#channel.answers() });
  }

  /** Without a connection nothing is known of the printer yet; its state is read before the document, in `send`. */
  async prepare(ticket: Ticket, document: SpooledDocument, given: CallOptions): Promise<SocketJobPlan> {
    await document.whole(this.#together(given));
    const planned = planBytes(ticket, document, this.#deps);
    return wrapBytes(ticket, planned, {
      asks: this.#deps.pjl === 'auto' && this.#channel.answers() === true,
      listens: this.#channel.tellsJobs(),
    });
  }

  async send(
    plan: SocketJobPlan,
    document: SpooledDocument,
    options: SendOptions,
  ): Promise<JobReport | undefined> {
    this.#transfers += 1;
    try {
      const report = await this.#handOver(plan, document, options);
      this.#meet(reached);
      return report;
    } catch (error) {
      if (isProblem(error)) this.#meet(trouble(error));
      throw error;
    } finally {
      this.#transfers -= 1;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#gone.abort();
  }

  async #handOver(
    plan: SocketJobPlan,
    document: SpooledDocument,
    { signal, onFirstByte, onProgress, onPages, expected }: SendOptions,
  ): Promise<JobReport | undefined> {
    const { clock, stall, jobStall = 'auto', resetIsEnd = false } = this.#deps;
    const { envelope, pjlJobName } = plan;
    const call = this.#together({ signal });
    const job = pjlJobName === undefined ? undefined : pjlJob(pjlJobName);
    const opened = await this.#openFor(plan, document, call);
    const transfer = {
      ...opened,
      envelope,
      document,
      job,
      expected,
      onFirstByte,
      onProgress,
      onPages,
      isKnownToTalk: this.#channel.answers() === true,
    };
    const report = await transferBytes({ clock, stall, jobStall, resetIsEnd }, transfer, call);
    if (job) this.#channel.learn(job, opened.isAsked);
    return report;
  }

  /** Opens a connection for the document, to a printer that is free and, by its own word, ready. */
  async #openFor(plan: SocketJobPlan, document: SpooledDocument, call: CallOptions): Promise<Opened> {
    const { question } = plan.envelope;
    if (this.#channel.answers() === true && question.length > 0) {
      const asked = await this.#whenFree(() => this.#openAsking(question, call), call);
      if (asked) return asked;
      // The present printer has read the question and closed.
      this.#channel.fellMute();
    }
    return this.#whenFree(() => this.#openUnasked(() => firstOctet(plan.envelope, document), call), call);
  }

  /** `undefined`: it no longer answers. */
  async #openAsking(question: Buffer, call: CallOptions): Promise<Opened | undefined> {
    const connection = await this.#open(call);
    const isHindered = (device: PjlDevice) => this.#channel.isHindered(device);
    const asked = { connection, question, wait: busyLimit, isHindered };
    const device = await askBefore(this.#deps.clock, asked, call);
    return device && { connection, isAsked: true, isTried: false };
  }

  /**
   * Print servers with room for one client accept the next and close it at once. A printer that ends its half but then
   * takes an octet only has nothing to send; of one octet nothing is printed.
   */
  async #openUnasked(first: () => Promise<Buffer>, call: CallOptions): Promise<Opened> {
    const { clock } = this.#deps;
    const connection = await this.#open(call);
    const moment = clock.sleep(takingMoment, call).then(() => false);
    try {
      const hasLeft = await Promise.race([connection.left().then(() => true), moment]);
      if (hasLeft) await this.#tryOut(connection, await first(), call);
      return { connection, isAsked: false, isTried: hasLeft };
    } catch (cause) {
      connection.close();
      call.signal.throwIfAborted();
      throw putOut(cause);
    }
  }

  async #tryOut(connection: SocketConnection, first: Buffer, call: CallOptions): Promise<void> {
    const isOver = this.#deps.clock.sleep(inquiryLimit, call).then(() => {
      throw new Error('the printer ends the connection');
    });
    await Promise.race([connection.write(first).then(() => connection.taken()), isOver]);
  }

  /** Most printers refuse connections while they serve another; a printer that is switched off always refuses. */
  async #whenFree<Free>(open: () => Promise<Free>, call: CallOptions): Promise<Free> {
    const { clock } = this.#deps;
    const end = clock.monotonic() + busyLimit;
    for (;;) {
      try {
        return await open();
      } catch (error) {
        const isOver = clock.monotonic() + busyPause > end;
        if (isOver || !isProblem(error) || !isTaken(error)) throw error;
      }
      await clock.sleep(busyPause, call);
    }
  }

  #open(call: CallOptions): Promise<SocketConnection> {
    const { clock, lookup } = this.#deps;
    return openConnection({ address: this.#address, clock, lookup }, call);
  }

  async #deviceNow(isAskedFor: boolean, call: CallOptions): Promise<PjlDevice> {
    if (this.#transfers > 0) return atWork;
    return isAskedFor ? this.#reach(call) : this.#lookUnasked(call);
  }

  /** Makes a connection without a document: only if a person asks, or if no printer answered the last time. */
  async #reach(given: CallOptions): Promise<PjlDevice> {
    try {
      const connection = await this.#open(this.#together(given));
      connection.close();
    } catch (error) {
      if (isProblem(error)) this.#meet(error);
      throw error;
    }
    this.#meet(reached);
    return reached;
  }

  /**
   * A refused connection never makes a job, so an absent printer is tried until it answers. That makes one empty
   * connection for each absence.
   */
  async #lookUnasked(call: CallOptions): Promise<PjlDevice> {
    const met = this.#met;
    if (met?.as instanceof Problem) return this.#reach(call);
    if (met === undefined || this.#deps.clock.monotonic() - met.at >= memorySpan) return unmet;
    return met.as;
  }

  #meet(as: PjlDevice | Problem): void {
    this.#met = { as, at: this.#deps.clock.monotonic() };
  }

  /** Until the call ends, or this object is disposed. */
  #together({ signal }: CallOptions): CallOptions {
    return { signal: AbortSignal.any([signal, this.#gone.signal]) };
  }
}

interface Opened {
  readonly connection: SocketConnection;
  readonly isAsked: boolean;
  readonly isTried: boolean;
}

const putOut = (cause: unknown): Problem =>
  new Problem('printer-busy', 'the printer closes the connection at once', { cause, delivery: 'not-sent' });

const isTaken = ({ code, reasons }: Problem): boolean =>
  code === 'printer-busy' || reasons.includes('ECONNREFUSED');

async function firstOctet({ question, head }: Envelope, document: SpooledDocument): Promise<Buffer> {
  for (const part of [question, head]) if (part.length > 0) return part.subarray(0, 1);
  for await (const block of document.read()) return Buffer.from(block.subarray(0, 1));
  return Buffer.alloc(0);
}

/** A printer that accepts connections is ready; a printer that was not met lately is assumed to be. */
const reached: PjlDevice = { state: 'idle', obstacles: [] };
const unmet: PjlDevice = { state: 'idle', obstacles: [] };
const atWork: PjlDevice = { state: 'processing', obstacles: [] };

/**
 * An obstacle or an absence that a document met is the present state. Other problems say nothing about the next
 * document.
 */
function trouble(problem: Problem): PjlDevice | Problem {
  const { code, reasons } = problem;
  if (code === 'printer-busy') return atWork;
  if (code === 'printer-not-ready' || (code === 'printer-stalled' && reasons.length > 0)) {
    return { state: 'stopped', obstacles: reasons };
  }
  return code === 'printer-unreachable' || code === 'printer-address-refused' ? problem : reached;
}

/** `answers` is absent if the printer was never asked. */
function described(
  device: PjlDevice,
  { pjl, answers }: Pick<SocketPlanning, 'pjl'> & { readonly answers: boolean | undefined },
): PrinterDescription {
  const { state, obstacles } = device;
  const isUnasked = answers === undefined && pjl === 'auto';
  return {
    ready: obstacles.length === 0,
    state,
    stateReasons: obstacles,
    acceptingJobs: true,
    ...(device === unmet ? { isAssumed: true } : {}),
    formats: rawFormats,
    mediaReady: [],
    makeAndModel: '',
    firmware: '',
    capabilities: {
      color: 'unknown',
      sides: [],
      copies: longestCopies(pjl),
      obeys: { grey: pjl === 'auto', twoSided: pjl === 'auto' },
      compression: [],
      counts: answers ? 'impressions' : isUnasked ? 'unknown' : 'nothing',
      ...(answers === undefined ? {} : { backChannel: answers ? 'answers' : 'silent' }),
    },
  };
}
