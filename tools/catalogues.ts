/**
 * Reads the page's catalogues wherever TypeScript is read: as a plugin of Vite and Vitest, and, where Node itself runs what
 * imports them, by `--import ./tools/catalogues.ts`. A catalogue that is not whole ends the build.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { en } from '../src/kiosk/page/languages/en.ts';
import { messagesIn } from './catalogue.ts';

function moduleOf(file: string): string {
  try {
    return `export default ${JSON.stringify(messagesIn(readFileSync(file, 'utf8'), en))};`;
  } catch (cause) {
    throw new Error(`${basename(file)}: ${(cause as Error).message}`, { cause });
  }
}

export const catalogues: Plugin = {
  name: 'catalogues',
  enforce: 'pre',
  load: (id) => (id.endsWith('.po') ? moduleOf(id) : undefined),
};

registerHooks({
  load: (url, context, next) =>
    url.endsWith('.po')
      ? { format: 'module', source: moduleOf(fileURLToPath(url)), shortCircuit: true }
      : next(url, context),
});
