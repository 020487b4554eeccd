/**
 * A pressed button looks pressed at once, until the terminal has answered. Otherwise a person on a slow line would
 * press it again.
 */
import { after } from '../../listener/page/clock.ts';

/** The shortest time that a button looks pressed, even after a faster answer. Milliseconds. */
const shortest = 150;

export interface Pressed {
  /** Called at a click, before its action. */
  press(event: Event): void;
  /** The button looks pressed until this answer. */
  until<Answer>(answer: Promise<Answer>): Promise<Answer>;
}

export function createPressed(): Pressed {
  let button: Element | null | undefined;
  let stopWaiting: (() => void) | undefined;
  let underWay = 0;
  const settle = (): void => {
    if (!stopWaiting && underWay === 0) button?.removeAttribute('aria-busy');
  };
  return {
    press({ target }) {
      stopWaiting?.();
      button?.removeAttribute('aria-busy');
      button = target instanceof Element ? target.closest('button') : undefined;
      button?.setAttribute('aria-busy', 'true');
      stopWaiting = after(shortest, () => {
        stopWaiting = undefined;
        settle();
      });
    },
    async until(answer) {
      underWay += 1;
      try {
        return await answer;
      } finally {
        underWay -= 1;
        settle();
      }
    },
  };
}
