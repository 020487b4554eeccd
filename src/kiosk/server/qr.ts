/** Draws a text as a QR code (ISO/IEC 18004) for the page. */
import { encode } from 'uqr';
import type { QrView } from '../../domain/terminal/terminal-view.ts';

/** The light squares that a scanner needs on each side (section 6.3.8). */
const quietZone = 4;

export function qrOf(text: string): QrView {
  const { data, size } = encode(text, { ecc: 'M', border: quietZone });
  return { path: data.flatMap(runsOf).join(''), size };
}

/** One rectangle for each run of dark squares, to keep the path short. */
function runsOf(row: readonly boolean[], y: number): readonly string[] {
  return row.flatMap((isDark, x) => {
    if (!isDark || row[x - 1]) return [];
    const end = row.indexOf(false, x);
    const length = (end < 0 ? row.length : end) - x;
    return [`M${x} ${y}h${length}v1h-${length}z`];
  });
}
