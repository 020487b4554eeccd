/** One storm of each kind at the buses of a whole machine; `npm run lab -- buses` plays them by the hundred. */
import { expect, it } from 'vitest';
import { playStorms, resultOf, stormKinds } from '../../campaign/bus-storms.ts';
import { needsPeer } from '../../support/needs.ts';

needsPeer('mmdebstrap', 'mmdebstrap')('the buses of a whole machine', () => {
  it('readers and a stick that are pulled and plugged are back by themselves, each badge is read once, and none is typed at a console (I1, I5, I7)', async () => {
    const seed = 1;
    const { violations, played } = resultOf(await playStorms(stormKinds.length, seed), seed);
    expect(violations).toEqual([]);
    expect(played).toBe(stormKinds.length);
  });
});
