/**
 * The metrics that are read at each scrape: outbox, token, conditions, terminals, certificates, disk; and the constant
 * ones.
 */
import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { Registry } from 'prom-client';
import { Counter, Gauge } from 'prom-client';
import type { Duration } from '../core/duration.ts';
import { inSeconds, seconds } from '../core/duration.ts';
import type { Condition } from '../domain/condition.ts';
import type { Supply } from '../domain/printer/supplies.ts';
import type { OutboxCounts } from '../domain/ports/ledger.ts';
import type { FleetNow } from './fleet-metrics.ts';
import { registerFleet } from './fleet-metrics.ts';

export interface TerminalNow {
  readonly id: string;
  readonly isReady: boolean;
  /** Why it is not ready, in a word; absent: it is. */
  readonly trouble?: string | undefined;
  /** A terminal that another gateway serves is in the metrics of that gateway. */
  readonly isServed: boolean;
  readonly hasSession: boolean;
  /** The end of its printer's certificate, in wall milliseconds; `undefined` if it has none. */
  readonly certificateEnds: number | undefined;
  readonly printers?: readonly PrinterNow[];
  /** As far as its printers tell of them. */
  readonly supplies?: readonly SupplyNow[];
}

export interface SupplyNow extends Supply {
  /** Its name; empty if the terminal has only one. */
  readonly printer: string;
}

export interface PrinterNow {
  readonly name: string;
  readonly isReady: boolean;
}

export interface GatewaySources {
  readonly version: string;
  readonly stateDir: string;
  outbox(): OutboxCounts;
  /** How long the oldest record that may go has waited; `undefined` if none waits. */
  outboxOldest(): Duration | undefined;
  /** Until the device token expires; `undefined` without one. */
  tokenExpiresIn(): Duration | undefined;
  conditions(): readonly Condition[];
  /** Our own bugs in calls to the service, since the start. */
  internalFaults(): number;
  /** The end of each certificate of the service seen so far: by `host:port`, in wall milliseconds. */
  certificates(): ReadonlyMap<string, number>;
  /** The calls per second that may go to each server at the moment: by `host:port`. */
  callRates(): ReadonlyMap<string, number>;
  terminalsNow(): readonly TerminalNow[];
  /** Traces sent to `operations.otlp`, and those it did not get; absent without it. */
  readonly traces?: () => { readonly sent: number; readonly dropped: number };
  /** Absent if this gateway is in no fleet. */
  readonly fleetNow?: () => FleetNow;
}

type Value = readonly [labels: Readonly<Record<string, string>>, value: number];

export function registerGateway(sources: GatewaySources, registers: Registry[]): void {
  registerOutbox(sources, registers);
  registerHealth(sources, registers);
  registerTerminals(sources, registers);
  registerDisk(sources, registers);
  if (sources.traces) registerTraces(sources.traces, registers);
  if (sources.fleetNow) registerFleet(sources.fleetNow, registers);
  new Gauge({
    name: 'platen_build_info',
    help: 'Always 1. The labels are the versions.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version: sources.version, node: process.versions.node }, 1);
}

/** A gauge with one value, read at each scrape. */
const gaugeIn =
  (registers: Registry[]) =>
  (name: string, help: string, read: () => number): unknown =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });

/** A gauge with a value for each label set, read at each scrape. */
const gaugesIn =
  (registers: Registry[]) =>
  (name: string, help: string, labelNames: string[], read: () => readonly Value[]): unknown =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const [labels, value] of read()) this.set(labels, value);
      },
    });

function registerOutbox(sources: GatewaySources, registers: Registry[]): void {
  const gauge = gaugeIn(registers);
  gauge('platen_outbox_records', 'History records that the print service has not accepted yet.', () => {
    const { waiting, held } = sources.outbox();
    return waiting + held;
  });
  gauge(
    'platen_outbox_dead_letters',
    'History records that the print service refused for good.',
    () => sources.outbox().deadLetters,
  );
  gauge(
    'platen_outbox_oldest_seconds',
    'Waiting time of the oldest history record that Platen may post now.',
    () => inSeconds(sources.outboxOldest() ?? seconds(0)),
  );
}

