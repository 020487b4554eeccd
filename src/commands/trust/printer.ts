/**
 * `platen trust --printer TERMINAL`: shows the identity of a terminal's printer beside the remembered one, and approves
 * it by a fingerprint that a person has compared. The agent may run meanwhile; it checks again at its next connection
 * (INVARIANTS.md D9, T13).
 */
import type { PrinterConfig } from '../../config/printers.ts';
import { atPrinter, printersOf, queueOf } from '../../config/printers.ts';
import type { Config, TerminalConfig } from '../../config/schema/config.ts';
import { isoInstant, systemClock } from '../../core/clock.ts';
import { seconds } from '../../core/duration.ts';
import { printable } from '../../core/text/printable.ts';
import type { KnownPrinter, PrinterMemory } from '../../domain/ports/printer-memory.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import { createAddressGuard } from '../../printing/address-guard.ts';
import type { PrinterOffer } from '../../printing/ipp/printer-offer.ts';
import { lookAtOffer } from '../../printing/ipp/printer-offer.ts';
import { systemTrust } from '../../printing/ipp/system-trust.ts';
import { createPrinterMemory } from '../../store/files/printer-memory.ts';
import { noteDeed } from '../deed.ts';
import { CommandFailed } from '../failure.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { namedTerminal } from '../named-terminal.ts';
import { table } from '../terminal-text/table.ts';

export interface PrinterTrustOptions {
  readonly printer: string;
  /** SHA-256: capital hex digits, in pairs with colons. */
  readonly fingerprint?: readonly string[] | undefined;
  readonly json?: boolean | undefined;
}

interface Met {
  readonly uri: string;
  readonly offer: PrinterOffer;
  readonly memory: PrinterMemory;
  readonly known: KnownPrinter | undefined;
}

const lookLimit = seconds(15);

export async function trustPrinter(options: PrinterTrustOptions, config: Config, io: Io): Promise<number> {
  const { printer: id, fingerprint: compared = [], json } = options;
  const terminal = namedTerminal(config.terminals, id);
  const { stateDir } = config;
  const memoryOf = (at: PrinterConfig) =>
    createPrinterMemory({ stateDir, terminal: id, queue: queueOf(atPrinter(terminal, at)) });
  const met: Met[] = [];
  try {
    for (const { uri, at } of addressesOf(terminal, memoryOf(terminal.printer).all())) {
      const offer = await lookAtOffer(
        {
          uri,
          trust: systemTrust(),
          caFile: at.tls.caFile,
          clock: systemClock,
          ...wayTo(at, config, uri),
        },
        { signal: systemClock.deadline(lookLimit, io.stop) },
      );
      const memory = memoryOf(at);
      met.push({ uri, offer, memory, known: memory.recall(offer.place) });
    }
  } catch (error) {
    if (!isProblem(error)) throw error;
    throw new CommandFailed(`${error.message}. ${error.advice}`, { cause: error });
  }
  io.out(
    json ? JSON.stringify(met.map(factsOf), undefined, 2) : met.map((one) => describe(one, id)).join('\n\n'),
  );
  for (const one of compared) {
    const approved = met.find(({ offer }) => offer.fingerprint === one);
    if (!approved) throw new CommandFailed(`nothing was approved: no printer of ${id} shows ${one} now`);
    approved.memory.keep(approved.offer.place, approved.offer.approved);
    (json ? io.error : io.out)(`approved: ${approved.uri}`);
    await noteDeed(config, io, { action: 'trust', changed: [`printer of ${id}`, one] });
  }
  return exitCode.ok;
}

interface Whereabouts {
  readonly uri: string;
  readonly at: PrinterConfig;
}

/**
 * The configured address of each printer. If the service gives the address, the addresses at which the agent has met a
 * printer.
 */
function addressesOf(terminal: TerminalConfig, known: readonly KnownPrinter[]): readonly Whereabouts[] {
  const { id } = terminal;
  const printers = printersOf(terminal);
  const own = new Set(printers.map(({ uri }) => uri));
  const met = known.filter(({ uri }) => !own.has(uri));
  const found = printers.flatMap((at): Whereabouts[] => {
    if (/^ipps?:/.test(at.uri)) return [{ uri: at.uri, at }];
    return at.uri === 'auto' ? met.map(({ uri }) => ({ uri, at })) : [];
  });
  if (found.length > 0) return found;
  const { uri } = terminal.printer;
  throw new CommandFailed(
    uri === 'auto'
      ? `the service gives the address of the printer of ${id}, and the agent has not used it yet`
      : `the printer of ${id} cannot show its identity: ${uri}`,
  );
}

function wayTo(printer: PrinterConfig, { printerNetwork: network }: Config, uri: string): object {
  if (printer.uri !== 'auto') return {};
  const guard = createAddressGuard({ network });
  guard.vet(uri);
  return { lookup: guard.lookup };
}

function describe({ uri, offer, known }: Met, id: string): string {
  const { certificate, identity, fingerprint } = offer;
  const day = (wall: number) => isoInstant(wall).slice(0, 10);
  const rows: readonly (readonly [string, string | undefined, string | undefined])[] = [
    ['SHA-256 fingerprint', certificate?.fingerprint, known?.certificate?.fingerprint],
    ['subject', certificate?.subject, undefined],
    ['issuer', certificate?.issuer, undefined],
    ['valid', certificate && `${day(certificate.validFrom)} to ${day(certificate.validTo)}`, undefined],
    ['authority', certificate && (certificate.fault ?? 'trusted'), undefined],
    ['printer-uuid', identity?.uuid, known?.identity?.uuid],
    ['serial number', identity?.serialNumber, known?.identity?.serialNumber],
    ['make and model', identity?.makeAndModel, known?.identity?.makeAndModel],
    ...(certificate ? [] : [['SHA-256 of identity', fingerprint, undefined] as const]),
  ];
  const cells = rows
    .filter(([, now, before]) => now !== undefined || before !== undefined)
    .map(([name, now, before]) => [name, printable(now ?? '-'), printable(before ?? '-')]);
  return [
    uri,
    table([['', 'OFFERED NOW', 'REMEMBERED'], ...cells]),
    fingerprint === undefined
      ? 'The printer shows nothing that you could approve.'
      : `Compare it with the fingerprint on the panel of the printer. Then add: --printer ${id} --fingerprint ${fingerprint}`,
  ].join('\n');
}

function factsOf({ uri, offer, known }: Met) {
  const { place: _, approved: __, ...offered } = offer;
  return { uri, offered, remembered: known ?? null };
}
