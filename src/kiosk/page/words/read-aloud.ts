/** Reads the screens and the focused elements aloud, for people who do not see. A button or F1 switches it on. */
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { guardKeys } from '../key-guard.ts';
import { pressPrint } from '../list-keys.ts';
import type { Words } from '../languages/words.ts';
import { createSpeaker, onFocus } from './speech.ts';

interface ReadAloudOptions {
  readonly isOn: boolean;
  readonly announcement: string;
  readonly words: Words;
  readonly onToggle: () => void;
}

export function useReadAloud({ isOn, announcement, words, onToggle }: ReadAloudOptions): void {
  const speaker = useMemo(createSpeaker, []);
  const wasOn = useRef(false);
  const { code } = words.language;
  useEffect(() => guardKeys(globalThis.window, { onReadAloud: onToggle, onPrint: pressPrint }), []);
  useEffect(() => {
    if (isOn) speaker.say(wasOn.current ? announcement : `${words.say('readAloudOn')} ${announcement}`, code);
    wasOn.current = isOn;
  }, [isOn, announcement, words]);
  useEffect(
    () =>
      isOn
        ? onFocus((element) => {
            const said = focusWords(element, words);
            if (said !== '') speaker.add(said, code);
          })
        : undefined,
    [isOn, words],
  );
}

/**
 * The spoken text of a focused element. Other people can hear it, so it has no name and no title, and no typed key,
 * because the key may be part of a PIN.
 */
const textOf = (element: Element | null | undefined): string => element?.textContent.trim() ?? '';

function focusWords(element: Element, { say }: Words): string {
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
