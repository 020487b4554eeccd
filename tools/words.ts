/** `npm run words`: the catalogues get an entry for each key of the English, in that order, and what is to be translated is said. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { messagesIn, renewed } from './catalogue.ts';
import { englishIn } from './catalogues.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

for (const [folder, english] of Object.entries(englishIn)) {
  for (const name of readdirSync(root + folder).filter((one) => one.endsWith('.po'))) {
    const file = `${root}${folder}/${name}`;
    const po = renewed(readFileSync(file, 'utf8'), english);
    writeFileSync(file, po);
    try {
      messagesIn(po, english);
    } catch (error) {
      process.exitCode = 1;
      process.stderr.write(`${folder}/${name}: ${(error as Error).message}\n`);
    }
  }
}
