/** `npm run words`: the catalogues get an entry for each key of the English, in that order, and what is to be translated is said. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { messagesIn, renewed } from './catalogue.ts';
import { englishIn, missingCatalogues } from './catalogues.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

function complain(what: string): void {
  process.exitCode = 1;
  process.stderr.write(`${what}\n`);
}

for (const name of missingCatalogues()) {
  complain(
    `${name}: not there. Copy the head of another catalogue with the language's plural rules, and run this again`,
  );
}
for (const [folder, english] of Object.entries(englishIn)) {
  for (const name of readdirSync(root + folder).filter((one) => one.endsWith('.po'))) {
    const file = `${root}${folder}/${name}`;
    const po = renewed(readFileSync(file, 'utf8'), english);
    writeFileSync(file, po);
    try {
      messagesIn(po, english);
    } catch (error) {
      complain(`${folder}/${name}: ${(error as Error).message}`);
    }
  }
}
