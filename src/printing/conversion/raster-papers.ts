/**
 * The limit for the size of a page of pixels: no larger than a paper that the printer lists. If a page is larger,
 * printers cut off a part or give up the job. A label printer lists labels and no A4 (LPrint).
 */
import type { Attribute } from '../../ipp/message.ts';
import { strings } from '../../ipp/message.ts';
import type { Size } from '../media.ts';
import { mediaDimensions } from '../media.ts';

/** Names of PWG 5101.1. The first is the fallback: a ready paper, otherwise the largest. */
export function rasterPapers(attributes: readonly Attribute[]): readonly string[] {
  const listed = strings(attributes, 'media-supported').toSorted((one, other) => rank(other) - rank(one));
  return [...new Set([...strings(attributes, 'media-ready'), ...listed])].filter(
    (name) => mediaDimensions(name) !== undefined,
  );
}

/** Ranks by area. The limits of adjustable sizes (`custom_max_…`) are not real papers, so they come last. */
function rank(name: string): number {
  const { width, height } = mediaDimensions(name) ?? { width: 0, height: 0 };
  return name.startsWith('custom_') ? -1 / (1 + width * height) : width * height;
}

/** Every page is fitted to this paper: the wanted paper, if some paper is as large. */
export function rasterPaper(wanted: string | undefined, papers: readonly string[]): string | undefined {
  const size = wanted === undefined ? undefined : mediaDimensions(wanted);
  return size && !fitsOnOne(size, papers) ? papers[0] : wanted;
}

/** In hundredths of a millimetre. If no paper is listed, everything fits. */
export const fitsOnOne = (size: Size, papers: readonly string[]): boolean =>
  papers.length === 0 || papers.some((name) => fitsOn(size, mediaDimensions(name)));

/** Tolerance, because pixels are whole numbers. */
const slack = 50;

function fitsOn(page: Size, paper: Size | undefined): boolean {
  if (paper === undefined) return false;
  const [short, long] = inOrder(page);
  const [narrow, wide] = inOrder(paper);
  return short <= narrow + slack && long <= wide + slack;
}

const inOrder = ({ width, height }: Size): readonly [number, number] => [
  Math.min(width, height),
  Math.max(width, height),
];
