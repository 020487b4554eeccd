/** What a look at the screen says, in a sentence or two, for who listens. It changes when something that matters does. */
import type { Frame } from '../../frame.ts';
import { headlineOf } from './headline.ts';
import type { Words } from '../languages/words.ts';
import type { Leave, Line } from './line.ts';
import { leaveWords } from './line.ts';
import { outageWords } from './outage-words.ts';
import { printerWords, troubleWords } from './printer-words.ts';
import { insteadWords, printerNow, standInOf } from './printers-now.ts';
import { endedOf, progressOf, sayTally, tallyOf, verdictOf, waitOf } from '../progress.ts';
import { spelled } from './speech.ts';

/** Of who does not leave with all their pages the frame tells. */
export function announcementOf(line: Line | Exclude<Leave, 'not-all'>, words: Words): string {
  const { say } = words;
  switch (line) {
    case 'connecting':
    case 'leaving':
      return say('oneMoment');
    case 'lost':
      return inARow(say('lost'), say('lostHint'));
    case 'moved':
      return say('moved');
    case 'pages':
    case 'pages-coming':
    case 'no-pages':
      return inARow(say('goodbye'), say(leaveWords[line]));
    default:
      return ofFrame(line, words);
  }
}

function ofFrame(frame: Frame, words: Words): string {
  const { state, sentence, outage, printer, notHere, account } = frame;
  const notice = account?.notice ?? frame.notice;
  const headline = headlineOf(frame, words);
  if (outage) {
    const { reason, userCode, reference } = outage;
    return inARow(
      headline,
      words.say(outageWords[reason]),
      userCode && `${words.say('approveWith')}: ${spelled(userCode)}.`,
      words.say('reference', { code: spelled(reference) }),
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

function ofProgress(frame: Frame, headline: string, words: Words): string {
  const tally = tallyOf(progressOf(frame));
  if (tally.isOver) return inARow(words.say(verdictOf(tally)), sayTally(tally, words));
  // Each end is said, and no page; a printer that waits for somebody says so itself.
  const printer = printerNow(frame);
  const need = printer && printerWords(printer, words)?.whole;
  const wait = waitOf(frame);
  if (endedOf(tally) === 0) return inARow(headline, need);
  return inARow(sayTally(tally, words), wait && words.say(wait), need);
}

const inARow = (...parts: readonly (string | false | undefined)[]): string => parts.filter(Boolean).join(' ');
