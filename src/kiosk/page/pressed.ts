/**
 * What was pressed looks so at once, and until all that it asks of the terminal is answered: on a slow line nobody presses
 * twice because nothing seems to happen.
 */
import { after } from '../../listener/page/clock.ts';

/** What is answered sooner is seen to be pressed all the same. Milliseconds. */
const shortest = 150;

export interface Pressed {
  /** A click, before anything is done about it. */
  press(event: Event): void;
  /** As long as this takes. */
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
