/**
 * The cells of `status/port read`, played by the list of output ports: nobody waits for it. The terminal serves with
 * what it knows, and the list is read when the fault has passed (src/cloud/README.md 7).
 */
import { expect } from 'vitest';
import { minutes } from '../../../src/core/duration.ts';
import { documentStatus } from '../../../src/simulator/cloud/state.ts';
import { calls } from '../../support/standard-faults/calls.ts';
import { faults } from '../../support/standard-faults/faults.ts';
import { expectNothingOfAlice, expectPrinted } from './judge.ts';
import type { Cell } from './play.ts';
import { playMatrix } from './play.ts';
import type { MatrixStage } from './stage.ts';
import { openSession, serve } from './session-play.ts';
import type { Strike } from '../../support/standard-faults/strike.ts';

const { match, after, told: failing } = calls['status/port read'];

const strikeRead = (stage: MatrixStage, { fault }: Cell, behind?: typeof after) =>
  stage.strike({ call: match(), times: faults[fault].class === 'no way' ? 'always' : 'once', behind });

const readings = ({ cloud }: MatrixStage) =>
  cloud.calls.filter(
    ({ path, fault, status }) => path === match().path && fault === undefined && status === 200,
  );

async function expectTold(stage: MatrixStage, { reaction }: Cell, strike: Strike) {
  if (reaction.told) expect(await stage.told(failing)).toMatchObject({ level: 'warn', code: reaction.told });
  strike.mend();
}

async function expectReadAgain(stage: MatrixStage, { reaction }: Cell, before: number) {
  const isRead = () => readings(stage).length > before;
  if (reaction.then === 'new token') await stage.told('device token refreshed');
  // Nothing waits for him, and the next badge ends his session.
  if (reaction.then === 'next login' && !isRead()) await openSession(stage, 'bob');
  await stage.soon(stage.cloud.waitFor(isRead));
}

/** The list is read hourly. */
const untilNextReading = minutes(67);

playMatrix('status/port read', {
  plays: {
    async first(stage, cell) {
      const strike = strikeRead(stage, cell, after);
      await stage.start();
      await strike.met;
      await expectTold(stage, cell, strike);
      await stage.enter();
      await expectReadAgain(stage, cell, 0);
      const document = stage.addDocument('alice', 'first');
      await serve(stage, 'alice');
      await expectPrinted(stage, document);
    },

    async later(stage, cell) {
      await stage.enter();
      const [before, strike] = [readings(stage).length, strikeRead(stage, cell)];
      stage.clock.forward(untilNextReading);
      await stage.soon(strike.met);
      await expectTold(stage, cell, strike);
      await expectReadAgain(stage, cell, before);
      const document = stage.addDocument('alice', 'later');
      await serve(stage, 'alice');
      await expectPrinted(stage, document);
    },

    async swap(stage, cell) {
      await stage.enter();
      const [alices, bobs] = [stage.addDocument('alice', 'swap'), stage.addDocument('bob', 'swap')];
      const [before, strike] = [readings(stage).length, strikeRead(stage, cell)];
      stage.clock.forward(untilNextReading);
      await stage.soon(strike.met);
      if (faults[cell.fault].class === 'no way') await expectTold(stage, cell, strike);
      await openSession(stage, 'alice');
      await openSession(stage, 'bob');
      await expectPrinted(stage, bobs);
      await expectNothingOfAlice(stage, undefined);
      // Her session may have ended before anything was begun.
      if (alices.info.status === documentStatus.READY) await serve(stage, 'alice');
      await expectPrinted(stage, alices);
      if (faults[cell.fault].class !== 'no way') await expectTold(stage, cell, strike);
      await expectReadAgain(stage, cell, before);
    },
  },
});
