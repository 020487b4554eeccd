/** What became of the documents that were released: counted, said, and never more than is known (I12). */
import { describe, expect, it } from 'vitest';
import type { DocumentProgress } from '../../src/domain/terminal/terminal-view.ts';
import type { Frame } from '../../src/kiosk/frame.ts';
import { announcementOf, spelled } from '../../src/phrases/announcement.ts';
import { en } from '../../src/phrases/en.ts';
import { headlineOf } from '../../src/phrases/headline.ts';
import { english, languageFor, languages } from '../../src/phrases/language.ts';
import { phrasesOf } from '../../src/phrases/phrases.ts';
import { sayTally, tallyOf, verdictOf, waitWords } from '../../src/phrases/progress.ts';

const englishPhrases = phrasesOf(english, en);

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
    expect(sayTally(tally(...stages), englishPhrases)).toBe(said);
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
    const language = languageFor(['de']);
    const words = phrasesOf(language, await language.load());
    const at = (page: number) =>
      sayTally(tallyOf([{ stage: 'printing', page, pages: 9 } as Pick<DocumentProgress, 'stage'>]), words);
    expect(at(3)).toBe(at(4));
  });
});

describe('the heading of a list that is done with', () => {
  const frame = (stages: readonly Stage[], documents: Frame['documents'] = []): Frame => ({
    generation: 1,
    state: 'choosing',
    sentence: '',
    waiting: 0,
    documents,
    progress: stages.map((stage, place) => ({ documentUuid: `${place}`, name: 'A', stage })),
  });
  const waiting = { uuid: '9', name: 'B', pages: 1, copies: 1, color: false, sides: undefined };

  it.each<[stages: readonly Stage[], said: string]>([
    [['printed', 'printed'], 'All done. Please take your pages.'],
    [['handed-over'], 'All sent. Please take your pages from the printer.'],
    [['printed', 'failed'], 'Not everything was printed. Please take your pages.'],
    [['unknown'], 'No documents are waiting for you.'],
    [['printed', 'unknown'], 'All done. Please take your pages.'],
    [[], 'No documents are waiting for you.'],
  ])('says what became of %j: %s', (stages, said) => {
    expect(headlineOf(frame(stages), englishPhrases)).toBe(said);
  });

  it.each<[standing: 'releasable' | 'may-have-printed', said: string]>([
    ['releasable', 'Your documents'],
    ['may-have-printed', 'Your documents'],
  ])('is that of a list where something is %s', (standing, said) => {
    expect(headlineOf(frame(['printed'], [{ ...waiting, standing }]), englishPhrases)).toBe(said);
  });

  it('heeds no rows that only keep their places', () => {
    const gone = { ...waiting, standing: 'unavailable', why: 'gone' } as const;
    expect(headlineOf(frame(['printed'], [gone]), englishPhrases)).toBe('All done. Please take your pages.');
  });
});

describe('a printer that stands still', () => {
  const frame = (printer: NonNullable<Frame['printer']>): Frame => ({
    generation: 1,
    state: 'releasing',
    sentence: 'Printing.',
    waiting: 1,
    printer,
    progress: [{ documentUuid: 'one', name: 'Report.pdf', stage: 'printing', page: 3, pages: 5 }],
  });

  it.each<[NonNullable<Frame['printer']>, string]>([
    [{ lamp: 'busy' }, 'Printing. Please wait for your pages.'],
    [{ lamp: 'needs-attention', needs: 'jam' }, 'Printing has stopped.'],
    [{ lamp: 'unreachable' }, 'Printer cannot be reached'],
  ])('is told by the heading: %j', (printer, said) => {
    expect(headlineOf(frame(printer), englishPhrases)).toBe(said);
  });
});

describe('a printer that keeps its person waiting', () => {
  const frame = (...progress: Frame['progress'] & object): Frame => ({
    generation: 1,
    state: 'releasing',
    sentence: 'Printing.',
    waiting: 1,
    progress,
  });
  const row = (more: Partial<DocumentProgress>): DocumentProgress => ({
    documentUuid: 'one',
    name: 'Report.pdf',
    stage: 'waiting',
    ...more,
  });

  it.each<[NonNullable<DocumentProgress['wait']>, string]>([
    ['waking-up', 'The printer is waking up…'],
    ['busy', 'The printer is busy with another document.'],
    ['rejecting', 'The printer does not accept documents at the moment.'],
  ])('by %s is read, and heard: %s', (wait, said) => {
    const one = frame(row({ wait }));
    expect(headlineOf(one, englishPhrases)).toBe(said);
    expect(announcementOf(one, { phrases: englishPhrases, code: spelled })).toBe(said);
    const second = frame(row({ stage: 'printed' }), row({ documentUuid: 'two', wait }));
    expect(announcementOf(second, { phrases: englishPhrases, code: spelled })).toBe(`1 of 2 done ${said}`);
  });

  it('no longer is not spoken of', () => {
    expect(headlineOf(frame(row({})), englishPhrases)).toBe('Printing. Please wait for your pages.');
  });

  it('is told in every language', async () => {
    for (const { load } of languages) {
      const words = await load();
      for (const key of Object.values(waitWords)) expect(words[key]).toMatch(/\S/);
    }
  });
});
