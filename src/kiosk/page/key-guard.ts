/**
 * Keys and gestures that reach the page (INVARIANTS.md T07, T08). Outside fields only keys that move or choose work. So
 * a badge reader that types, or a shortcut, has no effect. A reader ends with Enter, so an Enter right after an ignored
 * key is ignored too.
 */
import { now } from '../../listener/page/clock.ts';

const moving: ReadonlySet<string> = new Set([
  'Tab',
  'Enter',
  ' ',
  'Escape',
  'Home',
  'End',
  'PageUp',
  'PageDown',
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
]);
const choosing: ReadonlySet<string> = new Set(['Enter', ' ']);
const editing: ReadonlySet<string> = new Set(['Backspace', 'Delete', ...moving]);
/** Milliseconds. A person cannot press Enter so soon after another key. */
const burst = 150;
/** Blind people find these keys by touch: they are the first of the upper row. No card reader types them. */
const aloudKey = 'F1';
export const printKey = 'F2';

const gestures = [
  'contextmenu',
  'dragstart',
  'dragenter',
  'dragover',
  'drop',
  'paste',
  'copy',
  'cut',
  'gesturestart',
] as const;

interface Answers {
  readonly onReadAloud: () => void;
  readonly onPrint: () => void;
}

export function guardKeys(page: Window, { onReadAloud, onPrint }: Answers): void {
  let swallowedAt = Number.NEGATIVE_INFINITY;

  const isWelcome = (event: KeyboardEvent): boolean => {
    const { key, target } = event;
    if (hasModifier(event)) return false;
    if (isField(target)) {
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
      const { key } = event;
      const isAlone = !event.shiftKey && !event.repeat && !hasModifier(event);
      if (key === aloudKey && isAlone) onReadAloud();
      if (key === printKey && isAlone) onPrint();
      if (key !== 'Shift' && key !== 'AltGraph') swallowedAt = now();
      swallow(event);
    },
    { capture: true },
  );
  for (const gesture of gestures) page.addEventListener(gesture, swallow, { capture: true });
  // The wheel with Control zooms; so does a pinch on a touch pad.
  page.addEventListener('wheel', (event) => event.ctrlKey && swallow(event), {
    capture: true,
    passive: false,
  });
  // The other mouse buttons go back and forward, open windows, and scroll.
  for (const press of ['mousedown', 'mouseup', 'auxclick'] as const) {
    page.addEventListener(press, (event) => event.button > 0 && swallow(event), { capture: true });
  }
  page.addEventListener('selectstart', (event) => !isField(event.target) && swallow(event), {
    capture: true,
  });
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement && target.type !== 'checkbox';

function hasModifier(event: KeyboardEvent): boolean {
  const isAltGraph = event.getModifierState('AltGraph');
  return event.metaKey || ((event.ctrlKey || event.altKey) && !isAltGraph);
}