function registerHealth(sources: GatewaySources, registers: Registry[]): void {
  gaugeIn(registers)(
    'platen_token_expires_seconds',
    'Time until the device token expires. 0 if there is no token.',
    () => inSeconds(sources.tokenExpiresIn() ?? seconds(0)),
  );
  const internalFaults = new Counter({
    name: 'platen_internal_faults_total',
    help: 'Bugs of Platen that occurred. The log shows the stack of each.',
    registers,
    collect() {
      internalFaults.reset();
      internalFaults.inc(sources.internalFaults());
    },
  });
  const gauges = gaugesIn(registers);
  gauges(
    'platen_condition',
    'Always 1 for each present condition, by code. The scope is a terminal, or agent for all terminals.',
    ['scope', 'code', 'severity'],
    () => {
      const unserved = new Set(sources.terminalsNow().flatMap(({ id, isServed }) => (isServed ? [] : [id])));
      return sources
        .conditions()
        .filter(({ scope }) => !unserved.has(scope))
        .map(({ scope, code, severity }) => [{ scope, code, severity }, 1]);
    },
  );
  gauges(
    'platen_cloud_certificate_expiry_timestamp_seconds',
    'When the certificate of the print service expires. Absent before the first connection and without TLS.',
    ['server'],
    () => [...sources.certificates()].map(([server, end]) => [{ server }, end / 1000]),
  );
  gauges(
    'platen_cloud_calls_per_second_limit',
    'Calls per second that Platen makes at most. After a 429 fewer than cloud.limits allows.',
    ['server'],
    () => [...sources.callRates()].map(([server, perSecond]) => [{ server }, perSecond]),
  );
}

function registerTraces(read: NonNullable<GatewaySources['traces']>, registers: Registry[]): void {
  const counter = (name: string, help: string, of: 'sent' | 'dropped') => {
    const one = new Counter({
      name,
      help,
      registers,
      collect() {
        one.reset();
        one.inc(read()[of]);
      },
    });
  };
  counter(
    'platen_traces_sent_total',
    'Traces of releases that the receiver of operations.otlp accepted.',
    'sent',
  );
  counter(
    'platen_traces_dropped_total',
    'Traces of releases that the receiver did not get, because it was away for too long or refused them.',
    'dropped',
  );
}

function registerTerminals({ terminalsNow }: GatewaySources, registers: Registry[]): void {
  const gauges = gaugesIn(registers);
  gauges('platen_terminal_ready', '1 while the terminal could release a document.', ['terminal'], () =>
    terminalsNow()
      .filter(({ isServed }) => isServed)
      .map(({ id, isReady }) => [{ terminal: id }, Number(isReady)]),
  );
  gauges(
    'platen_named_printer_ready',
    '1 while the named printer can print. Only for terminals with several printers.',
    ['terminal', 'printer'],
    () =>
      terminalsNow().flatMap(({ id, printers = [] }) =>
        printers.map(({ name, isReady }): Value => [{ terminal: id, printer: name }, Number(isReady)]),
      ),
  );
  gauges(
    'platen_printer_supply_level',
    'The part of a supply that is left in the printer, from 0 to 1; of a box for waste, the part that is full. Absent if the printer does not tell.',
    ['terminal', 'printer', 'supply'],
    () =>
      terminalsNow().flatMap(({ id, supplies = [] }) =>
        supplies.map(({ printer, name, level }): Value => [{ terminal: id, printer, supply: name }, level]),
      ),
  );
  gauges('platen_session_open', '1 while a person is signed in or is signing in.', ['terminal'], () =>
    terminalsNow().map(({ id, hasSession }) => [{ terminal: id }, Number(hasSession)]),
  );
  gauges(
    'platen_printer_certificate_expiry_timestamp_seconds',
    "When the printer's certificate expires. Absent if the printer has none.",
    ['terminal'],
    () =>
      terminalsNow().flatMap(({ id, certificateEnds: ends }): Value[] =>
        ends === undefined ? [] : [[{ terminal: id }, ends / 1000]],
      ),
  );
}

/** Named like those of the node exporter, which may not run on every gateway. */
function registerDisk({ stateDir }: GatewaySources, registers: Registry[]): void {
  const gauge = (name: string, help: string, bytesOf: (disk: StatsFs) => number): unknown =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        try {
          this.set(bytesOf(await statfs(stateDir)));
        } catch {
          // If the directory cannot be read, only this figure is missing.
          this.remove();
        }
      },
    });
  gauge(
    'platen_state_filesystem_size_bytes',
    'Size of the file system of the state directory.',
    ({ blocks, bsize }) => blocks * bsize,
  );
  gauge(
    'platen_state_filesystem_avail_bytes',
    'Free space for the agent on the file system of the state directory.',
    ({ bavail, bsize }) => bavail * bsize,
  );
}
