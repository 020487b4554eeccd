/** The papers keep up with the code: what is cited is explained, what is named is there. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { madePapers, withTable } from '../tools/papers.ts';

const sources = ['src', 'test', 'systemd', 'config', 'tools'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:tsx?|js|ya?ml|service|socket|md|sh)$/.test(path))
    .map((path) => ({ path: `${folder}/${path}`, text: readFileSync(`${folder}/${path}`, 'utf8') })),
);

/** I of invariants, D of decisions, T of threats, G of gates; B and E of chapters. */
const citation = /\b(?:I(?:1[0-2]|[1-9])|D(?:1[0-6]|[1-9])|T(?!00)[0-3]\d|G(?:1[0-5]|[1-9])|[BE]\.\d)\b/g;

describe('src/INVARIANTS.md', () => {
  const explained = new Set(
    [...readFileSync('src/INVARIANTS.md', 'utf8').matchAll(/^\| ([IDTGBE][.\d]+) \|/gm)].map(([, id]) => id),
  );

  it('has a sentence for every number that is cited', () => {
    const unexplained = sources
      .filter(({ path }) => path !== 'src/INVARIANTS.md')
      .flatMap(({ path, text }) =>
        [...text.matchAll(citation)].filter(([id]) => !explained.has(id)).map(([id]) => `${path}: ${id}`),
      );
    expect(unexplained).toEqual([]);
    expect(explained.size).toBeGreaterThan(80);
  });
});

it.each(madePapers)(
  '$path has the table "$name" as its source has it now: npm run papers',
  ({ path, name, table }) => {
    const text = readFileSync(path, 'utf8');
    expect(withTable(text, name, table())).toBe(text);
  },
);
