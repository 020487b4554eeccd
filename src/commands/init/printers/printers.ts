/**
 * Printers before there is a configuration: the printers that announce themselves, and the description of each. `platen
 * init` only sends Get-Printer-Attributes or opens a connection. It prints nothing (INVARIANTS.md T13).
 */
import { systemChance } from '../../../core/chance.ts';
import { systemClock } from '../../../core/clock.ts';
import { seconds } from '../../../core/duration.ts';
import { createLog } from '../../../core/log.ts';
import type { KnownPrinter, PrinterMemory } from '../../../domain/ports/printer-memory.ts';
import type { PrinterDescription } from '../../../domain/ports/printer-description.ts';
import { isProblem } from '../../../domain/problem/problem.ts';
import type { AnnouncedPrinter } from '../../../printing/dns-sd.ts';
import { announcedPrinters, printerServices } from '../../../printing/dns-sd.ts';
import { systemTrust } from '../../../printing/ipp/system-trust.ts';
import { createPrinter } from '../../../printing/printer-by-uri.ts';
import type { RunProgram } from '../programs.ts';

export interface PrinterLook {
  readonly uri: string;
  /** Absent: the printer did not answer. */
  readonly description?: PrinterDescription;
  /** The printer's own serial number, if the printer reports one and it fits the configuration. */
  readonly serialNumber?: string;
  /** Why there is no description, and what to do. */
  readonly failure?: string;
}

const browseLimit = seconds(10);
/** Many printers are asked at once, and a person waits. */
const lookLimit = seconds(5);

/** Printers that avahi knows on the networks of this machine. Rejects with a sentence if avahi cannot be asked. */
export async function browsePrinters(options: {
  readonly run: RunProgram;
  readonly signal: AbortSignal;
}): Promise<readonly AnnouncedPrinter[]> {
  const signal = systemClock.deadline(browseLimit, options.signal);
  const browse = async (type: string) => {
    const { code, stdout } = await options.run('avahi-browse', ['-rtpk', type], { signal });
    if (code === 0) return stdout;
    throw new Error(
      code === undefined
        ? 'avahi-browse is not installed (apt-get install avahi-daemon avahi-utils)'
        : 'avahi-daemon is not running',
    );
  };
  return announcedPrinters((await Promise.all(printerServices.map(browse))).join('\n'));
}

/** The schema judges `auto` and texts that are no valid address. */
export async function lookAtPrinter(
  uri: string,
  { signal }: { readonly signal: AbortSignal },
): Promise<PrinterLook> {
  if (!/^(?:ipps?|socket|cups|windows):/.test(uri)) return { uri };
  const memory = memoryOfNow();
  try {
    await using printer = createPrinter({
      uri,
      outputType: 'auto',
      pjl: 'auto',
      clock: systemClock,
      chance: systemChance,
      stall: lookLimit,
      trust: systemTrust(),
      // Only prints would need it, and nothing is printed.
      plainFolder: '/nonexistent',
      log: createLog({ level: 'fatal' }),
      access: { memory, tls: { trust: 'auto' }, chance: systemChance },
    });
    const description = await printer.describe({
      signal: systemClock.deadline(lookLimit, signal),
      isAskedFor: true,
    });
    const [known] = memory.all();
    const serialNumber = known?.identity?.serialNumber ?? '';
    return { uri, description, ...(isSerialNumber(serialNumber) ? { serialNumber } : {}) };
  } catch (error) {
    return {
      uri,
      failure: isProblem(error) ? `${error.message}. ${error.advice}` : (error as Error).message,
    };
  }
}

const isSerialNumber = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$/.test(text);

/** Model, state, formats. */
export function lookInWords({ description, failure }: PrinterLook): string {
  if (failure !== undefined) return `does not answer: ${failure}`;
  if (!description) return 'was not asked';
  const { makeAndModel, state, stateReasons, formats, ready } = description;
  const why = ready ? '' : ` (${stateReasons.join(', ') || 'accepts no jobs'})`;
  return `${makeAndModel || 'of unknown model'}, ${state}${why}, takes ${formats.slice(0, 6).join(', ') || 'bytes'}`;
}

/** The id of a terminal, from the name of its printer. `taken`: ids of other terminals. */
export function idFor(name: string, taken: readonly string[]): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 28)
    .replace(/^-+|-+$/g, '');
  const id = plain === '' ? 'printer' : plain;
  const other = Array.from({ length: taken.length + 1 }, (_, at) => (at === 0 ? id : `${id}-${at + 1}`));
  return other.find((one) => !taken.includes(one)) ?? id;
}

/** Every printer is new here. The agent remembers the printer later by itself. */
function memoryOfNow(): PrinterMemory {
  const known = new Map<string, KnownPrinter>();
  return {
    recall: (address) => known.get(address),
    keep: (address, one) => void known.set(address, one),
    all: () => [...known.values()],
  };
}
