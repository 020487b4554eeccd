/** The list by keyboard: arrows go from box to box, Enter ticks as Space does, and one key prints. */
import { printKey } from './key-guard.ts';

const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

/** For the keys in the list. Each key is handled once. */
export function moveInList(event: KeyboardEvent): void {
  const { target, currentTarget, key } = event;
  if (!(currentTarget instanceof HTMLElement) || !(target instanceof HTMLElement)) return;
  if (key === 'Enter' && target instanceof HTMLInputElement) target.click();
  const step = steps[key];
  if (!step) return;
  const boxes = [...currentTarget.querySelectorAll<HTMLElement>('input[type=checkbox]')];
  const row = target.closest('li');
  const at = boxes.findIndex((box) => row?.contains(box));
  const box = boxes[step(at, boxes.length - 1)];
  if (!box) return;
  event.preventDefault();
  box.focus();
}

/** Does nothing while a question waits for an answer. */
export function pressPrint(): void {
  if (document.querySelector('dialog[open]')) return;
  document.querySelector<HTMLButtonElement>(`[aria-keyshortcuts="${printKey}"]:enabled`)?.click();
}
