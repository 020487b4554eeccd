/** `npm run words`: the catalogues get an entry for each key of the English, in that order, and what is to be translated is said. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { languageCodes } from '../src/domain/language.ts';
import { en } from '../src/kiosk/page/languages/en.ts';
import { messagesIn, renewed } from './catalogue.ts';

for (const code of languageCodes.filter((one) => one !== 'en')) {
  const file = fileURLToPath(new URL(`../src/kiosk/page/languages/${code}.po`, import.meta.url));
  const po = renewed(readFileSync(file, 'utf8'), en);
  writeFileSync(file, po);
  try {
    messagesIn(po, en);
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${code}.po: ${(error as Error).message}\n`);
  }
}
