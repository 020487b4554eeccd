/** Whether a page was in some way for a moment, by the page's own eyes: who asks over and over may ask too late. */
import type { Page } from 'playwright-core';

/**
 * Watches from now on; what it answers with waits until the document has been so. `isSo` runs in the page, and knows
 * `given` and nothing else.
 */
export async function noticing<Given>(
  page: Page,
  isSo: (given: Given) => boolean,
  given: Given,
): Promise<() => Promise<void>> {
  const watch = await page.evaluateHandle<{ readonly seen: Promise<void> }>(`({
    seen: new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        if (!(${String(isSo)})(${JSON.stringify(given)})) return;
        observer.disconnect();
        resolve();
      });
      observer.observe(document, { subtree: true, childList: true, characterData: true });
    }),
  })`);
  return () => watch.evaluate(({ seen }) => seen);
}
