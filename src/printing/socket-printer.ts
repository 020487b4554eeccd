/**
 * The port BytePrinter over raw TCP (AppSocket, port 9100). Such a printer takes one connection at a time and says
 * nothing of pages: what it took whole and closed in order is handed over, not confirmed (reliability.md B.1).
 */
import type { LookupFunction } from 'node:net';
import type { Clock } from '../core/clock.ts';
import type { Duration } from '../core/duration.ts';
import { minutes } from '../core/duration.ts';
import type { CallOptions } from '../domain/ports/call.ts';
import type { BytePrinter, JobPlan, PrinterDescription, SpooledDocument } from '../domain/ports/printing.ts';
import { isProblem, Problem } from '../domain/problem.ts';
import type { Ticket } from '../domain/release.ts';
import { jobName } from '../domain/release.ts';
import type { OutputType } from './job-plan.ts';
import { formatFor } from './job-plan.ts';
import type { Envelope } from './pjl.ts';
import { holdsUniversalExit, noEnvelope, pjlEnvelope, pjlLanguages } from './pjl.ts';
import { socketAddress } from './socket-address.ts';
import type { SocketConnection } from './socket-connection.ts';
import { openConnection } from './socket-connection.ts';
import { transferBytes } from './socket-transfer.ts';
import { busyLimit, busyPause } from './timings.ts';

export interface SocketPrinterOptions {
  /** `socket://10.0.0.7:9100` */
  readonly uri: string;
  readonly outputType: OutputType;
  /** Whether the document goes out in an envelope of PJL. */
  readonly pjl: 'auto' | 'off';
  /** `stallSeconds` of the configuration. */
  readonly stall: Duration;
  readonly clock: Clock;
  /** Name lookup; the system's unless said (reliability.md D9). */
  readonly lookup?: LookupFunction;
}

interface SocketJobPlan extends JobPlan {
  readonly envelope: Envelope;
}

/** A printer that was reached so lately is not bothered again only to look at it: it serves one at a time. */
const lookInterval = minutes(1);

/** Throws `config-invalid` for an address that is none. Disposing breaks off what is under way. */
export function createSocketPrinter(options: SocketPrinterOptions): BytePrinter & AsyncDisposable {
  const { uri, clock, stall, lookup } = options;
  const address = socketAddress(uri);
  const gone = new AbortController();
  let reachedAt: number | undefined;
  let transfers = 0;

  async function open({ signal }: CallOptions): Promise<SocketConnection> {
    reachedAt = undefined;
    const together = AbortSignal.any([signal, gone.signal]);
    const connection = await openConnection({ address, clock, lookup }, { signal: together });
    reachedAt = clock.monotonic();
    return connection;
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

  return {
    kind: 'bytes',
    uri,

    async describe(call) {
      const isFresh = reachedAt !== undefined && clock.monotonic() - reachedAt < lookInterval;
      if (transfers === 0 && !isFresh) (await open(call)).close();
      return reachable;
    },

    // The connection is made for a look only, and closed again: held over the intent it would be left to block the
    // printer for everybody wherever the intent cannot be written.
    async prepare(ticket, document, call) {
      const plan = planFor(ticket, document, options);
      if (await holdsUniversalExit(document)) {
        throw new Problem('document-not-printable', 'the document holds printer commands (PJL)');
      }
      (await openWhenFree(call)).close();
      return plan;
    },

    async send({ envelope }: SocketJobPlan, document, { signal, onFirstByte }) {
      const call = { signal: AbortSignal.any([signal, gone.signal]) };
      transfers += 1;
      try {
        const connection = await openWhenFree(call);
        await transferBytes({ clock, stall }, { connection, envelope, document, onFirstByte }, call);
      } catch (error) {
        reachedAt = undefined;
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

const languages = Object.keys(pjlLanguages);

/** All that can be known of one: who takes connections is taken to be ready. */
const reachable: PrinterDescription = {
  ready: true,
  state: 'idle',
  stateReasons: [],
  acceptingJobs: true,
  formats: languages,
  mediaReady: [],
  makeAndModel: '',
  firmware: '',
};

/** Throws `document-not-printable`, or `printer-refused-job` where fewer pages would come out than were asked for. */
function planFor(
  ticket: Ticket,
  document: Pick<SpooledDocument, 'format'>,
  { outputType, pjl }: SocketPrinterOptions,
): SocketJobPlan {
  const format = formatFor(document.format, languages, outputType);
  if (format === undefined) {
    throw new Problem('document-not-printable', `${document.format} does not go to this printer`);
  }
  const { copies, name } = ticket.document;
  if (pjl === 'off' && copies > 1) {
    throw new Problem('printer-refused-job', 'without PJL a raw printer makes one copy', {
      reasons: ['copies'],
    });
  }
  return {
    jobName: jobName(name, ticket.releaseId),
    format,
    envelope: pjl === 'off' ? noEnvelope : pjlEnvelope(ticket, format),
  };
}
