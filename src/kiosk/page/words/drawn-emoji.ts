/**
 * The emoji that this machine can draw. The browser does not tell its fonts, so each emoji is drawn once in an unusual
 * colour. An emoji has its own colours; a box or a letter takes this colour.
 */
import { withEmoji } from '../../../core/text/emoji.ts';

const size = 24;
const [red, green, blue] = [255, 0, 254];
const known = new Map<string, boolean>();
let canvas: CanvasRenderingContext2D | null | undefined;

/** The text without emoji that this machine cannot draw. Dots, if nothing else is in it. */
export const drawnText = (text: string): string => withEmoji(text, isDrawn) || (text && '…');

function isDrawn(emoji: string): boolean {
  const before = known.get(emoji);
  if (before !== undefined) return before;
  const is = hasPicture(emoji);
  known.set(emoji, is);
  return is;
}

function hasPicture(emoji: string): boolean {
  canvas ??= emptyCanvas();
  if (canvas === null) return false;
  canvas.clearRect(0, 0, 8 * size, 2 * size);
  canvas.fillText(emoji, 0, 1.5 * size);
  const { data } = canvas.getImageData(0, 0, 8 * size, 2 * size);
  let isVisible = false;
  for (let at = 0; at < data.length; at += 4) {
    // Pixels at edges are mixed, so their colour is not exact.
    if ((data[at + 3] ?? 0) < 200) continue;
    if (isOfText(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0)) return false;
    isVisible = true;
  }
  return isVisible;
}

const isOfText = (r: number, g: number, b: number): boolean =>
  Math.abs(r - red) < 8 && Math.abs(g - green) < 8 && Math.abs(b - blue) < 8;

function emptyCanvas(): CanvasRenderingContext2D | null {
  const element = document.createElement('canvas');
  element.width = 8 * size;
  element.height = 2 * size;
  const context = element.getContext('2d', { willReadFrequently: true });
  if (context === null) return null;
  context.font = `${size}px ${getComputedStyle(document.body).fontFamily}`;
  context.fillStyle = `rgb(${red} ${green} ${blue})`;
  return context;
}
