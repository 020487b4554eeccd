/**
 * The text of a screen in a sentence or two, for people who listen or use no page. It changes when something important
 * changes.
 */
import { headlineOf } from './headline.ts';
import { outageWords } from './notice-words.ts';
import type { Phrases } from './phrases.ts';
import { printerWords, troubleWords } from './printer-words.ts';
import { insteadWords, printerNow, standInOf } from './printer-words.ts';
import { endedOf, progressOf, sayTally, tallyOf, verdictOf, waitOf } from './progress.ts';
import type { Shown } from './shown.ts';

export interface Speech {
  readonly phrases: Phrases;
  /** The form of a code: as it is written, or spelled for people who listen. */
  readonly code: (code: string) => string;
}

export function announcementOf(frame: Shown, { phrases: words, code }: Speech): string {
  const { state, sentence, outage, printer, notHere, account } = frame;
  const notice = account?.notice ?? frame.notice;
  const headline = headlineOf(frame, words);
  if (outage) {
    const { reason, by = '', userCode, reference } = outage;
    return inARow(
      headline,
      words.say(outageWords[reason], { gateway: by }),
      userCode && `${words.say('approveWith')}: ${code(userCode)}.`,
      words.say('reference', { code: code(reference) }),
    );
  }
  const { trouble, instead } = frame;
  const offer = instead && words.say(insteadWords[instead.why], { printer: instead.printer });
  if (trouble && state === 'choosing' && !notHere)
    return inARow(troubleWords(trouble, words).whole, offer, headline);
  if (notHere && state === 'choosing') return inARow(words.say('notHere'), headline);
  const said = trouble ? undefined : notice && words.sayNotice(notice, sentence);
  if (state === 'releasing') return inARow(said, ofProgress(frame, headline, words));
  const need = state === 'prompting' && printer && printerWords(printer, words)?.whole;
  const standIn = need && standInOf(frame);
  return inARow(
    ...[said, offer, headline, need],
    standIn && words.say('insteadTrouble', { printer: standIn }),
  );
}

function ofProgress(frame: Shown, headline: string, words: Phrases): string {
  const tally = tallyOf(progressOf(frame));
  if (tally.isOver) return inARow(words.say(verdictOf(tally)), sayTally(tally, words));
  // Each finished document is told, but not each page. A printer that needs a person is told too.
  const printer = printerNow(frame);
  const need = printer && printerWords(printer, words)?.whole;
  const wait = waitOf(frame);
  if (endedOf(tally) === 0) return inARow(headline, need);
  return inARow(sayTally(tally, words), wait && words.say(wait), need);
}

export const inARow = (...parts: readonly (string | false | undefined)[]): string =>
  parts.filter(Boolean).join(' ');

/** One character after the other, as a person writes it down. */
export const spelled = (code: string): string => [...code].join(' ');
