/** What axe-core finds wrong on a page, in short: WCAG 2.2 AA, and what it calls best practice. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const script = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const options = {
  all: { runOnly: rules },
  /** They are the same in every language, and take most of its time. */
  'all but colours': { runOnly: rules, rules: { 'color-contrast': { enabled: false } } },
  colours: { runOnly: { type: 'rule', values: ['color-contrast'] } },
  /** What may be otherwise at another size of the same page. */
  layout: { runOnly: { type: 'rule', values: ['scrollable-region-focusable', 'target-size'] } },
} as const;

export type Look = keyof typeof options;

export async function complaintsOf(page: Page, look: Look = 'all'): Promise<readonly string[]> {
  const asked = JSON.stringify({ ...options[look], resultTypes: ['violations'], selectors: false });
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(script);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${asked})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
