/**
 * Prologues of drivers that do what cannot be told of any program, and are known line by line. What stands in one is
 * believed; what follows is judged as everywhere, and may not use the names in which the prologue runs what it is given.
 */
import { createHash } from 'node:crypto';

export interface KnownPrologue {
  /** Of the lines that are counted: so many from the mark at which the section begins. */
  readonly lines: number;
  /** Of them, each ended by a line feed. */
  readonly sha256: string;
  /** Names of it that make a program of what nobody has seen. */
  readonly makers: readonly string[];
}

const known: readonly KnownPrologue[] = [
  // Ghostscript 10.00, ps2write and eps2write (CUPS's pdftops in Debian 12): opdfread.ps.
  {
    lines: 8332,
    sha256: '3be5592483508fe665c7183c0dbd56a229a566ad0531e2cf2756be9729f3ace2',
    // A page that is packed, and a form that is PostScript.
    makers: ['Filter', 'PS'],
  },
];

const [lineFeed, carriageReturn] = [10, 13];

/** Not blank lines, marks (which a form feed would end), and what ps2write was told. */
const isCounted = (line: string): boolean =>
  line !== '' &&
  !/^%%(?:Begin|End)[^\f]*$/.test(line) &&
  !/^\/(?:DSC_OPDFREAD|SetPageSize|EPS2Write) (?:true|false) def$/.test(line);

/** Of a section, as it comes. */
export class SectionDigest {
  readonly #hash = createHash('sha256');
  #line = '';
  #lines = 0;

  /** What it is up to here, where that is known. */
  see(octets: Buffer): KnownPrologue | undefined {
    let found: KnownPrologue | undefined;
    for (const octet of octets) {
      if (octet !== lineFeed && octet !== carriageReturn) this.#line += String.fromCharCode(octet);
      else found = this.#endLine() ?? found;
    }
    return found;
  }

  #endLine(): KnownPrologue | undefined {
    const line = this.#line;
    this.#line = '';
    if (!isCounted(line)) return undefined;
    this.#hash.update(`${line}\n`, 'latin1');
    this.#lines += 1;
    const lines = known.filter((one) => one.lines === this.#lines);
    if (lines.length === 0) return undefined;
    const digest = this.#hash.copy().digest('hex');
    return lines.find(({ sha256 }) => sha256 === digest);
  }
}
