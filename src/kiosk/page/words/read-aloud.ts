/** Says the call of each screen, and what the keyboard comes to, for who does not see; by the button, or by F1. */
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { focusWords } from './focus-words.ts';
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
