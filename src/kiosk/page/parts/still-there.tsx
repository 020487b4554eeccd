/** The session is about to end: how soon, and how to keep it (WCAG 2.2, 2.2.1) or to leave. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Frame } from '../../frame.ts';
import { every, now } from '../../../listener/page/clock.ts';
import { useWords } from '../languages/words.ts';
import type { ScreenProps } from '../screen.ts';

/** From here on it is asked. Seconds. */
const askFrom = 20;

export function StillThere({ frame, send }: ScreenProps) {
  const { say } = useWords();
  const left = useSecondsLeft(frame);
  const isAsked = left !== undefined && left <= askFrom;
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    if (!isAsked) return undefined;
    const before = document.activeElement;
    dialog.current?.showModal();
    // Who types or presses Enter without looking stays.
    dialog.current?.querySelector<HTMLElement>('.primary')?.focus();
    // Taken out without being closed, it leaves the focus nowhere.
    return () => before instanceof HTMLElement && before.focus({ preventScroll: true });
  }, [isAsked]);
  if (!isAsked) return null;
  const stay = (): void => void send({ command: 'still-there' });
  return (
    <dialog
      ref={dialog}
      aria-labelledby="still-there"
      onCancel={(event) => {
        event.preventDefault();
        stay();
      }}
    >
      <h2 id="still-there">{say('stillThere')}</h2>
      <p role="timer">{say('endsIn', { n: left })}</p>
      <div class="actions">
        <button
          type="button"
          class="quiet"
          onPointerDown={keepToItself}
          onKeyDown={keepToItself}
          onClick={() => void send({ command: 'log-out' })}
        >
          {say('signOut')}
        </button>
        <button type="button" class="primary" onClick={stay}>
          {say('iAmHere')}
        </button>
      </div>
    </dialog>
  );
}

/** As a sign of life it would take the button away before the finger is lifted. */
const keepToItself = (event: Event): void => event.stopPropagation();

/** Nothing is left to be done here: a button to leave by, and when the session ends by itself. */
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

/** Counts on between the frames, each of which says anew how many there are. */
function useSecondsLeft(frame: Frame): number | undefined {
  const { endsInSeconds } = frame;
  const [left, setLeft] = useState(endsInSeconds);
  useEffect(() => {
    setLeft(endsInSeconds);
    if (endsInSeconds === undefined) return undefined;
    const end = now() + endsInSeconds * 1_000;
    return every(250, () => setLeft(Math.max(0, Math.ceil((end - now()) / 1_000))));
  }, [frame]);
  return left;
}
