/** What a look at the page says, in a sentence or two, for who listens. It changes when something that matters does. */
import { announcementOf, inARow, spelled } from '../../../phrases/announcement.ts';
import type { Words } from '../languages/words.ts';
import type { Leave, Line } from './line.ts';
import { leaveWords } from './line.ts';

/** Of who does not leave with all their pages the frame tells. */
export function spokenOf(line: Line | Exclude<Leave, 'not-all'>, words: Words): string {
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
      return announcementOf(line, { phrases: words, code: spelled });
  }
}
