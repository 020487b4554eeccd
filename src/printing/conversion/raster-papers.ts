/**
 * How large a page of pixels may be: no larger than a paper that the printer lists. Of what is larger printers cut a part
 * off, or give the job up; a label printer lists labels, and no A4 (LPrint).
 */
import type { Attribute } from '../../ipp/message.ts';
import { strings } from '../../ipp/message.ts';
import type { Size } from '../media.ts';
import { mediaDimensions } from '../media.ts';

/** Names of PWG 5101.1. In the first one somebody prints who knows nothing better: what is ready, else the largest. */
export function rasterPapers(attributes: readonly Attribute[]): readonly string[] {
  const listed = strings(attributes, 'media-supported').toSorted((one, other) => rank(other) - rank(one));
  return [...new Set([...strings(attributes, 'media-ready'), ...listed])].filter(
    (name) => mediaDimensions(name) !== undefined,
  );
}

/** By its area; the limits of what can be set (`custom_max_…`) are no paper that lies somewhere. */
function rank(name: string): number {
  const { width, height } = mediaDimensions(name) ?? { width: 0, height: 0 };
  return name.startsWith('custom_') ? -1 / (1 + width * height) : width * height;
}

/** Every page is made to fit it: the wanted one, as long as some paper is as large. */
export function rasterPaper(wanted: string | undefined, papers: readonly string[]): string | undefined {
  const size = wanted === undefined ? undefined : mediaDimensions(wanted);
  return size && !fitsOnOne(size, papers) ? papers[0] : wanted;
}

/** In hundredths of a millimetre; where nothing is listed everything fits. */
export const fitsOnOne = (size: Size, papers: readonly string[]): boolean =>
  papers.length === 0 || papers.some((name) => fitsOn(size, mediaDimensions(name)));

/** Pixels are whole. */
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
