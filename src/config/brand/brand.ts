/**
 * `kiosk.brand`: the accent colour, and the texts that the administrator writes for people at the page, by language.
 */
import { z } from 'zod';
import { languageCodes } from '../../domain/language.ts';
import type { Outside } from '../schema/values.ts';
import { readBy } from '../schema/values.ts';

const unseen = /[\p{Cc}\p{Zl}\p{Zp}]/u;

const sayable = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most, `must be at most ${most} characters, so that it fits on the screen`)
    .refine((text) => !unseen.test(text.replaceAll('\n', '')), 'must contain only text');

/** For example `{ en: …, de: … }`. */
const texts = (most: number) =>
  z
    .partialRecord(z.enum(languageCodes), sayable(most))
    .refine((said) => Object.keys(said).length > 0, 'must contain a text in at least one language');

const accentColour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'must be # and six hexadecimal digits, for example #0f5b52')
  .transform(
    readBy((said: string) => {
      accentOf(said);
      return said;
    }),
  );

export const brand = (outside: Outside) =>
  z.strictObject({
    name: sayable(60)
      .optional()
      .describe('Name of your organisation. The idle screen shows it beside the logo'),
    logo: z
      .string()
      .min(1)
      .transform(readBy(outside.logo))
      .optional()
      .describe(
        'File of the picture beside the name: SVG or PNG, up to 256 KiB. Platen checks the picture when it reads the file',
      ),
    colour: accentColour
      .optional()
      .describe(
        'Colour of buttons and other things to touch, for example #0f5b52. White letters on it need a contrast of 4.5 to 1. Default: a deep sea green',
      ),
    idle: texts(160)
      .optional()
      .describe(
        'Text of the idle screen below the call to hold a card, for each language, for example { en: Welcome }. Other languages show the usual sentence',
      ),
  });

export const languages = z
  .array(z.enum(languageCodes))
  .min(1)
  .refine((codes) => new Set(codes).size === codes.length, 'must name each language only once')
  .optional()
  .describe(
    'Languages of the page, in this order, for example [de, en]. The idle screen uses the first. Default: all languages, and the idle screen uses the language of the browser',
  );

export const howToSend = texts(300)
  .optional()
  .describe(
    'Text for people who have no waiting documents, for each language, for example { en: Send it to print@example.org }. Other languages show the usual sentence',
  );

interface Accent {
  readonly light: AccentColours;
  readonly dark: AccentColours;
}

/** `lead` is the colour of a button, `tint` the background of a selected item. */
interface AccentColours {
  readonly lead: string;
  readonly tint: string;
}

/**
 * Same values as in listener/page/colours.css: on the accent, letters are white on a light screen and dark on a dark
 * screen.
 */
const white = '#ffffff';
const light = { surface: '#fffdf9', tinted: 0.12 };
const dark = { ground: '#1d1a17', surface: '#2a2521', onLead: '#0e1f1c', tinted: 0.16 };

const least = 4.5;

/**
 * The accent colour marks buttons and other things to touch. From the configured colour it derives colours for a
 * light and for a dark screen, with the contrast of the page's own colours (WCAG 2.2, 1.4.3). Throws if white letters
 * on the colour would not be readable.
 */
export function accentOf(colour: string): Accent {
  const readable = contrast(white, colour);
  if (readable < least)
    throw new Error(
      `is too pale: white letters on it have a contrast of ${readable.toFixed(1)} to 1, but need ${least}. Choose a darker colour`,
    );
  let lead = colour.toLowerCase();
  for (
    let share = 0;
    contrast(lead, dark.surface) < least || contrast(lead, dark.onLead) < least;
    share += 0.05
  ) {
    lead = mixed(white, colour, share);
  }
  return {
    light: { lead: colour.toLowerCase(), tint: mixed(colour, light.surface, light.tinted) },
    dark: { lead, tint: mixed(lead, dark.ground, dark.tinted) },
  };
}

const partsOf = (colour: string): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

function mixed(one: string, other: string, share: number): string {
  const others = partsOf(other);
  const parts = partsOf(one).map((part, at) => Math.round(part * share + (others[at] ?? 0) * (1 - share)));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** WCAG 2.2, "contrast ratio" and "relative luminance". */
function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = partsOf(colour).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
