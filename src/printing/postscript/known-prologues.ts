/**
 * Prologues of drivers that cannot be judged by their octets but are known line by line. Everything inside such a
 * prologue is trusted. The rest is judged as usual, and may not use the names by which the prologue runs other text.
 */
import { createHash } from 'node:crypto';

export interface KnownPrologue {
  /** The number of counted lines from the mark at which the section begins. */
  readonly lines: number;
  /** Over these lines, each ended by a line feed. */
  readonly sha256: string;
  /** Names of the prologue that run text that was not seen. */
  readonly makers: readonly string[];
}

const known: readonly KnownPrologue[] = [
  // Ghostscript 10.00, ps2write and eps2write (CUPS's pdftops in Debian 12): opdfread.ps.
  {
    lines: 8332,
    sha256: '3be5592483508fe665c7183c0dbd56a229a566ad0531e2cf2756be9729f3ace2',
    // A packed page, and a form in PostScript.
    makers: ['Filter', 'PS'],
  },
];

const [lineFeed, carriageReturn] = [10, 13];

/** Without blank lines, marks (which a form feed would end), and the options of ps2write. */
const isCounted = (line: string): boolean =>
  line !== '' &&
  !/^%%(?:Begin|End)[^\f]*$/.test(line) &&
  !/^\/(?:DSC_OPDFREAD|SetPageSize|EPS2Write) (?:true|false) def$/.test(line);

/** The digest of a section, while it comes in. */
export class SectionDigest {
  readonly #hash = createHash('sha256');
  #line = '';
  #lines = 0;

  /** Gives the known prologue that ends here, if there is one. */
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
