/**
 * Examines a document by its format while it comes in, without parsing it. As far as its last octets show, it must be
 * whole. As far as its plain octets show, it must have a real page and not only one that asks for another program.
 * Nothing is guessed: PostScript has no end mark that all writers use, and a page tree may be packed.
 */
import { Problem } from '../domain/problem/problem.ts';
import { formats, holdsTextCommand, isPrintable } from './document-format.ts';

export interface Examination {
  /** Throws `document-not-printable` if the document turns out to be of another kind. */
  see(octets: Buffer): void;
  /** Called after all octets; throws `document-damaged`. */
  end(): void;
}

export function examinationOf(format: string): Examination {
  const kind = examinations[format];
  return { ...nothing, ...kind?.() };
}

const nothing: Examination = { see() {}, end() {} };

const examinations: Readonly<Record<string, () => Partial<Examination>>> = {
  [formats.pdf]: examinePdf,
  [formats.png]: () => endingIn(['IEND'], 'a picture without its end'),
  // PWG 5102.4 section 4; `raster-stream.ts` draws both formats.
  [formats.pwgRaster]: () => longerThan(4 + 1796, 'raster without a page'),
  // Twelve octets of file header, 32 octets of page header.
  [formats.urf]: () => longerThan(12 + 32, 'raster without a page'),
  [formats.text]: examineText,
};

const damaged = (why: string) => new Problem('document-damaged', `the document is ${why}`);

/** Adobe's readers look for the end in the last 1024 octets (PDF Reference, sixth edition, appendix H, note 18). */
const endOctets = 4096;

function tailOf(most: number) {
  let tail = Buffer.alloc(0);
  return {
    see(octets: Buffer) {
      const rest = octets.length >= most ? octets : Buffer.concat([tail, octets]);
      tail = Buffer.from(rest.subarray(Math.max(0, rest.length - most)));
    },
    text: () => tail.toString('latin1'),
  };
}

function endingIn(marks: readonly string[], why: string): Partial<Examination> {
  const tail = tailOf(endOctets);
  return {
    see: tail.see,
    end() {
      if (!marks.some((mark) => tail.text().includes(mark))) throw damaged(why);
    },
  };
}

function longerThan(octets: number, why: string): Partial<Examination> {
  let length = 0;
  return {
    see(more) {
      length += more.length;
    },
    end() {
      if (length <= octets) throw damaged(why);
    },
  };
}

/**
 * A page has a dictionary of the type Page, and its content is its Contents (ISO 32000-1 table 30). Both may be hidden
 * in an object stream (section 7.5.7), which is not unpacked here.
 */
const pageWords = ['/Page', '/Contents', '/ObjStm'].map((word) => Buffer.from(word));
const wordSeam = 16;

function examinePdf(): Partial<Examination> {
  const tail = tailOf(endOctets);
  const catalog = catalogSeen();
  let mayHavePages = false;
  let isLinearized = false;
  let seam = Buffer.alloc(0);
  let isFirst = true;

  function lookForPages(octets: Buffer): void {
    const across = Buffer.concat([seam, octets.subarray(0, wordSeam)]);
    mayHavePages = [across, octets].some((part) => pageWords.some((word) => holdsWord(part, word)));
    const end = octets.length < wordSeam ? across : octets;
    seam = Buffer.from(end.subarray(Math.max(0, end.length - wordSeam)));
  }

  return {
    see(octets) {
      if (isFirst) isLinearized = octets.subarray(0, endOctets).includes('/Linearized');
      isFirst = false;
      if (!mayHavePages) lookForPages(octets);
      catalog.see(octets);
      tail.see(octets);
    },
    end() {
      // The first part of a linearized file also has an end, with a 0 (ISO 32000-1 annex F.3.4).
      const text = isLinearized ? tail.text().replace(/startxref\s+0\s+%%EOF/g, '') : tail.text();
      if (!/startxref|%%EOF/.test(text)) throw damaged('a PDF without its end');
      if (!mayHavePages) throw damaged('a PDF without a page');
      catalog.end(text);
    },
  };
}

/** The octets before and behind the type of a catalogue that are searched for its other entries. */
const catalogOctets = 4096;

/**
 * The catalogue, if it is not packed (ISO 32000-1 table 28). The catalogue that the trailer names counts, because an
 * attached document has one too. Conversion examines more (conversion/contents/pdf-objects.ts).
 */
function catalogSeen() {
  const found = new Map<string, string>();
  let kept = Buffer.alloc(0);
  let pages = 0;
  let isPacked = false;
  return {
    see(octets: Buffer) {
      const all = Buffer.concat([kept, octets]);
      for (let at = all.indexOf('/Catalog'); at >= 0; at = all.indexOf('/Catalog', at + 1)) {
        const before = all.toString('latin1', Math.max(0, at - catalogOctets), at);
        const [number, begun = ''] = before.split(/(\d+ \d+) obj\b/).slice(-2);
        const [rest = ''] = all.toString('latin1', at, at + catalogOctets).split('endobj');
        if (number !== undefined && !begun.includes('endobj')) found.set(number, begun + rest);
      }
      for (let at = 0; pages < 2 && at >= 0; at = octets.indexOf('/Page', at + 1)) {
        if (holdsWord(octets.subarray(at, at + wordSeam), Buffer.from('/Page'))) pages += 1;
      }
      isPacked ||= octets.includes('/ObjStm');
      kept = Buffer.from(all.subarray(Math.max(0, all.length - 2 * catalogOctets)));
    },
    /** Throws `document-placeholder`. */
    end(text: string) {
      const root = [...text.matchAll(/\/Root\s+(\d+ \d+) R/g)].at(-1)?.[1] ?? [...found.keys()].at(-1) ?? '';
      const catalog = found.get(root) ?? '';
      if (/\/NeedsRendering\s+true\b/.test(catalog) && catalog.includes('/AcroForm')) {
        throw new Problem('document-placeholder', 'other programs make its pages of its form (XFA)');
      }
      const isCover =
        /\/Collection\b/.test(catalog) && !/\/View\s*\/H\b/.test(catalog) && pages < 2 && !isPacked;
      if (isCover) throw new Problem('document-placeholder', 'its page is the cover of others (portfolio)');
    },
  };
}

/** `/Pages`, `/PageMode` and similar are other words. A word at the very end of the part counts in the next part. */
function holdsWord(part: Buffer, word: Buffer): boolean {
  for (let at = part.indexOf(word); at >= 0; at = part.indexOf(word, at + 1)) {
    const next = part[at + word.length];
    if (next !== undefined && !isLetter(next)) return true;
  }
  return false;
}

const isLetter = (octet: number): boolean =>
  (octet >= 0x30 && octet <= 0x39) || (octet >= 0x41 && octet <= 0x5a) || (octet >= 0x61 && octet <= 0x7a);

function examineText(): Partial<Examination> {
  let seam = '';
  return {
    see(octets) {
      const text = seam + octets.toString('latin1');
      if (!isPrintable(text) || holdsTextCommand(text)) {
        throw new Problem('document-not-printable', 'the document is not plain text to its end');
      }
      seam = text.slice(-longestTextCommand);
    },
  };
}

const longestTextCommand = 8;
