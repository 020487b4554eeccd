/**
 * What is said aloud of a thing that the keyboard has come to. Others hear it: no name, no title, and no key that
 * writes, because it may be one of a PIN.
 */
import type { Words } from '../languages/words.ts';

const textOf = (element: Element | null | undefined): string => element?.textContent.trim() ?? '';

export function focusWords(element: Element, { say }: Words): string {
  if (element.closest('.keys') || /^(h1|body|main|ul)$/i.test(element.tagName)) return '';
  const row = element.closest('li');
  const own = element.getAttribute('aria-label') ?? textOf(element);
  if (!row) return element instanceof HTMLInputElement ? own || textOf(element.closest('label')) : own;
  const rows = [...(row.parentElement?.children ?? [])];
  const place = say('documentAt', { n: rows.indexOf(row) + 1, of: rows.length });
  const title = textOf(row.querySelector('.name'));
  if (own !== '') return title === '' ? own : own.split(title).join(place);
  const facts = [...row.querySelectorAll('.facts, .words > .reason, .cost')].map(textOf);
  const ticked = row.parentElement?.querySelectorAll(':checked').length ?? 0;
  return [place, ...facts, say('selected', { n: ticked })].join('. ');
}
