/** Somebody has just left; nothing of theirs is here any more. */
import { useWords } from '../languages/words.ts';
import { Icon } from '../parts/icon.tsx';
import { useEntryFocus } from '../screen.ts';

export function Farewell() {
  const { say } = useWords();
  const heading = useEntryFocus<HTMLHeadingElement>();
  return (
    <main class="centered">
      <Icon name="check" size="large" />
      <h1 ref={heading} tabIndex={-1} class="huge">
        {say('goodbye')}
      </h1>
      <p class="hint">{say('takePages')}</p>
    </main>
  );
}
