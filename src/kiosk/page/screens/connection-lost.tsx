/** What the terminal shows is not known: nothing that was on the screen is left on it. */
import { useWords } from '../languages/words.ts';
import { Icon } from '../parts/icon.tsx';
import { useEntryFocus } from '../screen.ts';

export function ConnectionLost() {
  const { say } = useWords();
  const heading = useEntryFocus<HTMLHeadingElement>();
  return (
    <main class="centered">
      <Icon name="unplugged" size="large" />
      <h1 ref={heading} tabIndex={-1} class="huge">
        {say('lost')}
      </h1>
      <p class="hint">{say('lostHint')}</p>
    </main>
  );
}
