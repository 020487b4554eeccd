/**
 * Documents whose letters are not here (ISO 32000-1, section 9.7): by pixels beside MuPDF where Ghostscript has them, and
 * refused where it has not. Its font for East Asia is lent or taken away in a namespace of the test.
 */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scriptsMissing } from '../../../src/printing/conversion/contents/missing-fonts.ts';
import type { Sandbox } from '../../../src/printing/conversion/sandbox.ts';
import {
  bytesOf,
  conversion,
  converterForTest,
  sandboxWith,
} from '../../support/printer/conversion-samples.ts';
import { pdfOf } from '../../support/printer/pdf-writer.ts';
import type { Picture } from '../../support/printer/picture.ts';
import { strayInk } from '../../support/printer/picture.ts';
import { spooled, temporaryDirectory } from '../../support/printer/samples.ts';
import { needsPeer } from '../../support/needs.ts';
import { withoutLimit } from '../../support/patience.ts';
import { coarse, raster } from './converted-pages.ts';
import { pagesOf } from './raster-reader.ts';
import { seenByMupdf } from './second-eye.ts';

const wide = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex');

const withFont = (font: string, hex: string): Buffer =>
  pdfOf([
    {
      entries: '/MediaBox[0 0 595 842]',
      content: `BT /T 60 Tf 60 600 Td <${hex}> Tj ET`,
      fonts: `/T${font}`,
    },
  ]);

const descriptor = (name: string) =>
  `/FontDescriptor<</Type/FontDescriptor/FontName/${name}/Flags 4/FontBBox[0 -120 1000 880]/ItalicAngle 0/Ascent 880/Descent -120/CapHeight 700/StemV 80>>`;

const composite = (name: string, ordering: string, cmap: string): string =>
  `<</Type/Font/Subtype/Type0/BaseFont/${name}-${cmap}/Encoding/${cmap}/DescendantFonts[<</Type/Font/Subtype/CIDFontType0` +
  `/BaseFont/${name}/CIDSystemInfo<</Registry(Adobe)/Ordering(${ordering})/Supplement 0>>/DW 1000${descriptor(name)}>>]>>`;

const simple = (name: string, encoding: string): string =>
  `<</Type/Font/Subtype/TrueType/BaseFont/${name}${encoding}/FirstChar 65/LastChar 67/Widths[600 600 600]${descriptor(name)}>>`;

const named = (...letters: readonly string[]) =>
  `/Encoding<</Type/Encoding/BaseEncoding/WinAnsiEncoding/Differences[65${letters.map((one) => `/${one}`).join('')}]>>`;

const eastAsian: readonly (readonly [string, Buffer])[] = [
  ['Japanese', withFont(composite('HeiseiMin-W3', 'Japan1', 'UniJIS-UCS2-H'), wide('日本語の文字'))],
  ['simplified Chinese', withFont(composite('STSong-Light', 'GB1', 'UniGB-UCS2-H'), wide('简体中文'))],
  ['traditional Chinese', withFont(composite('MSung-Light', 'CNS1', 'UniCNS-UCS2-H'), wide('繁體中文'))],
  ['Korean', withFont(composite('HYSMyeongJo-Medium', 'Korea1', 'UniKS-UCS2-H'), wide('한국어'))],
];

const never: readonly (readonly [string, Buffer])[] = [
  ['Arabic, by numbers of its font', withFont(composite('Arial', 'Identity', 'Identity-H'), wide('العربية'))],
  ['Hebrew, by numbers of its font', withFont(composite('David', 'Identity', 'Identity-H'), wide('עברית'))],
  [
    'Devanagari, by numbers of its font',
    withFont(composite('Mangal', 'Identity', 'Identity-H'), wide('देवनागरी')),
  ],
  [
    'Arabic, by names',
    withFont(simple('TraditionalArabic', named('afii57415', 'afii57416', 'afii57417')), '414243'),
  ],
  ['Hebrew, by names', withFont(simple('David', named('afii57664', 'uni05D1', 'afii57666')), '414243')],
  ['Devanagari, by names', withFont(simple('Mangal', named('uni0915', 'uni0916', 'uni0917')), '414243')],
  ['Devanagari in Latin places', withFont(simple('KrutiDev010', '/Encoding/WinAnsiEncoding'), '414243')],
  ['Thai, by names', withFont(simple('AngsanaUPC', named('uni0E01', 'uni0E02', 'uni0E03')), '414243')],
  ['letters without names', withFont(simple('Frob', named('g1', 'g2', 'g3')), '414243')],
  ['pictures', withFont(simple('Wingdings', ''), '414243')],
];

