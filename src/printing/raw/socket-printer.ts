/**
 * The port BytePrinter over raw TCP (AppSocket, port 9100). Such a printer takes one connection at a time, and may make a
 * job of each: none is opened but for a document, or when a person asks. One that answers in PJL is asked how it is at the
 * beginning of the document's connection, and tells the job's end, which confirms it; with one that does not, what it took
 * whole and closed in order is handed over, not confirmed (reliability.md B.1).
 */
import type { LookupFunction } from 'node:net';
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { minutes } from '../../core/duration.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { PrinterDescription } from '../../domain/ports/printer-description.ts';
import type { BytePrinter } from '../../domain/ports/printing.ts';
import { isProblem, Problem } from '../../domain/problem/problem.ts';
import { backChannel } from './back-channel.ts';
import { pjlJob } from './pjl-job.ts';
import type { PjlDevice } from './pjl-status.ts';
import { socketAddress } from './socket-address.ts';
import type { SocketConnection } from './socket-connection.ts';
import { openConnection } from './socket-connection.ts';
import type { SocketJobPlan, SocketPlanning } from './socket-plan.ts';
import { longestCopies, planBytes, rawFormats, wrapBytes } from './socket-plan.ts';
import { askBefore } from './socket-question.ts';
import { transferBytes } from './socket-transfer.ts';
import type { JobStall } from '../job-patience.ts';
import { busyLimit, busyPause } from '../timings.ts';

export interface SocketPrinterOptions extends SocketPlanning {
  /** `socket://10.0.0.7:9100` */
  readonly uri: string;
  /** `stallSeconds` of the configuration. */
  readonly stall: Duration;
  /** `jobStallSeconds`, for a printer that has everything and does not close; `auto` unless said. */
  readonly jobStall?: JobStall;
  readonly clock: Clock;
  /** Name lookup; the system's unless said (reliability.md D9). */
  readonly lookup?: LookupFunction;
}

/** What a document met there is believed for so long; then nothing is known, and the printer is taken to be ready. */
const memorySpan = minutes(1);

/** Throws `config-invalid` for an address that is none. Disposing breaks off what is under way. */
export function createSocketPrinter(options: SocketPrinterOptions): BytePrinter & AsyncDisposable {
  const { uri, pjl, clock, stall, jobStall = 'auto', lookup } = options;
  const address = socketAddress(uri);
  const gone = new AbortController();
  const channel = backChannel({ clock, pjl });
  let met: { readonly as: PjlDevice | Problem; readonly at: number } | undefined;
  let transfers = 0;

  /** Until the call ends, or this object is gone. */
  const together = ({ signal }: CallOptions) => ({ signal: AbortSignal.any([signal, gone.signal]) });

  function meet(as: PjlDevice | Problem): void {
    met = { as, at: clock.monotonic() };
  }

  /** Most refuse connections while they serve another one; those that are off do so for ever. */
  async function openWhenFree(call: CallOptions): Promise<SocketConnection> {
    const end = clock.monotonic() + busyLimit;
    for (;;) {
      try {
        return await openConnection({ address, clock, lookup }, call);
      } catch (error) {
        const isOver = clock.monotonic() + busyPause > end;
        if (isOver || !isProblem(error) || !error.reasons.includes('ECONNREFUSED')) throw error;
      }
      await clock.sleep(busyPause, call);
    }
  }

  /** A connection for the document, to a printer that is free and ready as far as it says so. */
  async function openFor({ envelope: { question } }: SocketJobPlan, call: CallOptions) {
    const connection = await openWhenFree(call);
    if (channel.answers() !== true || question.length === 0) return { connection, isAsked: false };
    const device = await askBefore(clock, { connection, question, wait: busyLimit }, call);
    if (device) return { connection, isAsked: true };
    // What stands there now has read the question and closed.
    channel.fellMute();
    return { connection: await openWhenFree(call), isAsked: false };
  }

  /** A connection without a document: only because a person asks, or where nobody was there the last time. */
  async function reach(given: CallOptions): Promise<PjlDevice> {
    try {
      const connection = await openConnection({ address, clock, lookup }, together(given));
      connection.close();
    } catch (error) {
      if (isProblem(error)) meet(error);
      throw error;
    }
    meet(reached);
    return reached;
  }

  /**
   * A refused connection makes a job nowhere, so nobody there is looked for until somebody is: that is one empty
   * connection for each time that the printer was away.
   */
  async function lookUnasked(call: CallOptions): Promise<PjlDevice> {
    if (met?.as instanceof Problem) return reach(call);
    if (met === undefined || clock.monotonic() - met.at >= memorySpan) return unmet;
    return met.as;
  }

  return {
    kind: 'bytes',
    uri,

    async describe({ isAskedFor = false, ...call }) {
      const device = transfers > 0 ? atWork : isAskedFor ? await reach(call) : await lookUnasked(call);
      return described(device, { pjl, answers: channel.answers() });
    },

    // Without a connection nothing is known of the printer yet: what it says stands before the document, in `send`.
    async prepare(ticket, document, given) {
      await document.whole(together(given));
      const planned = planBytes(ticket, document, options);
      return wrapBytes(ticket, planned, {
        asks: pjl === 'auto' && channel.answers() === true,
        listens: channel.tellsJobs(),
      });
    },

    async send(plan: SocketJobPlan, document, { signal, ...tells }) {
      const call = together({ signal });
      const { onFirstByte, onProgress, onPages, expected } = tells;
      const { envelope, toldAs } = plan;
      const job = toldAs === undefined ? undefined : pjlJob(toldAs);
      transfers += 1;
      try {
        const { connection, isAsked } = await openFor(plan, call);
        const transfer = {
          ...{ connection, envelope, document, job, isAsked, expected },
          ...{ onFirstByte, onProgress, onPages },
          isKnownToTalk: channel.answers() === true,
        };
        const report = await transferBytes({ clock, stall, jobStall }, transfer, call);
        if (job) channel.learn(job, isAsked);
        meet(reached);
        return report;
      } catch (error) {
        if (isProblem(error)) meet(trouble(error));
        throw error;
      } finally {
        transfers -= 1;
      }
    },

    async [Symbol.asyncDispose]() {
      gone.abort();
    },
  };
}

/** Who takes connections is ready; who was not met lately is taken to be. */
const reached: PjlDevice = { state: 'idle', obstacles: [] };
const unmet: PjlDevice = { state: 'idle', obstacles: [] };
const atWork: PjlDevice = { state: 'processing', obstacles: [] };

/** What a document met is what stands there: an obstacle, or nobody. The rest says nothing of the next document. */
function trouble(problem: Problem): PjlDevice | Problem {
  const { code, reasons } = problem;
  if (code === 'printer-busy') return atWork;
  if (code === 'printer-not-ready' || (code === 'printer-stalled' && reasons.length > 0)) {
    return { state: 'stopped', obstacles: reasons };
  }
  return code === 'printer-unreachable' || code === 'printer-address-refused' ? problem : reached;
}

/** `answers` is absent where nobody has asked. */
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
      heeds: { grey: pjl === 'auto', twoSided: pjl === 'auto' },
      compression: [],
      counts: answers ? 'impressions' : isUnasked ? 'unknown' : 'nothing',
      ...(answers === undefined ? {} : { backChannel: answers ? 'answers' : 'silent' }),
    },
  };
}
