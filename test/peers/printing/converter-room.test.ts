/** `systemd/converter-room` makes of the words on the wire what the other rooms are told, and nothing of other words. */
import fc from 'fast-check';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import type { Conversion, RasterType } from '../../../src/domain/ports/printing.ts';
import {
  arranged,
  becomingPdf,
  pageCount,
  rendered,
} from '../../../src/printing/conversion/conversion-commands.ts';
import type { Recipe } from '../../../src/printing/conversion/conversion-commands.ts';
import { objectListing } from '../../../src/printing/conversion/contents/pdf-objects.ts';
import { fontsSeen } from '../../../src/printing/conversion/contents/missing-fonts.ts';
import { isRaster, rasterTypes } from '../../../src/printing/conversion/raster-abilities.ts';
import { startInUnit } from '../../../src/printing/conversion/unit-room.ts';
import { formats } from '../../../src/printing/document-format.ts';
import type { PictureSteps } from '../../../src/printing/preview/picture-commands.ts';
import { pictureSteps } from '../../../src/printing/preview/picture-commands.ts';
import { taskOf } from '../../contracts/sandbox.ts';
import { needsPeer } from '../../support/needs.ts';
import { temporaryDirectory } from '../../support/printer/samples.ts';
import { conversion, writtenPrograms } from '../../support/printer/conversion-samples.ts';
import type { UnitStage } from '../../support/printer/converter-unit.ts';
import { startUnit } from '../../support/printer/converter-unit.ts';

const conversions: fc.Arbitrary<Conversion> = fc
  .record({
    format: fc.constantFrom(
      ...[formats.pdf, formats.postscript, formats.pclXl, formats.pcl, formats.pwgRaster, formats.urf],
    ),
    color: fc.constantFrom('as-is', 'grey'),
    sides: fc.constantFrom(undefined, 'one-sided', 'two-sided-long-edge', 'two-sided-short-edge'),
    rasterType: fc.constantFrom(...(Object.keys(rasterTypes) as RasterType[])),
    backs: fc.option(fc.record({ crossFeed: fc.constantFrom(1, -1), feed: fc.constantFrom(1, -1) }), {
      nil: undefined,
    }),
    resolution: fc.integer({ min: 72, max: 2400 }),
    media: fc.constantFrom(undefined, 'iso_a4_210x297mm', 'na_letter_8.5x11in', 'iso_a3_297x420mm'),
  })
  .map(({ rasterType, ...facts }) =>
    conversion({
      ...facts,
      ...(facts.format === formats.pcl ? { color: 'grey' } : {}),
      ...(isRaster(facts.format) ? { rasterType } : {}),
    }),
  );

const pictures: fc.Arbitrary<Recipe> = fc
  .record({
    format: fc.constantFrom(formats.pdf, formats.postscript, formats.jpeg, formats.text),
    page: fc.integer({ min: 1, max: 5000 }),
    paperSize: fc.constantFrom(undefined, 'A4', 'Letter'),
    isFirst: fc.boolean(),
  })
  .map(({ format, isFirst, ...wanted }) => {
    const { before, last } = pictureSteps(format, wanted) as PictureSteps;
    return isFirst && before ? before : last;
  });

const recipes: fc.Arbitrary<Recipe> = fc.oneof(
  fc.constantFrom(pageCount, objectListing, fontsSeen),
  pictures,
  fc
    .tuple(fc.constantFrom(formats.postscript, formats.png, formats.text), conversions)
    .map(([format, wanted]) => becomingPdf(format, wanted) as Recipe),
  conversions.map(rendered),
  fc
    .array(fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.constant('blank' as const)), {
      minLength: 1,
      maxLength: 40,
    })
    .map((order) => arranged(order, 'an empty page')),
);

/** Programs that tell their own name and what they are told, a word a line, files without their folder. */
const telling = `for word in "\${0##*/}" "$@"; do
  case $word in *"$TMPDIR"/*) word="\${word%%"$TMPDIR"/*}\${word#*"$TMPDIR"/}" ;; esac
  echo "$word"
done`;

interface Answered {
  readonly words: readonly string[];
  readonly status: number;
}

