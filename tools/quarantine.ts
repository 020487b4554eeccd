/**
 * Tests that fail now and then and are not understood yet: they are left out, and the run names them. At most
 * ten, fourteen days each, and none that proves an invariant or survives a kill: a test of the architecture holds this
 * list to it.
 */
export interface Quarantined {
  /** `test/flows/release.test.ts > the whole name`. */
  readonly test: string;
  /** A date, YYYY-MM-DD. */
  readonly since: string;
  readonly why: string;
}

const since = '2026-11-28';
const why = 'a wait ran out since a page’s time stands still until its test moves it';

export const quarantined: readonly Quarantined[] = [
  {
    test: 'test/browser/agent-screens.test.ts > the way from the badge to the pages: PIN, list, print, "still there?" and farewell',
    since,
    why,
  },
  {
    test: 'test/browser/aloud.test.ts > leads who cannot see from the badge to the pages by F1, Tab and Enter, and says no name and no title',
    since,
    why,
  },
  {
    test: 'test/browser/printers.test.ts > say where each document is printed and, where nobody is, which one stands in for the first',
    since,
    why,
  },
];
