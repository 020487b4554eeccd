/** Spoken text (Web Speech), if a voice of the language is installed. Private text is never spoken. */
import { after, now } from '../../../listener/page/clock.ts';
import type { LanguageCode } from '../../../domain/language.ts';

const hasSpeech = (): boolean => 'speechSynthesis' in globalThis;

const voiceOf = (language: LanguageCode): SpeechSynthesisVoice | undefined =>
  hasSpeech()
    ? speechSynthesis.getVoices().find(({ lang }) => lang.toLowerCase().startsWith(language))
    : undefined;

export const canSpeak = (language: LanguageCode): boolean => voiceOf(language) !== undefined;

/** A browser finds its voices some time after the page has loaded. Call the result to end it. */
export function onVoices(listener: () => void): () => void {
  if (!hasSpeech()) return () => {};
  speechSynthesis.addEventListener('voiceschanged', listener);
  return () => speechSynthesis.removeEventListener('voiceschanged', listener);
}

/** During this time a focus change does not interrupt the prompt that came with it. Milliseconds. */
const together = 400;

export interface Speaker {
  /** Interrupts the present speech. */
  say(text: string, language: LanguageCode): void;
  /** After the prompt that has just begun. It interrupts any other speech. */
  add(text: string, language: LanguageCode): void;
}

export function createSpeaker(): Speaker {
  let promptedAt = Number.NEGATIVE_INFINITY;
  return {
    say(text, language) {
      promptedAt = now();
      hush();
      utter(text, language);
    },
    add(text, language) {
      if (now() - promptedAt > together) hush();
      utter(text, language);
    },
  };
}

function utter(text: string, language: LanguageCode): void {
  const voice = voiceOf(language);
  if (!voice) return;
  const utterance = new SpeechSynthesisUtterance(text);
  utterance.lang = language;
  utterance.voice = voice;
  speechSynthesis.speak(utterance);
}

export function hush(): void {
  if (hasSpeech()) speechSynthesis.cancel();
}

/** Calls back with the focused or ticked element, after its screen was drawn and announced. */
export function onFocus(listener: (element: Element) => void): () => void {
  let stop = (): void => {};
  const focused = (): void => {
    stop();
    stop = after(50, () => {
      if (document.activeElement) listener(document.activeElement);
    });
  };
  document.addEventListener('focusin', focused);
  document.addEventListener('change', focused);
  return () => {
    stop();
    document.removeEventListener('focusin', focused);
    document.removeEventListener('change', focused);
  };
}
