/**
 * Looks inside a document for the beginning of another document in another language. Without a UEL too, a printer may
 * look for a language at the first octets after the end of a PDF (ISO 32000-1 section 7.5.5). It may do so after Ctrl-D
 * (PLRM 3, section 3.7.7) and after the reset of PCL (PCL 5 Technical Reference, "Printer Reset"). `pjl-guard.ts`
 * handles beginnings after a UEL.
 */
import { formats } from './document-format.ts';
import { isFilling } from './pjl-guard.ts';

export interface SecondBeginning {
  see(octets: Buffer): void;
  /** Whether another language than this one has begun. */
  isOtherThan(format: string): boolean;
}

type Beginning = readonly [RegExp, string];

const always: readonly Beginning[] = [
  [/^%PDF-/, formats.pdf],
  [/^\) HP-PCL XL/, formats.pclXl],
  [/^@PJL/i, 'PJL'],
];

/** Pixels contain two given octets by chance, so a shorter end needs a longer beginning. */
const ends: readonly { readonly mark: Buffer; readonly beginnings: readonly Beginning[] }[] = [
  {
    mark: Buffer.from('%%EOF'),
    beginnings: [...always, [/^%!/, formats.postscript], [/^\u001b(E|%0|&l)/, formats.pcl]],
  },
  { mark: Buffer.from('\u001bE'), beginnings: [...always, [/^%![P\s%]/i, formats.postscript]] },
  { mark: Buffer.from('\u0004'), beginnings: [...always, [/^%!PS/i, formats.postscript]] },
];
const longestMark = 5;
const longestBeginning = 11;
const mayBegin = Uint8Array.from({ length: 256 }, (_, octet) =>
  '%)@\u001b'.includes(String.fromCharCode(octet)) ? 1 : 0,
);

/** This many octets at a time are joined to the kept ones. */
const portion = 64 * 1024;

export function secondBeginning(): SecondBeginning {
  const met = new Set<string>();
  /** Octets that may become an end or a beginning together with the next octets. */
  let seam: Buffer = Buffer.alloc(0);

  function look(octets: Buffer): void {
    const part = hasEndIn(seam, octets) ? Buffer.concat([seam, octets]) : octets;
    seam = endOf(seam, octets);
    for (const { mark, beginnings } of ends) {
      for (let at = part.indexOf(mark); at >= 0; at = part.indexOf(mark, at + 1)) {
        const begin = afterFilling(part, at + mark.length);
        if (mayBegin[part[begin] ?? 0] === 1) {
          const head = part.toString('latin1', begin, begin + longestBeginning);
          for (const [beginning, format] of beginnings) if (beginning.test(head)) met.add(format);
        }
        // The end mark is enough, however much filling follows it.
        if (part.length - begin < longestBeginning) seam = Buffer.concat([mark, part.subarray(begin)]);
      }
    }
  }

  return {
    see(octets) {
      for (let at = 0; at < octets.length; at += portion) look(octets.subarray(at, at + portion));
    },
    isOtherThan: (format) => [...met].some((one) => one !== format),
  };
}

/**
 * Whether a mark begins in the seam and ends in the octets. That is very rare, and otherwise no octet need be copied.
 */
function hasEndIn(seam: Buffer, octets: Buffer): boolean {
  if (seam.length === 0) return false;
  const joint = Buffer.concat([seam, octets.subarray(0, longestMark - 1)]);
  return ends.some(({ mark }) => {
    const at = joint.indexOf(mark);
    return at >= 0 && at < seam.length;
  });
}

function endOf(seam: Buffer, octets: Buffer): Buffer {
  const last = longestMark - 1;
  if (octets.length >= last) return Buffer.from(octets.subarray(octets.length - last));
  const both = Buffer.concat([seam, octets]);
  return both.subarray(Math.max(0, both.length - last));
}

function afterFilling(octets: Buffer, from: number): number {
  let at = from;
  while (at < octets.length && isFilling(octets[at])) at += 1;
  return at;
}
