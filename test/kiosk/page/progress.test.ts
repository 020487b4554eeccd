/** What became of the documents that were released: counted, said, and never more than is known (I12). */
import { describe, expect, it } from 'vitest';
import type { DocumentProgress } from '../../../src/domain/terminal-view.ts';
import { languageFor } from '../../../src/kiosk/page/languages/language.ts';
import { englishWords, loadWords } from '../../../src/kiosk/page/languages/words.ts';
import { sayTally, tallyOf, verdictOf } from '../../../src/kiosk/page/progress.ts';

type Stage = DocumentProgress['stage'];

const tally = (...stages: readonly Stage[]) => tallyOf(stages.map((stage) => ({ stage })));

describe('the progress', () => {
  it.each<[stages: readonly Stage[], said: string, isOver: boolean]>([
    [['waiting', 'printing'], '0 of 2 done', false],
    [['printed', 'handed-over', 'downloading'], '2 of 3 done', false],
    [['printed', 'failed', 'unknown'], '1 of 3 done · 1 not printed · 1 not confirmed', true],
    [['printed'], '1 of 1 done', true],
    [[], '0 of 0 done', false],
  ])('of %j is said so: %s', (stages, said, isOver) => {
    expect(sayTally(tally(...stages), englishWords)).toBe(said);
    expect(tally(...stages).isOver).toBe(isOver);
  });

  it.each<[stages: readonly Stage[], verdict: string]>([
    [['printed', 'printed'], 'printingDone'],
    [['printed', 'handed-over'], 'printingSent'],
    [['handed-over'], 'printingSent'],
    [['printed', 'failed'], 'printingSome'],
    [['failed'], 'printingNone'],
    [['printed', 'unknown', 'failed'], 'printingLook'],
  ])('of %j ends with %s: "printed" is said of confirmed ones only (I12)', (stages, verdict) => {
    expect(verdictOf(tally(...stages))).toBe(verdict);
  });

  it('changes nothing of what is said from page to page, so that nobody hears each of them', async () => {
    const words = await loadWords(languageFor(['de']));
    const at = (page: number) =>
      sayTally(tallyOf([{ stage: 'printing', page, pages: 9 } as Pick<DocumentProgress, 'stage'>]), words);
    expect(at(3)).toBe(at(4));
  });
});
