/** The papers keep up with the code: what is cited is explained, what is named is there. */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { madePapers, withTable } from '../tools/papers.ts';

const sources = ['src', 'test', 'systemd', 'config', 'tools'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:tsx?|js|ya?ml|service|socket|md|sh)$/.test(path))
    .map((path) => ({ path: `${folder}/${path}`, text: readFileSync(`${folder}/${path}`, 'utf8') })),
);

/** I of invariants, D of decisions, T of threats, G of gates, F of the fleet; B and E of chapters. */
const citation =
  /\b(?:I(?:1[0-2]|[1-9])|D(?:1[0-6]|[1-9])|T(?!00)[0-3]\d|G(?:1[0-5]|[1-9])|F(?:1[0-2]|[1-9])|[BE]\.\d)\b/g;

const explaining = ['src/INVARIANTS.md', 'src/fleet/README.md'];

describe('src/INVARIANTS.md', () => {
  const explained = new Set(
    explaining.flatMap((page) =>
      [...readFileSync(page, 'utf8').matchAll(/^\| ([IDTGFBE][.\d]+) \|/gm)].map(([, id]) => id),
    ),
  );

  it('has a sentence for every number that is cited', () => {
    const unexplained = sources
      .filter(({ path }) => !explaining.includes(path))
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

describe('comments', () => {
  const comment = /\/\*[^]*?\*\/|\/\/.*$/gm;
  const fileName = /(?<![\w./*-])\w[\w./-]*\.tsx?\b/g;

  it('name files that are there, by name or by the end of their path', () => {
    const code = sources.filter(({ path }) => /^(?:src|test)\/.*\.tsx?$/.test(path));
    const there = sources.map(({ path }) => `/${path}`);
    const named = code.flatMap(({ path, text }) =>
      [...text.matchAll(comment)].flatMap(([said]) =>
        [...said.matchAll(fileName)].map(([name]) => ({ path, name })),
      ),
    );
    const gone = named.filter(({ name }) => !there.some((one) => one.endsWith(`/${name}`)));
    expect(gone.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
    expect(named.length).toBeGreaterThan(100);
  });
});

const pages = [
  'README.md',
  ...sources.map(({ path }) => path).filter((path) => path.endsWith('.md') && !path.includes('node_modules')),
];
const read = (path: string) => readFileSync(path, 'utf8');

describe('the pages', () => {
  it('have no dead link, to a file or to a heading', () => {
    const dead = pages.flatMap((page) =>
      linksOf(read(page))
        .filter((link) => !leadsSomewhere(page, link))
        .map((link) => `${page}: ${link}`),
    );
    expect(dead).toEqual([]);
  });

  it('of the administrators are all reached from their first one', () => {
    const reached = linksOf(read('systemd/README.md'));
    const left = readdirSync('systemd').filter(
      (name) => name.endsWith('.md') && name !== 'README.md' && !reached.includes(name),
    );
    expect(left).toEqual([]);
  });
});

const linksOf = (text: string) =>
  [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => link);

function leadsSomewhere(page: string, link: string): boolean {
  const [file = '', heading] = link.split('#');
  const path = file === '' ? page : join(dirname(page), file);
  return existsSync(path) && (heading === undefined || anchorsOf(read(path)).includes(heading));
}

/** As GitHub makes them of headings. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe('the walk in src/README.md', () => {
  const [, walk = ''] = /^## The walk$([^]*?)^## /m.exec(read('src/README.md')) ?? [];

  it('names files that are there', () => {
    const named = [...walk.matchAll(/`([\w./-]+\/[\w.-]+\.tsx?)`/g)].map(([, path = '']) => path);
    expect(named.filter((path) => !existsSync(join('src', path)))).toEqual([]);
    expect(named.length).toBeGreaterThan(40);
  });

  it('has the nine steps, each by the names it has in src/release', () => {
    const steps = [...walk.matchAll(/^\| (\d) [^|]+\|[^|]+\|([^|]+)\|$/gm)];
    expect(steps.map(([, number]) => Number(number))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const source = globSync('src/release/*.ts')
      .map((path) => read(path))
      .join('');
    const missing = steps.flatMap(([, , files = '']) => {
      const names = [...files.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
      return names.length === 0
        ? ['a step without a name']
        : names.filter(
            (name) => !new RegExp(`^(?:export )?(?:async )?(?:const|function) ${name}\\b`, 'm').test(source),
          );
    });
    expect(missing).toEqual([]);
  });
});
