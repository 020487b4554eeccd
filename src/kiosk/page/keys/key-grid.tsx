/**
 * Keys on the screen with one stop of the Tab key for all: arrows move between them, as in a toolbar (WAI-ARIA
 * Authoring Practices, toolbar). A touch leaves the focus in the field.
 */
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

interface KeyGridProps {
  readonly label: string;
  readonly kind: 'letters' | 'digits';
  readonly children: ComponentChildren;
}

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

export function KeyGrid({ label, kind, children }: KeyGridProps) {
  const grid = useRef<HTMLDivElement>(null);

  function move(event: KeyboardEvent): void {
    const buttons = [...(grid.current?.querySelectorAll('button') ?? [])];
    const here = buttons.findIndex((one) => one === document.activeElement);
    const from = buttons[here];
    if (!from) return;
    const isMirrored = getComputedStyle(from).direction === 'rtl';
    const step = (steps[event.key] ?? 0) * (isMirrored ? -1 : 1);
    const to =
      step === 0
        ? neighbour(buttons, from, event.key)
        : buttons[(here + step + buttons.length) % buttons.length];
    if (!to) return;
    event.preventDefault();
    to.focus();
  }

  return (
    <div
      ref={grid}
      class={`keys ${kind}`}
      role="toolbar"
      aria-label={label}
      onKeyDown={move}
      // Otherwise a touch would take the focus from the field.
      onPointerDown={(event) => event.preventDefault()}
    >
      {children}
    </div>
  );
}

/** The nearest key of the row above or below. */
function neighbour(
  buttons: readonly HTMLButtonElement[],
  from: HTMLElement,
  key: string,
): HTMLElement | undefined {
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return undefined;
  const { x, y, width } = from.getBoundingClientRect();
  const places = buttons.map((button) => ({ button, place: button.getBoundingClientRect() }));
  const beyond = places.filter(({ place }) => (key === 'ArrowUp' ? place.y < y - 4 : place.y > y + 4));
  const rowAt = beyond.map(({ place }) => place.y).sort((a, b) => Math.abs(a - y) - Math.abs(b - y))[0];
  const distance = (place: DOMRect) => Math.abs(place.x + place.width / 2 - x - width / 2);
  return beyond
    .filter(({ place }) => place.y === rowAt)
    .sort((a, b) => distance(a.place) - distance(b.place))[0]?.button;
}
