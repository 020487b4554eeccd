/** When a page came to be in some way, by the page's own eyes: nothing is asked over and over, and nothing waits. */
import type { Page } from 'playwright-core';

/**
 * Watches from now on; what it answers with tells when, in milliseconds of the epoch, the document first was so. `isSo`
 * runs in the page, and knows `given` and nothing else.
 */
export async function noticing<Given>(
  page: Page,
  isSo: (given: Given) => boolean,
  given: Given,
): Promise<() => Promise<number>> {
  const watch = await page.evaluateHandle<{ readonly seen: Promise<number> }>(`({
    seen: new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        if (!(${String(isSo)})(${JSON.stringify(given)})) return;
        observer.disconnect();
        resolve(performance.timeOrigin + performance.now());
      });
      observer.observe(document, { subtree: true, childList: true, characterData: true });
    }),
  })`);
  return () => watch.evaluate(({ seen }) => seen);
}
