/** Shown until the first frame of the terminal. */
import { useWords } from '../languages/words.ts';
import { Dots } from '../parts/dots.tsx';
import { useEntryFocus } from '../screen.ts';

export function OneMoment() {
  const { say } = useWords();
  const heading = useEntryFocus<HTMLHeadingElement>();
  return (
    <main class="centered">
      <Dots />
      <h1 ref={heading} tabIndex={-1} class="huge">
        {say('oneMoment')}
      </h1>
    </main>
  );
}
