/** What axe-core finds wrong on a page, in short: WCAG 2.2 AA, and what it calls best practice. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const script = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What depends on where things are. */
const ofLayout = ['scrollable-region-focusable', 'target-size'];

/**
 * `colors`: they are the same in every language, and take most of its time. `layout`: only what may be otherwise at another
 * size of the same page.
 */
export async function complaintsOf(
  page: Page,
  { colors = true, layout = false } = {},
): Promise<readonly string[]> {
  const options = {
    ...{ runOnly: layout ? ofLayout : rules, resultTypes: ['violations'], selectors: false },
    rules: layout ? {} : { 'color-contrast': { enabled: colors } },
  };
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(script);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
