/** A document in one line: pages, copies, colour, sides, paper; and together when it was sent and what it costs. */
import { isTwoSided } from '../../../domain/document-changes.ts';
import type { DocumentView } from '../../../domain/terminal/terminal-view.ts';
import { useWords } from '../languages/words.ts';

export function DocumentFacts({ document }: { readonly document: DocumentView }) {
  const { say, sent, price } = useWords();
  const { pages, copies, color, sides, paper, sentAt, cost } = document;
  const facts = [
    pages === undefined ? undefined : say('pages', { n: pages }),
    copies > 1 ? say('copies', { n: copies }) : undefined,
    say(color ? 'color' : 'monochrome'),
    sides === undefined ? undefined : say(isTwoSided(sides) ? 'twoSided' : 'oneSided'),
    paper,
  ];
  return (
    <span class="facts">
      <span>{facts.filter((fact) => fact !== undefined).join(' · ')}</span>
      {(sentAt !== undefined || cost !== undefined) && (
        <span class="once">
          {sentAt !== undefined && <time dateTime={sentAt}>{sent(sentAt)}</time>}
          {sentAt !== undefined && cost !== undefined && ' · '}
          {cost !== undefined && <span class="cost">{price(cost)}</span>}
        </span>
      )}
    </span>
  );
}
