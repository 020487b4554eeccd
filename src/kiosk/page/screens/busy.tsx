/** One moment: the terminal waits for the service. */
import { headlineOf } from '../../../phrases/headline.ts';
import { useWords } from '../languages/words.ts';
import { Dots } from '../parts/dots.tsx';
import { NoticeLine } from '../parts/notice-line.tsx';
import type { ScreenProps } from '../screen.ts';
import { useEntryFocus } from '../screen.ts';

export function Busy({ frame }: ScreenProps) {
  const words = useWords();
  const heading = useEntryFocus<HTMLHeadingElement>();
  return (
    <main class="centered">
      <Dots />
      <h1 ref={heading} tabIndex={-1} class="huge">
        {headlineOf(frame, words)}
      </h1>
      <NoticeLine frame={frame} />
    </main>
  );
}
