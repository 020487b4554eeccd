/** Contrast of the page's colours (WCAG 2.2, 1.4.3 and 1.4.11), by the formula of the standard, in each of its schemes. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const css = await readFile('src/listener/page/colours.css', 'utf8');
const [, root = ''] = /:root \{([^}]*)\}/.exec(css) ?? [];
const [, high = ''] = /\[data-contrast="high"\] \{([^}]*)\}/.exec(css) ?? [];
const rows = [...root.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)];

const schemes: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  light: new Map(rows.map(([, name = '', light = '']) => [name, light])),
  dark: new Map(rows.map(([, name = '', , dark = '']) => [name, dark])),
  high: new Map(
    [...high.matchAll(/--([\w-]+): (#\w{6})/g)].map(([, name = '', value = '']) => [name, value]),
  ),
};

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const pairs: readonly [ink: string, ground: string, least: number][] = [
  ['ink', 'ground', 7],
  ['ink', 'surface', 7],
  ['ink', 'lead-tint', 7],
  ['ink', 'warn-tint', 7],
  ['ink', 'bad-tint', 7],
  ['soft', 'ground', 4.5],
  ['soft', 'surface', 4.5],
  ['soft', 'lead-tint', 4.5],
  ['on-lead', 'lead', 4.5],
  ['good', 'ground', 4.5],
  ['good', 'surface', 4.5],
  ['warn', 'ground', 4.5],
  ['warn', 'surface', 4.5],
  ['warn', 'lead-tint', 4.5],
  ['bad', 'surface', 4.5],
  ['edge', 'ground', 3],
  ['edge', 'surface', 3],
  ['lead', 'ground', 3],
  ['focus', 'ground', 3],
  ['focus', 'surface', 3],
];

const cases = pairs.flatMap((pair) => Object.keys(schemes).map((scheme) => [...pair, scheme] as const));

it.each(cases)('%s on %s has %d or more (%s)', (ink, ground, least, scheme) => {
  const colours = schemes[scheme];
  expect(contrast(colours?.get(ink) ?? '', colours?.get(ground) ?? '')).toBeGreaterThanOrEqual(least);
});

it('is what DESIGN.md says', async () => {
  const design = await readFile('src/kiosk/page/DESIGN.md', 'utf8');
  for (const [ink, ground] of pairs) {
    const figures = Object.values(schemes).map((colours) =>
      contrast(colours.get(ink) ?? '', colours.get(ground) ?? '').toFixed(1),
    );
    expect(design).toContain(`| ${ink} on ${ground} | ${figures.join(' | ')} |`);
  }
});
