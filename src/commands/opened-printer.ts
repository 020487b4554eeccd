/** The printer of one terminal, opened by a command beside a running agent. It remembers nothing. */
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
  /** No person waits. Then a raw printer gets no connection, because it would list an empty job. */
  readonly isUnattended?: boolean;
  /** The status from the running agent, if it was asked already. */
  status?(): Promise<Status | undefined>;
}

export interface OpenedPrinter extends AsyncDisposable {
  readonly printer: Printer;
  /** The page settings of the output port, as far as they are known here. */
  readonly handling: PageHandling;
  /** The printer at the agent's first meeting, and its peculiarities. */
  known(): KnownPrinter | undefined;
}

export const addressUnknown =
  'the service gives its address, and only a running agent knows it. No agent is running';

/** `undefined` if only a running agent knows the address, and none runs. */
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
  const known = isElsewhere ? running?.printer.uri : settings.uri;
  if (!known) return undefined;
  const guard = createAddressGuard({ network: config.printerNetwork });
  const uri = isElsewhere ? guard.vet(known) : known;
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
    // The command prints its findings itself, so the log stays silent.
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

type KnownSettings = Readonly<Record<string, { readonly value: unknown }>>;

/** A running agent knows the settings of the service. Without an agent only the configuration counts. */
function handlingOf(terminal: TerminalConfig, known: KnownSettings | undefined): PageHandling {
  const local = adopt({ local: localSettings(terminal) });
  const isOn = (name: 'softwareCopyCollation' | 'isReverseFinisher') => {
    const { value, from } = local[name];
    // The agent tells one value for the terminal, but each of its printers may have its own value in the configuration.
    return (from === 'config' ? value : (known?.[name]?.value ?? value)) === true;
  };
  return { softwareCopies: isOn('softwareCopyCollation'), reversed: isOn('isReverseFinisher') };
}
