/**
 * Which keys reach the page (reliability.md T07, T08): outside its fields only those that move about and choose, so
 * that a badge reader that types, or a shortcut, does nothing. A reader ends with Enter: Enter right after a key that
 * was swallowed is swallowed too.
 */
import { now } from './clock.ts';

const moving: ReadonlySet<string> = new Set([
  ...['Tab', 'Enter', ' ', 'Escape', 'Home', 'End', 'PageUp', 'PageDown'],
  ...['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'],
]);
const choosing: ReadonlySet<string> = new Set(['Enter', ' ']);
const editing: ReadonlySet<string> = new Set(['Backspace', 'Delete', ...moving]);
/** Milliseconds; a person's finger does not go from a key to Enter so fast. */
const burst = 150;

export function guardKeys(page: Window): void {
  let swallowedAt = Number.NEGATIVE_INFINITY;

  const isWelcome = (event: KeyboardEvent): boolean => {
    const { key, ctrlKey, altKey, metaKey, target } = event;
    const isAltGraph = event.getModifierState('AltGraph');
    if (metaKey || ((ctrlKey || altKey) && !isAltGraph)) return false;
    if (target instanceof HTMLInputElement && target.type !== 'checkbox') {
      return editing.has(key) || [...key].length === 1 || key === 'Dead' || key === 'Process';
    }
    return moving.has(key) && !(choosing.has(key) && now() - swallowedAt < burst);
  };

  const swallow = (event: Event): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  page.addEventListener(
    'keydown',
    (event) => {
      if (isWelcome(event)) return;
      if (event.key !== 'Shift' && event.key !== 'AltGraph') swallowedAt = now();
      swallow(event);
    },
    { capture: true },
  );
  for (const way of ['contextmenu', 'dragstart', 'drop', 'dragover', 'paste', 'copy', 'cut'] as const) {
    page.addEventListener(way, swallow, { capture: true });
  }
}
