/**
 * The question before the session ends: the seconds that are left, and buttons to continue (WCAG 2.2, 2.2.1) or to
 * leave.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Frame } from '../../frame.ts';
import { every, now } from '../../../listener/page/clock.ts';
import { useWords } from '../languages/words.ts';
import type { ScreenProps } from '../screen.ts';

/** The question comes at this number of seconds. */
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
    // A person who presses Enter without looking stays signed in.
    dialog.current?.querySelector<HTMLElement>('.primary')?.focus();
    // The dialog is removed without being closed, so the focus must be put back.
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

/** Otherwise this touch would count as a sign of life, and the button would disappear before the finger is lifted. */
const keepToItself = (event: Event): void => event.stopPropagation();

/** Nothing is left to do here: a button to leave, and the seconds until the session ends by itself. */
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

/** Counts the seconds between two frames. Each frame gives the exact number again. */
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
