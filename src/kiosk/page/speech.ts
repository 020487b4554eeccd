/** Spoken prompts (Web Speech), where voices are installed. Only sentences of the page are spoken, never names or titles. */
import type { LanguageCode } from './languages/language.ts';

export const canSpeak = (): boolean =>
  'speechSynthesis' in globalThis && speechSynthesis.getVoices().length > 0;

export function speak(text: string, language: LanguageCode): void {
  hush();
  const utterance = new SpeechSynthesisUtterance(text);
  utterance.lang = language;
  const voice = speechSynthesis.getVoices().find((one) => one.lang.startsWith(language));
  if (voice) utterance.voice = voice;
  speechSynthesis.speak(utterance);
}

export function hush(): void {
  if ('speechSynthesis' in globalThis) speechSynthesis.cancel();
}
