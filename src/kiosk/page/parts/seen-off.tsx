/** Nothing is left to be done here: a button to leave by, and when the session ends by itself. */
import { useWords } from '../languages/words.ts';
import type { ScreenProps } from '../screen.ts';
import { askFrom, useSecondsLeft } from './still-there.tsx';

export function SeenOff({ frame, send }: ScreenProps) {
  const { say } = useWords();
  const left = useSecondsLeft(frame);
  return (
    <footer class="seen-off">
      {left !== undefined && left <= askFrom && <p role="timer">{say('endsIn', { n: left })}</p>}
      <button type="button" class="primary" onClick={() => void send({ command: 'log-out' })}>
        {say('done')}
      </button>
    </footer>
  );
}
