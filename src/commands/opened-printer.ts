/** The printer of one terminal as a command opens it, beside an agent that may be running: it remembers nothing. */
import { queueOf } from '../config/printers.ts';
import { localSettings } from '../config/local-settings.ts';
import type { Config, TerminalConfig } from '../config/schema/config.ts';
import { systemChance } from '../core/chance.ts';
import { createLog } from '../core/log.ts';
import type { KnownPrinter } from '../domain/ports/printer-memory.ts';
import type { Printer } from '../domain/ports/printing.ts';
import { adopt } from '../domain/terminal/terminal-settings.ts';
import { createAddressGuard } from '../printing/address-guard.ts';
import type { PageHandling } from '../printing/conversion/conversion-plan.ts';
import { byteStallOf, jobStallOf } from '../printing/job-patience.ts';
import { plainFolderIn } from '../printing/spooler/windows-spooler.ts';
import { createPrinter } from '../printing/printer-by-uri.ts';
import { systemTrust } from '../printing/ipp/system-trust.ts';
import { createPrinterMemory, withoutKeeping } from '../store/files/printer-memory.ts';
import type { Io } from './io.ts';
import { askStatus } from './running-agent.ts';
import type { Status } from './status/schema.ts';

export interface Place {
  readonly config: Config;
  readonly terminal: TerminalConfig;
  readonly io: Io;
  /** Nobody is there: a raw printer, which would list an empty job, is not connected to. */
  readonly isUnattended?: boolean;
  /** What the running agent says, where it was asked already. */
  status?(): Promise<Status | undefined>;
}

export interface OpenedPrinter extends AsyncDisposable {
  readonly printer: Printer;
  /** What the output port asks of the pages, as far as it is known here. */
  readonly handling: PageHandling;
  /** Who it was when the agent first met it, and what it was found to do. */
  known(): KnownPrinter | undefined;
}

export const addressUnknown =
  'the service gives its address, and only a running agent knows it. No agent is running';

/** `undefined` when only a running agent could tell where it is, and none runs. */
export async function openPrinter({
  config,
  terminal,
  io,
  status,
}: Place): Promise<OpenedPrinter | undefined> {
  const { id, printer: settings } = terminal;
  const { outputType, pjl, resetIsEnd, tls, credentials } = settings;
  const said = await (status?.() ?? askStatus(config, io));
  const running = said?.terminals.find((one) => one.id === id);
  const isElsewhere = settings.uri === 'auto';
  const told = isElsewhere ? running?.printer.uri : settings.uri;
  if (!told) return undefined;
  const guard = createAddressGuard({ network: config.printerNetwork });
  const uri = isElsewhere ? guard.vet(told) : told;
  const { stateDir } = config;
  const memory = withoutKeeping(createPrinterMemory({ stateDir, terminal: id, queue: queueOf(terminal) }));
  const handling = handlingOf(terminal, running?.settings);
  const printer = createPrinter({
    uri,
    outputType,
    pjl,
    handling,
    clock: io.clock,
    chance: systemChance,
    trust: systemTrust(),
    ...(isElsewhere ? { lookup: guard.lookup } : {}),
    stall: byteStallOf(settings),
    jobStall: jobStallOf(settings),
    resetIsEnd,
    plainFolder: plainFolderIn(stateDir),
    // A command tells its findings itself.
    log: createLog({ level: 'fatal' }),
    access: { memory, tls, credentials, chance: systemChance },
  });
  return {
    printer,
    handling,
    known: () => memory.all().find((one) => one.uri === uri),
    [Symbol.asyncDispose]: () => printer[Symbol.asyncDispose](),
  };
}

type Told = Readonly<Record<string, { readonly value: unknown }>>;

/** A running agent has heard what the service says; without one the configuration alone speaks. */
function handlingOf(terminal: TerminalConfig, told: Told | undefined): PageHandling {
  const local = adopt({ local: localSettings(terminal) });
  const isOn = (name: 'softwareCopyCollation' | 'isReverseFinisher') => {
    const { value, from } = local[name];
    // What is told is of the terminal, of whose printers each may say otherwise.
    return (from === 'config' ? value : (told?.[name]?.value ?? value)) === true;
  };
  return { softwareCopies: isOn('softwareCopyCollation'), reversed: isOn('isReverseFinisher') };
}