async function answered(socket: string, recipe: Pick<Recipe, 'words' | 'beside'>): Promise<Answered> {
  const { document } = taskOf(Buffer.from('a document'));
  await using running = startInUnit({ recipe, document, socket, chance: systemChance });
  let output = '';
  for await (const chunk of running.output) output += chunk.toString();
  return { words: output.split('\n').slice(0, -1), status: await running.status() };
}

async function tellingUnit(): Promise<UnitStage> {
  const folder = temporaryDirectory();
  writtenPrograms(folder, telling);
  // Those of the call before may be about to end.
  return startUnit({ programs: folder, limits: { processes: 64 } });
}

needsPeer('systemd-socket-activate', 'systemd')('the room of the unit', () => {
  it('tells the programs what the rooms that are made here tell them', async () => {
    await using unit = await tellingUnit();
    await fc.assert(
      fc.asyncProperty(recipes, async (recipe) => {
        const name = { ghostscript: 'gs', qpdf: 'qpdf' }[recipe.program];
        const words = recipe.arguments({ document: 'document', beside: 'beside' });
        expect(await answered(unit.socket, recipe)).toEqual({ words: [name, ...words], status: 0 });
      }),
      { numRuns: 25 },
    );
  });

  it('starts nothing for words that are no recipe (T17, T18)', async () => {
    await using unit = await tellingUnit();
    const words: readonly (readonly string[])[] = [
      ['sh'],
      ['gs', '-sOutputFile=/room/x'],
      ['to-pdf', '-sOutputFile=x'],
      ['to-pdf', '1'],
      ['to-pdf', '1', '-dNOSAFER'],
      ['picture'],
      ['picture', '-1'],
      ['picture', '1', '595'],
      ['picture', '1', '595', 'showpage'],
      ['count', '1'],
      ['objects', '--json-stream-data=inline'],
      ['fonts', '1'],
      ['draw', '595'],
      ['draw', '595', '842', '-dNOSAFER'],
      ['draw', '595', '-842'],
      ['arrange'],
      ['arrange', '--replace-input'],
      ['arrange', '1', '@document'],
      ['arrange', 'sideways', '1'],
      ['render', 'x11', 'as-is', 'one-sided', '300', '1', '1'],
      ['render', 'pwgraster', 'srgb_9', 'one-sided', '300', '1', '1'],
      ['render', 'pdfwrite', 'srgb_8', 'one-sided', '300', '1', '1'],
      ['render', 'pwgraster', 'srgb_8', 'one-sided', '300'],
      ['render', 'pwgraster', 'srgb_8', 'one-sided', '300', '1', '1', 'pt', '595'],
      ['render', 'pwgraster', 'srgb_8', 'one-sided', '-dNOSAFER', '1', '1'],
      ['render', 'pwgraster', 'srgb_8', 'one-sided', '300', '1', 'showpage'],
      ['render', 'pwgraster', 'srgb_8', 'one-sided', '300', '2', '1'],
      ['render', 'pwgraster', 'srgb_8', 'one-sided', '300', '1', '1', 'cm', '595', '842', 'x'],
      ['render', 'pwgraster', 'srgb_8', 'one-sided', '300', '1', '1', 'pt', '595', '842', 'x -dNOSAFER'],
      ['render', 'pwgraster', 'srgb_8', 'one-sided', '300', '1', '1', 'pt', '595', '842', '$(id)'],
      ['render', 'pwgraster', 'srgb_8', '*', '300', '1', '1'],
    ];
    for (const these of words) {
      expect([these, await answered(unit.socket, { words: these })]).toEqual([
        these,
        { words: [], status: 65 },
      ]);
    }
  });

  it.each([
    ['', ''],
    ['a line without octets', 'abc\n'],
    ['a word that is none', 'ABC; 0 0 count\n'],
    ['octets that are none', 'abc 0 -1 count\n'],
    ['octets with a sum', 'abc 0 1+1 count\nab'],
    ['less of a document than it was told', 'abc 0 99 count\nonly this'],
  ])('hangs up on %s, and says nothing', async (_, said) => {
    await using unit = await tellingUnit();
    const call = connect(unit.socket);
    call.end(said);
    // What it did not read makes it a reset.
    expect(await call.toArray().catch(() => [])).toEqual([]);
  });
});
