/** Whether this machine can print to `windows:` printers: Windows itself, and an optional package beside Platen. */
import { createRequire } from 'node:module';
import type { Mistake } from './mistakes.ts';
import type { Config } from './schema/config.ts';

const packageName = 'pdf-to-printer';
const why = `windows: printers need Windows and the package ${packageName}: npm install ${packageName}`;

export function withoutWindows(config: Config): Mistake[] {
  const named = config.terminals.flatMap(({ printer }, index) =>
    printer.uri.startsWith('windows:') ? [index] : [],
  );
  if (named.length === 0 || isAble()) return [];
  return named.map((index) => ({ path: ['terminals', index, 'printer', 'uri'], message: why }));
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
