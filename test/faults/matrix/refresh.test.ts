/**
 * The cells of `refresh` (INVARIANTS.md B.2): the one-time token is spent once, and where it may be spent the device
 * comes back by itself, as the same endpoint (I6, I7). `first` and `later` come while nobody is there; in `swap` the
 * service refuses the token to alice's login, and bob's badge comes while it is being renewed; over a broken way it is
 * its age again.
 */
import { expect } from 'vitest';
import { minutes, seconds } from '../../../src/core/duration.ts';
import type { Timing } from './calls.ts';
import { documentStatus } from '../../../src/simulator/cloud/state.ts';
import { faults } from './faults.ts';
import { expectNothingOfAlice, expectPrinted, expectUntouched } from './judge.ts';
import type { Cell } from './play.ts';
import { playMatrix } from './play.ts';
import type { MatrixScene } from './scene.ts';
import { serve } from './session-play.ts';
import type { Strike } from './strike.ts';

/** Old enough to be refreshed while nobody is there. */
const grownOld = minutes(40);

const registrations = ({ cloud }: MatrixScene) =>
  cloud.calls.filter(({ path }) => path === '/oauth/v1/register').length;

const isOnTheWay = ({ fault }: Cell) => faults[fault].class === 'no way';

const strikeRefresh = (scene: MatrixScene, cell: Cell) =>
  scene.strike({
    call: { method: 'POST', path: '/oauth/v1/token' },
    // A way that broke once would be broken for any call.
    times: isOnTheWay(cell) ? 'always' : 'once',
  });

interface Refreshing {
  readonly strike: Strike;
  /** Registrations. */
  readonly before: number;
}

async function expectTokenBack(scene: MatrixScene, { reaction }: Cell, { before, strike }: Refreshing) {
  const { told, then } = reaction;
  if (told) {
    await scene.told('condition raised', ({ subject, code }) => subject === 'enrollment' && code === told);
  }
  strike.mend();
  const isNew = then === 'new registration';
  if (isNew) {
    await scene.told('device registered', ({ registration }) => registration === 'repeated');
    await scene.told('device authorized');
  } else await scene.told('device token refreshed');
  expect(registrations(scene) - before).toBe(isNew ? 1 : 0);
  expect(scene.cloud.state.endpoints).toHaveLength(1);
}

const whileNobodyIsThere = (timing: Timing) => async (scene: MatrixScene, cell: Cell) => {
  await scene.enter();
  if (timing === 'later') {
    scene.clock.forward(grownOld);
    await scene.told('device token refreshed');
    scene.begin();
  }
  const document = scene.addDocument('alice', timing);
  const before = registrations(scene);
  const strike = strikeRefresh(scene, cell);
  scene.clock.forward(grownOld);
  await scene.soon(strike.met);
  await expectTokenBack(scene, cell, { before, strike });
  const { releaseId } = await serve(scene, 'alice');
  await expectPrinted(scene, document);
  // A record that is on its way when the clock is put forward by an age is too late, and sent again (I2).
  await scene.told('history accepted', (record) => record['releaseId'] === releaseId);
};

playMatrix('refresh', {
  plays: {
    first: whileNobodyIsThere('first'),
    later: whileNobodyIsThere('later'),
    async swap(scene, cell) {
      await scene.enter();
      const [alices, bobs] = [scene.addDocument('alice', 'swap'), scene.addDocument('bob', 'swap')];
      const before = registrations(scene);
      // A token that was granted just now is believed longer than this one.
      await scene.pass(seconds(60));
      const strike = strikeRefresh(scene, cell);
      if (isOnTheWay(cell)) {
        scene.clock.forward(grownOld);
        await strike.met;
      } else scene.cloud.expireTokens('device');
      await scene.tap('alice');
      await strike.met;
      await scene.tap('bob');
      await expectTokenBack(scene, cell, { before, strike });
      await expectNothingOfAlice(scene, cell.reaction.told);
      expectUntouched(scene, alices);
      if (bobs.info.status === documentStatus.READY) await serve(scene, 'bob');
      await expectPrinted(scene, bobs);
      await serve(scene, 'alice');
      await expectPrinted(scene, alices);
    },
  },
});
