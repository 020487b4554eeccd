/** Another window shows this terminal: nothing is shown here until somebody wants it here. */
import { useWords } from '../languages/words.ts';
import { Icon } from '../parts/icon.tsx';
import { useEntryFocus } from '../screen.ts';

export function Moved({ onClaim }: { readonly onClaim: () => void }) {
  const { say } = useWords();
  const heading = useEntryFocus<HTMLHeadingElement>();
  return (
    <main class="centered">
      <Icon name="windows" size="large" />
      <h1 ref={heading} tabIndex={-1} class="huge">
        {say('moved')}
      </h1>
      <button type="button" class="primary" onClick={onClaim}>
        {say('useHere')}
      </button>
    </main>
  );
}

/** What the terminal shows is not known: nothing that was on the screen is left on it. */
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
