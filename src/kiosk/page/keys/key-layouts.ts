/** What the keys of the on-screen keyboard write, row by row. A touch screen has no other keyboard. */
import type { LanguageCode } from '../../../domain/language.ts';

export type KeyRows = readonly (readonly string[])[];

const rows = (...lines: readonly string[]): KeyRows => lines.map((line) => line.split(' '));

const qwerty = rows('q w e r t y u i o p', 'a s d f g h j k l', 'z x c v b n m . @');

export const letters: Readonly<Record<LanguageCode, KeyRows>> = {
  en: qwerty,
  ja: qwerty,
  de: rows('q w e r t z u i o p ü', 'a s d f g h j k l ö ä', 'y x c v b n m ß . @'),
  fr: rows('a z e r t y u i o p', 'q s d f g h j k l m', 'w x c v b n é è ç . @'),
  es: rows('q w e r t y u i o p', 'a s d f g h j k l ñ', 'z x c v b n m . @'),
  ar: rows('ض ص ث ق ف غ ع ه خ ح ج', 'ش س ي ب ل ا ت ن م ك ط', 'ئ ء ؤ ر ى ة و ز ظ د ذ'),
};

/** Where the letters of the language are no Latin ones; user names often are. */
export const latin: KeyRows = qwerty;

export const symbols: KeyRows = rows(
  '1 2 3 4 5 6 7 8 9 0',
  '- _ + = / \\ : ; ( ) &',
  '. , ? ! @ # % $ * \' "',
);

export const digits: KeyRows = rows('1 2 3', '4 5 6', '7 8 9');