const printed: readonly (readonly [string, Buffer])[] = [
  [
    'the standard fonts',
    pdfOf([
      {
        entries: '/MediaBox[0 0 595 842]',
        content: 'BT /F0 40 Tf 60 600 Td (Plain) Tj /F3 40 Tf (ab) Tj /F4 40 Tf (ab) Tj ET',
      },
    ]),
  ],
  ['a Latin font', withFont(simple('FooSans', '/Encoding/WinAnsiEncoding'), '414243')],
  [
    'Cyrillic and Greek, by names',
    withFont(simple('Arial', named('afii10017', 'uni0411', 'Omega')), '414243'),
  ],
];

const sandboxAway = (): Sandbox => {
  const ghostscript = join(temporaryDirectory(), 'gs');
  writeFileSync(ghostscript, '#!/bin/sh\nexec gs -sCIDFSubstPath=/nowhere/ "$@"\n');
  chmodSync(ghostscript, 0o755);
  chmodSync(join(ghostscript, '..'), 0o755);
  return sandboxWith({ programs: { ghostscript, qpdf: 'qpdf' } });
};

async function pageOf(document: Buffer, sandbox: Sandbox): Promise<Picture> {
  const converter = await converterForTest({ sandbox });
  using made = await converter.convert(await spooled(document), conversion(raster(coarse)), withoutLimit());
  return pagesOf(await bytesOf(made))[0] as Picture;
}

const refused = { code: 'document-not-convertible', need: 'letters' };

/** Its ink in the pixels of another renderer, whose font may be another one of the same letters. */
async function expectLikeMupdf(document: Buffer, most: number): Promise<void> {
  const [[seen] = []] = await seenByMupdf([document], coarse);
  expect(strayInk(await pageOf(document, sandboxWith()), seen?.() as Picture)).toBeLessThan(most);
}

needsPeer('gs', 'ghostscript')('Ghostscript', () => {
  needsPeer('mutool', 'mupdf-tools')('beside MuPDF', () => {
    describe('without its font for East Asia', () => {
      it.each(eastAsian)('prints nothing of %s', async (_, document) => {
        await expect(pageOf(document, sandboxAway())).rejects.toMatchObject(refused);
      });

      it('says which scripts it lacks', async () => {
        expect((await scriptsMissing(sandboxAway(), withoutLimit())).map(({ script }) => script)).toEqual(
          eastAsian.map(([script]) => script),
        );
      });

      it.each(printed)('prints %s as before', async (_, document) => {
        expect(strayInk(await pageOf(document, sandboxAway()), await pageOf(document, sandboxWith()))).toBe(
          0,
        );
      });
    });

    it.each(never)('%s is refused, and nothing is printed', async (_, document) => {
      await expect(pageOf(document, sandboxWith())).rejects.toMatchObject(refused);
    });

    it.each(printed)('%s has the letters that MuPDF draws', async (_, document) => {
      await expectLikeMupdf(document, 0.4);
    });

    const droid = '/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf';
    needsPeer(droid, 'fonts-droid-fallback')('with its font for East Asia', () => {
      it.each(eastAsian.slice(0, 3))('%s has the letters that MuPDF draws', async (_, document) => {
        await expectLikeMupdf(document, 0.4);
      });

      it('lacks none but Korean, which another one has', async () => {
        const missing = await scriptsMissing(sandboxWith(), withoutLimit());
        expect(missing.filter(({ script }) => script !== 'Korean')).toEqual([]);
      });
    });
  });
});
