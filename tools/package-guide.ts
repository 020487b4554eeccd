/**
 * The guide as a package has it: a link to what the package does not hold (sources, tests) would lead nowhere, and becomes
 * plain words. A link to a page, a file of `config` or a heading stays.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Every page below this folder, but for those of the packages it brings. */
export function tidyGuide(folder: string): void {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.md') || path.includes('node_modules')) continue;
    const page = join(folder, path);
    const text = readFileSync(page, 'utf8');
    const tidy = text.replace(
      /(?<!!)\[([^\]]+)\]\((?!https?:|#)([^)\s#]+)(#[^)\s]*)?\)/g,
      (link, words: string, to: string) => (existsSync(join(dirname(page), to)) ? link : words),
    );
    if (tidy !== text) writeFileSync(page, tidy);
  }
}
