/**
 * Reads as much of PCL 5 (HP PCL 5 Printer Language Technical Reference Manual, chapters 15 and 4) as Ghostscript writes:
 * pages of black dots, packed by rows. Where the driver has the device begin a page, in its corner, is not looked at.
 */
import type { Picture } from '../../support/printer/picture.ts';
import { blankPicture } from '../../support/printer/picture.ts';
import type { Bench } from './converted-pages.ts';

export interface PclPage {
  readonly picture: Picture;
  /** Of `ESC & l # A`: 26 is A4. */
  readonly paper: number;
  /** Of `ESC & l # S`: 0 one side, 1 bound at the long edge, 2 at the short one; absent where it is not said. */
  readonly sides: number | undefined;
}

interface Command {
  /** As in `*bW`. */
  readonly name: string;
  readonly value: number;
  readonly isRelative: boolean;
  readonly data: Buffer;
}

/** Each dot of the bench is a square of so many of the printer's. */
export function pagesOfPcl(pcl: Buffer, bench: Bench, finer: number): readonly PclPage[] {
  const pages: PclPage[] = [];
  let dots = emptySheet(bench, finer);
  let [paper, sides, line, mode]: [number, number | undefined, number, number] = [0, undefined, 0, 0];
  let row = Buffer.alloc(dots.rowOctets);
  for (const { name, value, isRelative, data } of commandsOf(pcl)) {
    if (name === '&lA') paper = value;
    if (name === '&lS') sides = value;
    if (name === '*pY') line = isRelative ? line + value : value;
    if (name === '*bY') line += value;
    // The row before is empty again.
    if (name === '*rA' || name === '*bY') row = Buffer.alloc(dots.rowOctets);
    if (name === '*bM') mode = value;
    if (name === '*bW') {
      row = unpacked(data, mode, row);
      row.copy(dots.rows, Math.min(line, dots.height - 1) * dots.rowOctets);
      line += 1;
    }
    if (name !== '\f') continue;
    pages.push({ picture: pictureOf(dots, bench, finer), paper, sides });
    dots = emptySheet(bench, finer);
    line = 0;
  }
  return pages;
}

const emptySheet = ({ width, height }: Bench, finer: number) => {
  const rowOctets = Math.ceil((width * finer) / 8) + 32;
  return { rowOctets, height: height * finer, rows: Buffer.alloc(rowOctets * height * finer) };
};

/** Several of one group may follow one ESC, the last one in capitals. */
function* commandsOf(pcl: Buffer): Generator<Command> {
  let at = 0;
  while (at < pcl.length) {
    const octet = String.fromCharCode(pcl[at] ?? 0);
    at += 1;
    if (octet === '\f') yield { name: octet, value: 0, isRelative: false, data: Buffer.alloc(0) };
    if (octet !== '\x1b') continue;
    const group = /^[&*][a-z]/.exec(pcl.subarray(at, at + 2).toString('latin1'))?.[0];
    if (group === undefined) {
      at += 1;
      continue;
    }
    at += 2;
    for (let isOver = false; !isOver; ) {
      const [whole, number = '', letter = ''] =
        /^([+-]?\d*)([A-Za-z])/.exec(pcl.subarray(at, at + 16).toString('latin1')) ?? [];
      if (whole === undefined) throw new Error(`PCL that is not understood, at ${at}`);
      at += whole.length;
      const length = `${group}${letter}` === '*bW' ? Number(number) : 0;
      yield {
        name: `${group}${letter.toUpperCase()}`,
        value: Number(number),
        isRelative: /^[+-]/.test(number),
        data: pcl.subarray(at, at + length),
      };
      at += length;
      isOver = /[A-Z]/.test(letter);
    }
  }
}

/** Modes 0 (as it is), 2 (runs) and 3 (what is other than in the row before). */
function unpacked(data: Buffer, mode: number, before: Buffer): Buffer<ArrayBuffer> {
  const row = mode === 3 ? Buffer.from(before) : Buffer.alloc(before.length);
  if (mode === 0) data.copy(row);
  else if (mode === 2) unpackRuns(data, row);
  else if (mode === 3) unpackDelta(data, row);
  else throw new Error(`rows packed in mode ${mode}`);
  return row;
}

function unpackRuns(data: Buffer, row: Buffer): void {
  let to = 0;
  for (let at = 0; at < data.length; ) {
    const count = data.readInt8(at);
    at += 1;
    if (count >= 0) {
      data.copy(row, to, at, at + count + 1);
      to += count + 1;
      at += count + 1;
    } else if (count > -128) {
      row.fill(data[at] ?? 0, to, to + 1 - count);
      to += 1 - count;
      at += 1;
    }
  }
}

function unpackDelta(data: Buffer, row: Buffer): void {
  let to = 0;
  for (let at = 0; at < data.length; ) {
    const command = data[at] ?? 0;
    at += 1;
    let more = command & 31;
    to += more;
    while (more === 31 || more === 255) {
      more = data[at] ?? 0;
      at += 1;
      to += more;
      if (more < 255) break;
    }
    const count = (command >> 5) + 1;
    data.copy(row, to, at, at + count);
    to += count;
    at += count;
  }
}

function pictureOf(
  { rows, rowOctets }: ReturnType<typeof emptySheet>,
  { width, height }: Bench,
  finer: number,
): Picture {
  const picture = blankPicture(width, height);
  for (let at = 0; at < width * height; at += 1) {
    const [left, top] = [(at % width) * finer, Math.floor(at / width) * finer];
    let black = 0;
    for (let dot = 0; dot < finer * finer; dot += 1) {
      const x = left + (dot % finer);
      const y = top + Math.floor(dot / finer);
      black += ((rows[y * rowOctets + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1;
    }
    picture.pixels.fill(255 - Math.round((255 * black) / (finer * finer)), 3 * at, 3 * at + 3);
  }
  return picture;
}
