/**
 * The screen without the facts about the person in front: only the sentence of the state. Also the view from a desk.
 */
import { headlineOf, isLookedOn } from '../../../phrases/headline.ts';
import { useWords } from '../languages/words.ts';
import { NoticeLine } from '../parts/notice-line.tsx';
import type { ScreenProps } from '../screen.ts';
import { useEntryFocus } from '../screen.ts';

export function Passerby({ frame }: ScreenProps) {
  const words = useWords();
  const heading = useEntryFocus<HTMLHeadingElement>();
  return (
    <main class="centered">
      <h1 ref={heading} tabIndex={-1} class="huge">
        {headlineOf(frame, words)}
      </h1>
      {isLookedOn(frame) && <p class="hint">{words.say('viewOnly')}</p>}
      <NoticeLine frame={frame} />
    </main>
  );
}
