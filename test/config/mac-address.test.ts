import { expect, it } from 'vitest';
import type { MacSpelling } from '../../src/config/schema/text-reader.ts';
import { spellMac } from '../../src/config/schema/text-reader.ts';

it.each<[MacSpelling, string, string | undefined]>([
  ['upper-colon', '0a1b.2c3d.4e5f', '0A:1B:2C:3D:4E:5F'],
  ['upper-dash', '0a:1b:2c:3d:4e:5f', '0A-1B-2C-3D-4E-5F'],
  ['upper-none', '0a-1b-2c-3d-4e-5f', '0A1B2C3D4E5F'],
  ['lower-colon', '0A1B2C3D4E5F', '0a:1b:2c:3d:4e:5f'],
  ['lower-dash', '0A:1B:2C:3D:4E:5F', '0a-1b-2c-3d-4e-5f'],
  ['lower-none', '0A 1B 2C 3D 4E 5F', '0a1b2c3d4e5f'],
  ['upper-colon', '0a:1b', undefined],
  ['upper-colon', '0a:1b:2c:3d:4e:5g', undefined],
])('a MAC address is spelled %s: %s as %s', (spelling, mac, spelled) => {
  expect(spellMac(mac, spelling)).toBe(spelled);
});
