/** The text of the screen in a sentence or two, for people who listen. It changes when something important changes. */
import { announcementOf, inARow, spelled } from '../../../phrases/announcement.ts';
import type { Words } from '../languages/words.ts';
import type { Leave, Line } from './line.ts';
import { leaveWords } from './line.ts';

/** If a person leaves without all their pages, the text of the frame is used. */
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
