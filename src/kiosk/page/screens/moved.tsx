/** Another window shows this terminal. This window shows nothing until a person asks for it. */
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

/** The state of the terminal is not known, so the old screen is cleared. */
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
