/** A document in one line: pages, copies, colour, sides, paper, and when it was sent. */
import { isTwoSided } from '../../../domain/document-changes.ts';
import type { DocumentView } from '../../../domain/terminal/terminal-view.ts';
import { useWords } from '../languages/words.ts';

/** Where the line breaks, it breaks after the point. */
const between = '\u00a0· ';

export function DocumentFacts({ document }: { readonly document: DocumentView }) {
  const { say, sent } = useWords();
  const { pages, copies, color, sides, paper, sentAt, fits, fitsInGrey } = document;
  const facts = [
    pages === undefined ? undefined : say('pages', { n: pages }),
    copies > 1 ? say('copies', { n: copies }) : undefined,
    say(color ? 'color' : 'monochrome'),
    sides === undefined ? undefined : say(isTwoSided(sides) ? 'twoSided' : 'oneSided'),
    paper,
  ];
  return (
    <span class="facts">
      {fits === false && (
        <span class="reason">{`${say(fitsInGrey ? 'greyFits' : 'tooDear')}${between}`}</span>
      )}
      {facts.filter((fact) => fact !== undefined).join(between)}
      {sentAt !== undefined && (
        <>
          {between}
          <time dateTime={sentAt}>{sent(sentAt)}</time>
        </>
      )}
    </span>
  );
}
