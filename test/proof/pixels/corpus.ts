/** Documents of every kind of page, each made for one thing that a printer may get wrong. */
import { annotated } from './corpus-annotations.ts';
import { boxed } from './corpus-boxes.ts';
import { colored } from './corpus-colors.ts';
import { drawn } from './corpus-drawing.ts';
import { lettered } from './corpus-letters.ts';
import { packedImages } from './corpus-packed.ts';

export interface Sample {
  readonly name: string;
  readonly pdf: Buffer;
  /** Whoever draws it likewise; MuPDF, unless said. */
  readonly beside?: 'poppler';
}

export const corpus: readonly Sample[] = [
  ...boxed,
  ...annotated,
  ...drawn,
  ...lettered,
  ...colored,
  ...packedImages,
];

/** Neighbours are of a kind: the gate has each third, the campaign all (test/campaign/pixels.ts). */
export const compared: readonly Sample[] =
  process.env['PLATEN_PIXELS'] === 'all' ? corpus : corpus.filter((_, index) => index % 3 === 0);
