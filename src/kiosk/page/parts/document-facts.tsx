/** A document in one line: pages, copies, colour, sides, cost. */
import type { DocumentView } from '../../../domain/terminal-view.ts';
import { useWords } from '../languages/words.ts';

export function DocumentFacts({ document }: { readonly document: DocumentView }) {
  const { say, amount } = useWords();
  const { pages, copies, color, sides, cost } = document;
  const facts = [
    pages === undefined ? undefined : say('pages', { n: pages }),
    copies > 1 ? say('copies', { n: copies }) : undefined,
    say(color ? 'color' : 'monochrome'),
    sides === undefined ? undefined : say(sides === 'one-sided' ? 'oneSided' : 'twoSided'),
    cost === undefined ? undefined : say('cost', { amount: amount(cost) }),
  ];
  return <span class="facts">{facts.filter((fact) => fact !== undefined).join(' · ')}</span>;
}
