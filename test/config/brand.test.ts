/** `kiosk.brand` and the words beside it: what may be shown to people, and what is a mistake at its key. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { accentOf } from '../../src/config/brand/brand.ts';
import { chunk, pngOf } from '../support/printer/png-writer.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const png = pngOf({ width: 2, height: 2, kind: 2, bits: 8, lines: Buffer.alloc(12, 90) });
const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4">${inside}</svg>`;
const inkscape = `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
${svg('<style>.a { fill: url(#g) }</style><defs><linearGradient id="g"/></defs><use href="#b"/><path class="a" d="M0 0h4v4z"/>')}
`;

/** Of a file with these keys under `kiosk`, and a logo beside it. */
function loaded(kiosk: object, logo?: string | Buffer) {
  using directory = temporaryDirectory();
  const file = join(directory.path, 'platen.yaml');
  const cloud = { baseUrl: 'https://a.example', authUrl: 'https://b.example', apiKey: 'key' };
  writeFileSync(file, JSON.stringify({ cloud, kiosk }));
  if (logo !== undefined) writeFileSync(join(directory.path, 'logo'), logo);
  return loadConfig(file, {}).kiosk;
}
const withLogo = (logo: string | Buffer) => loaded({ brand: { logo: 'logo' } }, logo).brand?.logo;

it('takes a logo that draws, PNG or SVG', () => {
  expect(withLogo(png)).toEqual({ type: 'image/png', base64: png.toString('base64') });
  expect(withLogo(inkscape)?.type).toBe('image/svg+xml');
  expect(withLogo(svg('<text>On = off</text><path d="M0 0"/>'))?.type).toBe('image/svg+xml');
});

const damaged = Buffer.from(png);
damaged[damaged.length - 20] = (damaged.at(-20) ?? 0) ^ 1;

it.each<[what: string, logo: string | Buffer | (() => Buffer), mistake: string]>([
  ['no picture', 'Our logo', 'is not a picture: it must be an SVG or a PNG'],
  ['another picture', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), 'is not a picture'],
  ['a page', '<html><svg xmlns="http://www.w3.org/2000/svg"></svg></html>', 'is not a picture'],
  ['nothing', '', 'is not a picture'],
  ['40 MB', () => Buffer.alloc(40_000_000), 'is larger than 256 KiB'],
  ['a PNG cut off', png.subarray(0, -5), 'is an incomplete PNG'],
  ['a PNG whose bits have changed', damaged, 'is a damaged PNG'],
  ['a PNG that unpacks to a bomb', bombOf, 'is a damaged PNG'],
  ['a PNG of 65535 lines', hugeOf, 'has more than 4 million pixels'],
  ['an SVG cut off', svg('<path/>').slice(0, -4), 'is an incomplete SVG'],
  ['a script', svg('<script>alert(1)</script>'), 'contains a script'],
  ['a script by another name', svg('<s:script xmlns:s="http://www.w3.org/2000/svg"/>'), 'contains a script'],
  ['a script at an event', svg('<path onload="alert(1)"/>'), 'contains a script'],
  ['a script in a link', svg('<a href="java&#10;script:alert(1)"><path/></a>'), 'from elsewhere'],
  ['a script in a value', svg('<set attributeName="x" to="javascript:alert(1)"/>'), 'contains a script'],
  ['HTML', svg('<foreignObject><p/></foreignObject>'), 'contains a page of HTML'],
  ['a picture from elsewhere', svg('<image href="https://a.example/x.png"/>'), 'from elsewhere'],
  ['a paint from elsewhere', svg('<path fill="url(https://a.example/x#y)"/>'), 'from elsewhere'],
  ['a style sheet from elsewhere', svg('<style>@import "https://a.example/x"</style>'), 'from elsewhere'],
  ['entities', `<!DOCTYPE svg [<!ENTITY a "b">]>${svg('&a;')}`, 'is not a picture'],
])('refuses as a logo %s', (_what, given, mistake) => {
  const logo = typeof given === 'function' ? given() : given;
  expect(() => withLogo(logo)).toThrow(mistake);
  expect(() => withLogo(logo)).toThrow('kiosk.brand.logo');
});

