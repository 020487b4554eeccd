/**
 * The cells of `refresh` (INVARIANTS.md B.2): the one-time token is spent once, and where it may be spent the device
 * comes back by itself, as the same endpoint (I6, I7). `first` and `later` come while nobody is there; in `swap` the
 * service refuses the token to alice's login, and bob's badge comes while it is being renewed; over a broken way it is
 * its age again.
 */
import { expect } from 'vitest';
import { minutes, seconds } from '../../../src/core/duration.ts';
import type { Timing } from '../../support/standard-faults/calls.ts';
import { targetOf } from '../../support/standard-faults/calls.ts';
import { documentStatus } from '../../../src/simulator/cloud/state.ts';
import { faults } from '../../support/standard-faults/faults.ts';
import { expectNothingOfAlice, expectPrinted, expectUntouched } from './judge.ts';
import type { Cell } from './play.ts';
import { playMatrix } from './play.ts';
import type { MatrixStage } from './stage.ts';
import { serve } from './session-play.ts';
import type { Strike } from '../../support/standard-faults/strike.ts';

/** Old enough to be refreshed while nobody is there. */
const grownOld = minutes(40);

const registrations = ({ cloud }: MatrixStage) =>
  cloud.calls.filter(({ path }) => path === '/oauth/v1/register').length;

const isOnTheWay = ({ fault }: Cell) => faults[fault].class === 'no way';

const strikeRefresh = (stage: MatrixStage, cell: Cell) =>
  stage.strike({
    call: { method: 'POST', path: '/oauth/v1/token' },
    // A way that broke once would be broken for any call.
    times: isOnTheWay(cell) ? 'always' : 'once',
  });

interface Refreshing {
  readonly strike: Strike;
  /** Registrations. */
  readonly before: number;
}

async function expectTokenBack(stage: MatrixStage, { reaction }: Cell, { before, strike }: Refreshing) {
  const { told, then } = reaction;
  if (told) {
    await stage.told('condition raised', ({ subject, code }) => subject === 'enrollment' && code === told);
  }
  strike.mend();
  const isNew = then === 'new registration';
  if (isNew) {
    await stage.told('device registered', ({ registration }) => registration === 'repeated');
    await stage.told('device authorized');
  } else await stage.told('device token refreshed');
  expect(registrations(stage) - before).toBe(isNew ? 1 : 0);
  expect(stage.cloud.state.endpoints).toHaveLength(1);
}

const whileNobodyIsThere = (timing: Timing) => async (stage: MatrixStage, cell: Cell) => {
  await stage.enter();
  if (timing === 'later') {
    stage.clock.forward(grownOld);
    await stage.told('device token refreshed');
    stage.begin();
  }
  const document = stage.addDocument('alice', timing);
  const before = registrations(stage);
  const strike = strikeRefresh(stage, cell);
  stage.clock.forward(grownOld);
  await stage.soon(strike.met);
  await expectTokenBack(stage, cell, { before, strike });
  const { releaseId } = await serve(stage, 'alice');
  await expectPrinted(stage, document);
  // A record that is on its way when the clock is put forward by an age is too late, and sent again (I2).
  await stage.told('history accepted', (record) => record['releaseId'] === releaseId);
};

playMatrix('refresh', {
  plays: {
    first: whileNobodyIsThere('first'),
    later: whileNobodyIsThere('later'),
    async swap(stage, cell) {
      await stage.enter();
      const [alices, bobs] = [stage.addDocument('alice', 'swap'), stage.addDocument('bob', 'swap')];
      const before = registrations(stage);
      // A token that was granted just now is believed longer than this one.
      await stage.pass(seconds(60));
      const strike = strikeRefresh(stage, cell);
      // A refresh that is repeated at once may be done, and alice signed in, before bob is there.
      const { promise: until, resolve: bobIsThere } = Promise.withResolvers<void>();
      stage.cloud.answerNext(targetOf('list', alices).call, { kind: 'held-headers', until });
      if (isOnTheWay(cell)) {
        stage.clock.forward(grownOld);
        await strike.met;
      } else stage.cloud.expireTokens('device');
      await stage.tap('alice');
      await strike.met;
      await stage.tap('bob');
      bobIsThere();
      await expectTokenBack(stage, cell, { before, strike });
      await expectNothingOfAlice(stage, cell.reaction.told);
      expectUntouched(stage, alices);
      // His badge while it is on its way would end his session by his own hand.
      const isOnItsWay = bobs.info.status !== documentStatus.READY || stage.wasTold('release started');
      if (!isOnItsWay) await serve(stage, 'bob');
      await expectPrinted(stage, bobs);
      await serve(stage, 'alice');
      await expectPrinted(stage, alices);
    },
  },
});
