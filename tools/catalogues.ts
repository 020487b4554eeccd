/**
 * Reads the catalogues of the page and of the prompt wherever TypeScript is read: as a plugin of Vite and Vitest, and, where Node itself runs what
 * imports them, by `--import ./tools/catalogues.ts`. A catalogue that is not whole ends the build.
 */
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { languageCodes, promptLanguageCodes } from '../src/domain/language.ts';
import { en } from '../src/phrases/en.ts';
import { prompted } from '../src/prompt/languages/en.ts';
import type { Words } from './catalogue.ts';
import { messagesIn } from './catalogue.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** By the folder that the catalogues lie in: the English that they translate. */
export const englishIn: Readonly<Record<string, Words>> = {
  'src/phrases/languages': en,
  'src/prompt/languages': prompted,
};

function moduleOf(file: string): string {
  const name = relative(root, file);
  const english = englishIn[dirname(name)];
  if (!english) throw new Error(`${name}: nothing in English is known that this could translate`);
  try {
    return `export default ${JSON.stringify(messagesIn(readFileSync(file, 'utf8'), english))};`;
  } catch (cause) {
    throw new Error(`${name}: ${(cause as Error).message}`, { cause });
  }
}

/** `import` names them by their codes, which says nothing of a file that is not there. */
const wanted = [
  ...languageCodes.map((code) => `src/phrases/languages/${code}.po`),
  ...promptLanguageCodes.map((code) => `src/prompt/languages/${code}.po`),
].filter((name) => !name.endsWith('/en.po'));

export const missingCatalogues = (): readonly string[] => wanted.filter((name) => !existsSync(root + name));

export const catalogues: Plugin = {
  name: 'catalogues',
  enforce: 'pre',
  buildStart() {
    const missing = missingCatalogues();
    if (missing.length > 0) throw new Error(`a language has no words: ${missing.join(', ')}`);
  },
  load: (id) => (id.endsWith('.po') ? moduleOf(id) : undefined),
};

registerHooks({
  load: (url, context, next) =>
    url.endsWith('.po')
      ? { format: 'module', source: moduleOf(fileURLToPath(url)), shortCircuit: true }
      : next(url, context),
});
