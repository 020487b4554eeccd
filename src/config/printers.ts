/**
 * The printers of a terminal in its configuration: one, or several with the default first; and those that cannot
 * work: twice in one list, with a delivery that allows only one, in a network that the agent may not reach, or on
 * another system.
 */
import { createRequire } from 'node:module';
import { visibleText } from '../core/text/visible-text.ts';
import { printerAddress } from '../domain/printer/printer-address.ts';
import type { Mistake } from './mistakes.ts';
import type { Config, TerminalConfig } from './schema/config.ts';

export type PrinterConfig = TerminalConfig['printer'] & {
  /** Absent if the terminal has only one printer. */
  readonly name?: string;
};

export const printersOf = ({
  printer,
  printers,
}: Pick<TerminalConfig, 'printer' | 'printers'>): readonly PrinterConfig[] => printers ?? [printer];

/** The terminal with one of its printers as the only one. */
export const atPrinter = (terminal: TerminalConfig, printer: PrinterConfig): TerminalConfig => ({
  ...terminal,
  printer,
});

/** For example `terminals[0].printer`, or `terminals[0].printers[1]`. */
const printerPath = (
  { printers }: { readonly printers?: readonly unknown[] | undefined },
  terminal: number,
  printer: number,
) => ['terminals', terminal, ...(printers ? ['printers', printer] : ['printer'])] as const;

/**
 * The address that tells a printer from the terminal's other printers at the same host, for example two queues of one
 * spooler. By host and port alone, they would be remembered as one printer that was swapped (INVARIANTS.md D9).
 * `undefined` if no other printer is at the host.
 */
export function queueOf(terminal: Pick<TerminalConfig, 'printer' | 'printers'>): string | undefined {
  const { uri } = terminal.printer;
  const host = hostOf(uri);
  const others = printersOf(terminal).filter((one) => one.uri !== uri);
  return host !== undefined && others.some((one) => hostOf(one.uri) === host)
    ? printerAddress(uri)
    : undefined;
}

function hostOf(uri: string): string | undefined {
  const address = printerAddress(uri);
  return URL.canParse(address) ? new URL(address).hostname : undefined;
}

interface Screens {
  readonly terminals: readonly {
    readonly delivery: string;
    readonly printers?: readonly { readonly name: string; readonly uri: string }[] | undefined;
  }[];
}

/** A printer twice, a name twice, or a delivery that allows only one printer. */
export function withDoubtfulPrinters({ terminals }: Screens): Mistake[] {
  return terminals.flatMap(({ delivery, printers = [] }, terminal) => {
    const path = ['terminals', terminal, 'printers'];
    const ofDelivery = {
      path,
      message: `with delivery ${delivery} the service sends the documents, and it knows only one printer of a terminal. Write delivery: local`,
    };
    return [
      ...(delivery !== 'local' && printers.length > 1 ? [ofDelivery] : []),
      ...printers.flatMap((one, at) =>
        mistakesOf(one, printers.slice(0, at)).map(([key, message]) => ({
          path: [...path, at, key],
          message,
        })),
      ),
    ];
  });
}

type Named = { readonly name: string; readonly uri: string };

function mistakesOf({ name, uri }: Named, earlier: readonly Named[]): readonly (readonly [string, string])[] {
  const namesake = earlier.find((one) => folded(one.name) === folded(name));
  const same = earlier.find((one) => printerAddress(one.uri) === printerAddress(uri));
  return [
    ...(namesake
      ? [['name', `"${name}" is already the name of an earlier printer of this terminal`] as const]
      : []),
    ...(uri === 'auto' && earlier.length > 0
      ? [
          [
            'uri',
            'auto takes the address of the output port. The service has one output port for a terminal, for the first printer. Write the address of this printer',
          ] as const,
        ]
      : []),
    ...(same && uri !== 'auto'
      ? [['uri', `is already the printer ${same.name} of this terminal`] as const]
      : []),
  ];
}

/** Names are compared in this form, because people see no difference between such names. */
const folded = (name: string): string => visibleText(name).normalize('NFKC').toLowerCase();

const packageName = 'pdf-to-printer';
const why = `windows: printers need Windows and the package ${packageName}: npm install ${packageName}`;

/** `windows:` printers on another system or without the optional package. */
export function withoutWindows(config: Config): Mistake[] {
  const named = config.terminals.flatMap((terminal, index) =>
    printersOf(terminal).flatMap(({ uri }, at) =>
      uri.startsWith('windows:') ? [[...printerPath(terminal, index, at), 'uri']] : [],
    ),
  );
  if (named.length === 0 || isAble()) return [];
  return named.map((path) => ({ path, message: why }));
}

function isAble(): boolean {
  if (process.platform !== 'win32') return false;
  try {
    createRequire(import.meta.url).resolve(packageName);
    return true;
  } catch {
    return false;
  }
}

interface Adopting {
  readonly printerNetwork: Pick<Config['printerNetwork'], 'allow'>;
  readonly terminals: readonly {
    readonly printer: { readonly uri: string };
    readonly printers?: readonly unknown[] | undefined;
  }[];
}

/** Without allowed networks, the service could send documents to any address. */
export function withoutNetwork({ printerNetwork: { allow }, terminals }: Adopting): Mistake[] {
  if (allow.length > 0) return [];
  // If a terminal has several printers, only the first may be `auto`.
  return terminals.flatMap((terminal, index) =>
    terminal.printer.uri === 'auto'
      ? [
          {
            path: [...printerPath(terminal, index, 0), 'uri'],
            message:
              'auto takes the address from the service, but only within printerNetwork.allow, which is empty. ' +
              'Write the network of the printers there, for example allow: [10.0.0.0/24]',
          },
        ]
      : [],
  );
}
