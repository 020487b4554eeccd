/** `platen check` for one terminal: its readers, its printer, and its state at the running agent. */
import { atPrinter, printersOf } from '../../config/printers.ts';
import type { TerminalConfig } from '../../config/schema/config.ts';
import type { Config } from '../../config/schema/config.ts';
import { isLoopback } from '../../config/schema/values.ts';
import { spoolerQueue } from '../../domain/printer/spooler-queue.ts';
import { examinePrinter } from './printer/printer.ts';
import { examineReaders } from './reader/readers.ts';
import type { Examination, Step } from './examination.ts';
import type { FleetLook } from './fleet.ts';
import type { Io } from '../io.ts';
import { outageReason } from '../../domain/terminal/outage-words.ts';
import type { Status } from '../status/schema.ts';

export interface TerminalPlace {
  readonly config: Config;
  readonly terminal: TerminalConfig;
  readonly io: Io;
  /** No person waits for the result. */
  readonly isUnattended: boolean;
  /** The status from the running agent. All lines share one question. */
  status(): Promise<Status | undefined>;
  /** Absent: no fleet. */
  readonly fleet: FleetLook | undefined;
}

export function examineTerminal(place: TerminalPlace): readonly Step[] {
  const { terminal } = place;
  const { id } = terminal;
  const printers = printersOf(terminal).flatMap((printer, nth) =>
    examinePrinter(
      { ...place, terminal: atPrinter(terminal, printer) },
      {
        needs: needsOf(printer.uri),
        of: nth === 0 ? id : `${id}: ${printer.name}`,
        isDefault: nth === 0,
      },
    ),
  );
  const parts = [...examineReaders(place), ...printers];
  return [
    ...parts,
    {
      what: `terminal ${id}`,
      kind: 'terminal',
      scope: id,
      // The lines above tell the fault of each part.
      needs: [
        'agent',
        'device token',
        ...parts.filter(({ kind }) => kind !== 'queue' && kind !== 'serial number').map(({ what }) => what),
      ],
      examine: async () => inWords(id, await place.status()),
    },
  ];
}

/** The steps that must be well before the printer can be reached and recognised. */
function needsOf(uri: string): readonly string[] {
  const known = 'state directory';
  const queue = spoolerQueue(uri);
  if (queue) return [known, `spooler${queue.server === undefined ? '' : ` ${queue.server}`}`];
  if (!URL.canParse(uri)) return [known];
  const { hostname } = new URL(uri);
  return hostname === '' || isLoopback(hostname) ? [known] : [known, 'network'];
}

function inWords(id: string, status: Status | undefined): Awaited<ReturnType<Examination>> {
  const seen = status?.terminals.find((one) => one.id === id);
  if (!seen) throw new Error('the running agent does not know this terminal. Run: platen reload');
  const port = seen.outputPortId === null ? 'no output port' : `output port ${seen.outputPortId}`;
  if (seen.ready) return `ready, ${port}`;
  // A terminal that another gateway serves is in order.
  if (seen.outage?.reason === 'elsewhere') return `${seen.outage.by} serves it, ${port}`;
  const conditions = (status?.conditions ?? []).filter(({ scope }) => scope === id);
  const outage = seen.outage === null ? [] : [`out of service: ${outageReason(seen.outage.reason)}`];
  const why = [...outage, ...conditions.map(({ detail }) => detail)].join('; ') || 'see platen status';
  const codes = conditions.map(({ code }) => code);
  const [code] = codes;
  return {
    state: 'failed',
    detail: `not ready: ${why}`,
    facts: { codes },
    ...(code === undefined ? {} : { code }),
  };
}
