/**
 * The port BytePrinter over raw TCP (AppSocket, port 9100). Such a printer takes one connection at a time. One that
 * answers in PJL is asked how it is, and tells the job's end, which confirms it; with one that does not, what it took
 * whole and closed in order is handed over, not confirmed (reliability.md B.1).
 */
import type { LookupFunction } from 'node:net';
import type { Clock } from '../../core/clock.ts';
import type { Duration } from '../../core/duration.ts';
import { milliseconds, minutes } from '../../core/duration.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { BytePrinter, PrinterDescription } from '../../domain/ports/printing.ts';
import { isProblem, Problem } from '../../domain/problem.ts';
import { pjlJob } from './pjl-job.ts';
import type { PjlDevice } from './pjl-status.ts';
import { holdsUniversalExit } from './pjl.ts';
import { socketAddress } from './socket-address.ts';
import type { SocketConnection } from './socket-connection.ts';
import { openConnection } from './socket-connection.ts';
import { socketLook } from './socket-look.ts';
import type { SocketJobPlan, SocketPlanning } from './socket-plan.ts';
import { longestCopies, planBytes, rawFormats, wrapBytes } from './socket-plan.ts';
import { transferBytes } from './socket-transfer.ts';
import { busyLimit, busyPause, inquiryLimit } from '../timings.ts';

export interface SocketPrinterOptions extends SocketPlanning {
  /** `socket://10.0.0.7:9100` */
  readonly uri: string;
  /** `stallSeconds` of the configuration. */
  readonly stall: Duration;
  readonly clock: Clock;
  /** Name lookup; the system's unless said (reliability.md D9). */
  readonly lookup?: LookupFunction;
}

/** A printer that was reached so lately is not bothered again only to look at it: it serves one at a time. */
const lookInterval = minutes(1);

/** Throws `config-invalid` for an address that is none. Disposing breaks off what is under way. */
export function createSocketPrinter(options: SocketPrinterOptions): BytePrinter & AsyncDisposable {
  const { uri, pjl, clock, stall, lookup } = options;
  const address = socketAddress(uri);
  const gone = new AbortController();
  const look = socketLook({ clock, pjl });
  let seen: { readonly device: PjlDevice; readonly at: number } | undefined;
  let transfers = 0;

  /** Until the call ends, or this object is gone. */
  const together = ({ signal }: CallOptions) => ({ signal: AbortSignal.any([signal, gone.signal]) });

  async function open(call: CallOptions): Promise<SocketConnection> {
    seen = undefined;
    return openConnection({ address, clock, lookup }, call);
  }

  /** Most refuse connections while they serve another one; those that are off do so for ever. */
  async function openWhenFree(call: CallOptions): Promise<SocketConnection> {
    const end = clock.monotonic() + busyLimit;
    for (;;) {
      try {
        return await open(call);
      } catch (error) {
        const isOver = clock.monotonic() + busyPause > end;
        if (isOver || !isProblem(error) || !error.reasons.includes('ECONNREFUSED')) throw error;
      }
      await clock.sleep(busyPause, call);
    }
  }

  function saw(device: PjlDevice = reached): PjlDevice {
    seen = { device, at: clock.monotonic() };
    return device;
  }

  async function lookNow(given: CallOptions): Promise<PjlDevice> {
    const call = together(given);
    try {
      return saw(await look.at(await open(call), inquiryLimit, call));
    } catch (error) {
      if (!isProblem(error, 'printer-busy')) throw error;
      return atWork;
    }
  }

  return {
    kind: 'bytes',
    uri,

    async describe(call) {
      const isFresh = seen !== undefined && clock.monotonic() - seen.at < lookInterval;
      const device = transfers > 0 ? atWork : seen && isFresh ? seen.device : await lookNow(call);
      return described(device, { pjl, answers: look.answers() });
    },

    // The look has a connection of its own: held over the intent it would be left to block the printer for everybody
    // wherever the intent cannot be written.
    async prepare(ticket, document, given) {
      const call = together(given);
      const planned = planBytes(ticket, document, options);
      await document.whole(call);
      // What is converted is looked at when it is.
      if (planned.conversion === undefined && (await holdsUniversalExit(document))) {
        throw new Problem('document-not-printable', 'the document holds printer commands (PJL)');
      }
      const end = clock.monotonic() + busyLimit;
      const connection = await openWhenFree(call);
      const wait = milliseconds(end - clock.monotonic());
      const { obstacles, state } = saw(await look.at(connection, wait, call));
      if (obstacles.length > 0) {
        seen = undefined;
        throw new Problem('printer-not-ready', `the printer is ${state} and needs attention`, {
          reasons: obstacles,
        });
      }
      return wrapBytes(ticket, planned, { pjl, listens: look.tellsJobs() });
    },

    async send(
      { envelope, toldAs }: SocketJobPlan,
      document,
      { onFirstByte, onProgress, onPages, ...given },
    ) {
      const call = together(given);
      const job = toldAs === undefined ? undefined : pjlJob(toldAs);
      transfers += 1;
      try {
        const connection = await openWhenFree(call);
        const isKnownToTalk = look.answers() === true;
        const transfer = {
          ...{ connection, envelope, document, job, isKnownToTalk, onFirstByte, onProgress, onPages },
        };
        const report = await transferBytes({ clock, stall }, transfer, call);
        if (job) look.learn(job);
        return report;
      } finally {
        transfers -= 1;
        seen = undefined;
      }
    },

    async [Symbol.asyncDispose]() {
      gone.abort();
    },
  };
}

/** Who takes connections, and was asked or told nothing, is taken to be ready. */
const reached: PjlDevice = { state: 'idle', obstacles: [] };
const atWork: PjlDevice = { state: 'processing', obstacles: [] };

/** `answers` is absent where nobody has asked. */
function described(
  { state, obstacles }: PjlDevice,
  { pjl, answers }: Pick<SocketPlanning, 'pjl'> & { readonly answers: boolean | undefined },
): PrinterDescription {
  const isUnasked = answers === undefined && pjl === 'auto';
  return {
    ready: obstacles.length === 0,
    state,
    stateReasons: obstacles,
    acceptingJobs: true,
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
