/**
 * Finds printers that the agent cannot reach: addresses from the service without a network in `printerNetwork`, and
 * `windows:` printers on another system or without the optional package.
 */
import { createRequire } from 'node:module';
import type { Mistake } from './mistakes.ts';
import { printerPath, printersOf } from './printers/printers-of.ts';
import type { Config } from './schema/config.ts';

const packageName = 'pdf-to-printer';
const why = `windows: printers need Windows and the package ${packageName}: npm install ${packageName}`;

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
