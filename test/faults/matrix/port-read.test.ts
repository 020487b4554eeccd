/**
 * The cells of `status/port read`, played by the list of output ports: nobody waits for it. The terminal serves with
 * what it knows, and the list is read when the fault has passed (src/cloud/README.md 7).
 */
import { expect } from 'vitest';
import { minutes } from '../../../src/core/duration.ts';
import { documentStatus } from '../../../src/simulator/cloud/state.ts';
import { calls } from './calls.ts';
import { faults } from './faults.ts';
import { expectNothingOfAlice, expectPrinted } from './judge.ts';
import type { Cell } from './play.ts';
import { playMatrix } from './play.ts';
import type { MatrixScene } from './scene.ts';
import { openSession, serve } from './session-play.ts';
import type { Strike } from './strike.ts';

const { match, after, told: failing } = calls['status/port read'];

const strikeRead = (scene: MatrixScene, { fault }: Cell, behind?: typeof after) =>
  scene.strike({ call: match(), times: faults[fault].class === 'no way' ? 'always' : 'once', behind });

const readings = ({ cloud }: MatrixScene) =>
  cloud.calls.filter(
    ({ path, fault, status }) => path === match().path && fault === undefined && status === 200,
  );

async function expectTold(scene: MatrixScene, { reaction }: Cell, strike: Strike) {
  if (reaction.told) expect(await scene.told(failing)).toMatchObject({ level: 'warn', code: reaction.told });
  strike.mend();
}

async function expectReadAgain(scene: MatrixScene, { reaction }: Cell, before: number) {
  const isRead = () => readings(scene).length > before;
  if (reaction.then === 'new token') await scene.told('device token refreshed');
  // Nothing waits for him, and the next badge ends his session.
  if (reaction.then === 'next login' && !isRead()) await openSession(scene, 'bob');
  await scene.soon(scene.cloud.waitFor(isRead));
}

/** The list is read hourly. */
const untilNextReading = minutes(67);

playMatrix('status/port read', {
  plays: {
    async first(scene, cell) {
      const strike = strikeRead(scene, cell, after);
      await scene.start();
      await strike.met;
      await expectTold(scene, cell, strike);
      await scene.enter();
      await expectReadAgain(scene, cell, 0);
      const document = scene.addDocument('alice', 'first');
      await serve(scene, 'alice');
      await expectPrinted(scene, document);
    },

    async later(scene, cell) {
      await scene.enter();
      const [before, strike] = [readings(scene).length, strikeRead(scene, cell)];
      scene.clock.forward(untilNextReading);
      await scene.soon(strike.met);
      await expectTold(scene, cell, strike);
      await expectReadAgain(scene, cell, before);
      const document = scene.addDocument('alice', 'later');
      await serve(scene, 'alice');
      await expectPrinted(scene, document);
    },

    async swap(scene, cell) {
      await scene.enter();
      const [alices, bobs] = [scene.addDocument('alice', 'swap'), scene.addDocument('bob', 'swap')];
      const [before, strike] = [readings(scene).length, strikeRead(scene, cell)];
      scene.clock.forward(untilNextReading);
      await scene.soon(strike.met);
      if (faults[cell.fault].class === 'no way') await expectTold(scene, cell, strike);
      await openSession(scene, 'alice');
      await openSession(scene, 'bob');
      await expectPrinted(scene, bobs);
      await expectNothingOfAlice(scene, undefined);
      // Her session may have ended before anything was begun.
      if (alices.info.status === documentStatus.READY) await serve(scene, 'alice');
      await expectPrinted(scene, alices);
      if (faults[cell.fault].class !== 'no way') await expectTold(scene, cell, strike);
      await expectReadAgain(scene, cell, before);
    },
  },
});
