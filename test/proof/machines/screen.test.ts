/** One boot of a kiosk with a screen; `npm run lab -- screen` plays it again and again. */
import { expect, it } from 'vitest';
import { playScreen } from '../../campaign/screen-deaths.ts';
import { diceOf } from '../../support/dice.ts';
import { needsPeer } from '../../support/needs.ts';

needsPeer('mmdebstrap', 'mmdebstrap')('the screen of a whole machine', () => {
  it('shows the page, which no key leaves, hears a touch, and has the page back when its browser or compositor was killed (I7, T07)', async () => {
    expect((await playScreen(diceOf(1))).violations).toEqual([]);
  });
});
