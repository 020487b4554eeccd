/** The code on the screen of a terminal that is out of service, read by a decoder of other hands from rendered pixels. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { qrOf } from '../../src/kiosk/server/qr.ts';
import { scan } from '../support/qr-scanner.ts';

it.each([
  'platen lobby 7K3QF2',
  'https://help.example/terminals?code=7K3QF2&at=lobby',
  'mailto:help@example.org?subject=Terminal%20lobby%207K3QF2',
  `https://help.example/${'x'.repeat(280)}7K3QF2`,
])('a scanner reads %s', (text) => {
  expect(scan(qrOf(text))).toBe(text);
});

it('a scanner reads whatever reference and terminal it names', () => {
  const letters = fc.constantFrom(...'0123456789ABCDEFGHJKMNPQRSTVWXYZ');
  const reference = fc.string({ unit: letters, minLength: 6, maxLength: 6 });
  fc.assert(
    fc.property(reference, fc.stringMatching(/^[a-z0-9-]{1,40}$/), (code, terminal) => {
      expect(scan(qrOf(`platen ${terminal} ${code}`))).toBe(`platen ${terminal} ${code}`);
    }),
    { numRuns: 20 },
  );
});

it('the path is unit squares joined into runs, with four light ones around them', () => {
  const { path, size } = qrOf('platen lobby 7K3QF2');
  expect(path).toMatch(/^(M\d+ \d+h\d+v1h-\d+z)+$/);
  const runs = [...path.matchAll(/M(\d+) (\d+)h(\d+)/g)].map((run) => run.slice(1).map(Number));
  // The finder pattern's upper edges: seven dark squares at the left, seven at the right.
  expect(runs.slice(0, 1)).toEqual([[4, 4, 7]]);
  expect(Math.max(...runs.map(([x = 0, , width = 0]) => x + width))).toBe(size - 4);
  expect(Math.max(...runs.map(([, y = 0]) => y))).toBe(size - 5);
  const dark = new Set(
    runs.flatMap(([x = 0, y = 0, n = 0]) => Array.from({ length: n }, (_, i) => `${x + i} ${y}`)),
  );
  for (const [x = 0, y = 0, width = 0] of runs) expect(dark.has(`${x + width} ${y}`)).toBe(false);
});

it('without its short runs it is no code: the decoder reads the squares, and nothing else', () => {
  const qr = qrOf('platen lobby 7K3QF2');
  const torn = { ...qr, path: qr.path.replaceAll(/M\d+ \d+h[123]v1h-[123]z/g, '') };
  expect(scan(torn)).not.toBe('platen lobby 7K3QF2');
});
