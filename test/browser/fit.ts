/**
 * Whether screens are whole and fit for everyone, in several languages and at several sizes. A commit is held to a few of
 * each; `npm run campaign -- screens` plays the same scenes in all of them.
 */
import type { Page } from 'playwright-core';
import type { LanguageCode } from '../../src/domain/language.ts';
import type { Language } from '../../src/phrases/language.ts';
import { languages } from '../../src/phrases/language.ts';
import type { Look } from './accessibility.ts';
import { complaintsOf } from './accessibility.ts';
import type { Size, Stage, StageOptions } from './stage.ts';
import { broad, keepPicture, kiosk, narrow, panel, tablet, upright } from './stage.ts';

export interface Extent {
  readonly languages: readonly Language[];
  readonly sizes: readonly Size[];
  /** Whether axe-core looks at all of them too, and all are pictured; at the panel and in English it always looks. */
  readonly isWhole: boolean;
}

const spoken = (...codes: readonly LanguageCode[]) => languages.filter(({ code }) => codes.includes(code));

/**
 * For every commit: English, in which the tests are written; German, which needs the most letters to say the same; and
 * Japanese, which has no spaces to break a line at. The two panels are those with the least room.
 */
export const perCommit: Extent = {
  languages: spoken('en', 'de', 'ja'),
  sizes: [upright, panel],
  isWhole: false,
};

export const everything: Extent = {
  languages,
  sizes: [narrow, kiosk, tablet, broad, upright, panel],
  isWhole: true,
};

/** Screens that follow each other on one page. */
export interface Scene {
  readonly name: string;
  readonly begins: StageOptions;
  /** Absent: all. */
  readonly languages?: readonly LanguageCode[];
  /** Of those it is played at; absent: all of them. */
  readonly sizes?: (played: readonly Size[]) => readonly Size[];
  /** What axe-core looks at, in English and at the panel; absent: all of it. */
  readonly axe?: 'colours' | 'nothing';
  /** Brings about one screen after the other, and tells its name when it is drawn. */
  screens(stage: Stage, language: Language): AsyncGenerator<string>;
  /** A person may have to scroll to what is below. */
  readonly scrolls?: boolean;
  /** What else is wrong with one of them, in words. */
  readonly wrong?: (page: Page, language: Language) => Promise<readonly string[]>;
}

/** What is wrong with the screens of a scene, a sentence each, in this language. What is wrong is pictured. */
export async function wrongIn(
  scene: Scene,
  stage: Stage,
  { language, sizes, isWhole }: Omit<Extent, 'languages'> & { readonly language: Language },
): Promise<readonly string[]> {
  const { page } = stage;
  const { code } = language;
  const wrong: string[] = [];
  let next = scene.sizes?.(sizes) ?? sizes;
  for await (const name of scene.screens(stage, language)) {
    for (const size of next) {
      await page.setViewportSize(size);
      const look = lookAt(scene, { code, size, isWhole });
      const found = [
        ...(await misfitsOf(page, scene)),
        ...((await scene.wrong?.(page, language)) ?? []),
        ...(look ? await complaintsOf(page, look) : []),
      ];
      if (isWhole || found.length > 0) await keepPicture(page, `${code}-${scene.name}-${name}-${size.width}`);
      wrong.push(...found.map((what) => `${code}, ${name} at ${size.width}×${size.height}: ${what}`));
    }
    // Another size is laid out anew, and so is another screen: at the last size one of the two is enough.
    next = next.toReversed();
  }
  return wrong;
}

/**
 * What is touched may be too small at another size, and what is said may be nothing in another language; all else is the
 * same for axe-core at every size, and the colours in every language.
 */
function lookAt(
  { axe }: Scene,
  { code, size, isWhole }: { readonly code: LanguageCode; readonly size: Size; readonly isWhole: boolean },
): Look | undefined {
  const isEnglish = code === 'en';
  if (axe !== undefined) return axe === 'colours' && isEnglish && size === panel ? 'colours' : undefined;
  if (size === panel && isEnglish) return 'all';
  if (!isWhole) return undefined;
  if (size === panel) return 'all but colours';
  if (size !== upright) return undefined;
  return isEnglish ? 'all but colours' : 'layout';
}

/**
 * What leaves the window, is cut off, or is too small for a finger: 44 px; 24 px for what is not in a dialog of a narrow
 * window, and for the width of a key among twelve.
 */
const misfitsOf = (page: Page, { scrolls: mayScroll = false }: Scene): Promise<readonly string[]> =>
  page.evaluate(async (isScrolled) => {
    // What the page has heard of is on the screen.
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const touched = 'button, input:not([type=checkbox]), .option';
    const whole = 'h1:not(.unseen), footer, header, .stick-line > *, dialog, dialog p, dialog canvas';
    return [...document.querySelectorAll<HTMLElement>(`${touched}, ${whole}`)].flatMap((element) => {
      const { left, right, top, bottom, width, height } = element.getBoundingClientRect();
      if (width === 0) return [];
      const isNarrow = innerWidth < 400 && !element.closest('dialog, .stick-line');
      // What a person can scroll to is not outside.
      const isOfPage = element.closest('.documents, main') !== null && element.closest('dialog') === null;
      const isLarge = document.documentElement.dataset['text'] === 'large';
      const scrolls =
        element.closest('.documents, .sections, dialog ul') !== null ||
        (isOfPage && (isScrolled || isNarrow || isLarge));
      const isOutside =
        left < -1 || right > innerWidth + 1 || top < -1 || (!scrolls && bottom > innerHeight + 1);
      // The name of a file is cut at its end.
      const isCut = !element.matches('input, dialog ul *') && element.scrollWidth > element.clientWidth + 1;
      const isKey = innerWidth < 600 && element.matches('.keys.letters button');
      const least = isNarrow ? 24 : 44;
      const isSmall = element.matches(touched) && (width < (isKey ? 24 : least) || height < least);
      const what = `${element.localName} ${element.className} "${element.textContent.slice(0, 80)}"`;
      const box = [left, top, right, bottom].map(Math.round).join();
      return [
        ...(isOutside ? [`outside: ${what} ${box}`] : []),
        ...(isCut ? [`cut off: ${what} ${element.scrollWidth} > ${element.clientWidth}`] : []),
        ...(isSmall ? [`small: ${what} ${width}x${height}`] : []),
      ];
    });
  }, mayScroll);
