/**
 * The chart of a growth as SVG, both axes logarithmic, with a dashed line for what would be linear. It has no background, and
 * colours that can be read on a light page and on a dark one.
 */
import type { Growth, Line, Point } from './growth.ts';
import { exponentOf, grouped, short } from './growth.ts';

const size = { width: 640, height: 340 };
const frame = { left: 76, right: 196, top: 46, bottom: 52 };
const colours = [
  { light: '#0550ae', dark: '#79c0ff' },
  { light: '#953800', dark: '#ffa657' },
  { light: '#116329', dark: '#7ee787' },
];

export function chartOf(growth: Growth): string {
  const points = growth.lines.flatMap((line) => line.points);
  const x = scale(
    points.map(({ work }) => work),
    [frame.left, size.width - frame.right],
  );
  const y = scale(
    points.map(({ figure }) => figure),
    [size.height - frame.bottom, frame.top],
  );
  const place = ({ work, figure }: Point) => `${x.at(work)},${y.at(figure)}`;
  const works = [...new Set(points.map(({ work }) => work))].toSorted((one, other) => one - other);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" role="img">`,
    `<title>${escaped(growth.title)}</title>`,
    style(),
    label({ x: frame.left, y: 24 }, growth.title, 'start" class="title'),
    ...works.map((work) => tick({ x: x.at(work), y: size.height - frame.bottom }, grouped(work))),
    label({ x: (frame.left + size.width - frame.right) / 2, y: size.height - 12 }, growth.work, 'middle'),
    ...y.decades.map((figure) => rule(y.at(figure), `${short(figure)} ${growth.unit}`)),
    ...linear(growth.lines, { x, y }),
    ...growth.lines.flatMap((line, index) => drawn(line, index, place)),
    ...names(growth.lines, y),
    '</svg>\n',
  ].join('\n');
}

interface Scale {
  /** Rounded to a tenth of a dot. */
  at(value: number): number;
  readonly decades: readonly number[];
}

/** Over whole decades for the figures, so that the height tells how much it grows. */
function scale(values: readonly number[], [from, to]: readonly [number, number]): Scale {
  const isAcross = to > from;
  const logs = values.map((value) => Math.log10(value));
  const [low, high] = [Math.min(...logs), Math.max(...logs)];
  const first = isAcross ? low : Math.floor(low);
  const last = isAcross ? high : Math.max(Math.ceil(high), first + 1);
  return {
    at: (value) => tenth(from + ((Math.log10(value) - first) / (last - first)) * (to - from)),
    decades: Array.from({ length: Math.round(last - first) + 1 }, (_, index) => 10 ** (first + index)),
  };
}

/** From the first point of the first line, as far as there is room. */
function linear([line]: readonly Line[], { x, y }: { x: Scale; y: Scale }): string[] {
  const [from, to] = [line?.points[0], line?.points.at(-1)];
  if (!from || !to) return [];
  const top = y.decades.at(-1) ?? from.figure;
  const factor = Math.min(to.work / from.work, top / from.figure);
  const end = { x: x.at(from.work * factor), y: y.at(from.figure * factor) };
  const path = `M${x.at(from.work)},${y.at(from.figure)} L${end.x},${end.y}`;
  return [`<path class="linear" d="${path}"/>`, label({ x: end.x + 6, y: end.y - 4 }, 'linear', 'start')];
}

function drawn({ points }: Line, index: number, place: (point: Point) => string): string[] {
  const dots = points.map((point) => {
    const [cx, cy] = place(point).split(',');
    return `<circle class="dot${index}" cx="${cx}" cy="${cy}" r="4"/>`;
  });
  return [`<polyline class="line${index}" points="${points.map(place).join(' ')}"/>`, ...dots];
}

/** Beside the end of each line, one below the other where two would meet. */
function names(lines: readonly Line[], y: Scale): string[] {
  const at = size.width - frame.right + 14;
  const wanted = lines
    .map((line, index) => ({ line, index, y: y.at(line.points.at(-1)?.figure ?? 1) }))
    .toSorted((one, other) => one.y - other.y);
  let free = 0;
  return wanted.map(({ line, index, y: wish }) => {
    const here = tenth(Math.max(wish + 4, free));
    free = here + 32;
    const slope = `exponent ${exponentOf(line.points).toFixed(2)}`;
    return (
      label({ x: at, y: here }, line.name, `start" class="name${index}`) +
      label({ x: at, y: here + 15 }, slope, 'start')
    );
  });
}

const rule = (at: number, text: string): string =>
  `<path class="rule" d="M${frame.left},${at} H${size.width - frame.right}"/>` +
  label({ x: frame.left - 8, y: at + 4 }, text, 'end');

const tick = ({ x, y }: { x: number; y: number }, text: string): string =>
  `<path class="rule" d="M${x},${y} v5"/>${label({ x, y: y + 19 }, text, 'middle')}`;

const label = ({ x, y }: { x: number; y: number }, text: string, anchor: string): string =>
  `<text x="${tenth(x)}" y="${tenth(y)}" text-anchor="${anchor}">${escaped(text)}</text>`;

function style(): string {
  const of = (shade: 'light' | 'dark') =>
    colours
      .map(
        (colour, index) =>
          `.line${index}{stroke:${colour[shade]}}.dot${index},.name${index}{fill:${colour[shade]}}`,
      )
      .join('');
  return (
    '<style>text{font:13px sans-serif;fill:#57606a}.title{font-weight:bold}' +
    '.rule,.linear{stroke:#8c959f;stroke-opacity:.6}.linear{stroke-dasharray:4 4}' +
    `polyline,path{fill:none}polyline{stroke-width:2}${of('light')}` +
    `@media(prefers-color-scheme:dark){text{fill:#9198a1}${of('dark')}}</style>`
  );
}

const tenth = (value: number): number => Math.round(value * 10) / 10;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