it('says which logo is not there', () => {
  expect(() => loaded({ brand: { logo: 'logo' } })).toThrow(
    /kiosk\.brand\.logo: cannot read .*logo \(ENOENT\)/,
  );
});

it.each([
  [
    { brand: { colour: '#ffe000' } },
    /kiosk\.brand\.colour: is too pale: .* contrast of 1\.\d to 1, but need 4\.5/,
  ],
  [{ brand: { colour: 'green' } }, /kiosk\.brand\.colour: must be # and six hexadecimal digits/],
  [{ brand: { color: '#0f5b52' } }, /kiosk\.brand/],
  [{ brand: { idle: { xx: 'Welcome' } } }, /kiosk\.brand\.idle/],
  [{ brand: { idle: {} } }, /kiosk\.brand\.idle: must contain a text in at least one language/],
  [{ brand: { idle: { en: 'x'.repeat(161) } } }, /kiosk\.brand\.idle\.en: must be at most 160 characters/],
  [{ howToSend: { en: 'a\u0007b' } }, /kiosk\.howToSend\.en: must contain only text/],
  [{ languages: ['en', 'nl'] }, /kiosk\.languages\[1\]: must be en or de or fr or es or ja or ar/],
  [{ languages: ['en', 'en'] }, /kiosk\.languages: must name each language only once/],
  [{ languages: [] }, /kiosk\.languages/],
])('%j is a mistake', (kiosk, mistake) => {
  expect(() => loaded(kiosk)).toThrow(mistake);
});

it('takes what is meant well', () => {
  const kiosk = {
    brand: { name: 'City library', colour: '#7A1F5C', idle: { en: 'Welcome', ja: 'ようこそ' } },
    languages: ['de', 'en'],
    howToSend: { en: 'Send it to print@example.org\nor from the app.' },
    bigButtons: true,
  };
  expect(loaded(kiosk)).toMatchObject(kiosk);
});

const steps = [0, 51, 102, 153, 204, 255];
const colours = steps.flatMap((red) =>
  steps.flatMap((green) =>
    steps.map((blue) => `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`),
  ),
);
const isReadable = (colour: string): boolean => contrast('#ffffff', colour) >= 4.5;

it('makes of a colour one for a dark screen, and grounds on which all is read (WCAG 2.2, 1.4.3)', () => {
  const taken = colours.filter(isReadable);
  expect(taken.length).toBeGreaterThan(50);
  const wrong = taken.flatMap((colour) => {
    const { light, dark } = accentOf(colour);
    const pairs: readonly [string, string, number][] = [
      ['#ffffff', light.lead, 4.5],
      [light.lead, '#faf5ec', 3],
      ['#2b2520', light.tint, 7],
      ['#645a50', light.tint, 4.5],
      ['#8a4b00', light.tint, 4.5],
      ['#0e1f1c', dark.lead, 4.5],
      [dark.lead, '#1d1a17', 3],
      ['#f6eee3', dark.tint, 7],
      ['#c3b6a7', dark.tint, 4.5],
      ['#f2bf74', dark.tint, 4.5],
    ];
    return pairs
      .filter(([one, other, least]) => contrast(one, other) < least)
      .map((pair) => [colour, ...pair]);
  });
  expect(wrong).toEqual([]);
});

it('takes no colour that is too pale for white letters', () => {
  const pale = colours.filter((colour) => !isReadable(colour));
  for (const colour of pale) expect(() => accentOf(colour)).toThrow('is too pale');
});

/** By the formula of the standard. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string): number => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Small, and far more than its pixels when it is unpacked. */
function bombOf(): Buffer {
  const bomb = chunk('IDAT', deflateSync(Buffer.alloc(60_000_000)));
  return pngOf({ width: 2, height: 2, kind: 2, bits: 8, lines: Buffer.alloc(0), between: [bomb] });
}

function hugeOf(): Buffer {
  return pngOf({ width: 65_535, height: 65_535, kind: 0, bits: 1, lines: Buffer.alloc(8) });
}
