/** What axe-core finds wrong on a page, in short: WCAG 2.2 AA, and what it calls best practice. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const script = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** `colors`: they are the same in every language, and take most of its time. */
export async function complaintsOf(page: Page, { colors = true } = {}): Promise<readonly string[]> {
  const options = {
    runOnly: rules,
    resultTypes: ['violations'],
    rules: { 'color-contrast': { enabled: colors } },
  };
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(script);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
