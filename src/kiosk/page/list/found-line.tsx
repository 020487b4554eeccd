/** The number of documents that a search has found. */
import { useWords } from '../languages/words.ts';

export function FoundLine({ n }: { readonly n: number }) {
  const { say } = useWords();
  return (
    <p class={n === 0 ? 'found none' : 'found'} role="status">
      {n === 0 ? say('nothingFound') : say('found', { n })}
    </p>
  );
}
