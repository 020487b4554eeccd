/**
 * The cells of `balance` (INVARIANTS.md B.4, 4; src/cloud/README.md 12, row 35): where prints are known to be charged,
 * nothing is printed without a definite yes (I9). At the first call nobody knows that yet, and a fault lets it through, a refusal does not.
 */
import { expect } from 'vitest';
import type { CloudDocument } from '../../../src/simulator/cloud/state.ts';
import { targetOf } from '../../support/standard-faults/calls.ts';
import { faults } from '../../support/standard-faults/faults.ts';
import { expectNothingOfAlice, expectPrinted, expectUntouched } from './judge.ts';
import type { Cell } from './play.ts';
import { playMatrix } from './play.ts';
import type { MatrixStage } from './stage.ts';
import { serve } from './session-play.ts';

const strike = (stage: MatrixStage, times: 'once' | 'always', document: CloudDocument) =>
  stage.strike({ ...targetOf('balance', document), times });

const isAboutTheUser = ({ reaction }: Cell) => reaction.told === 'user-token-refused';
/** When the question is repeated, the fault is over. */
const isHarmlessOnce = ({ reaction: { then } }: Cell) => then === 'nothing' || then === 'repeated';
/** Whoever refuses the question says no yes, charged or not. */
const isNo = (cell: Cell) => isAboutTheUser(cell) || cell.reaction.told === 'cloud-rejected';

async function expectDenied(stage: MatrixStage, cell: Cell, document: CloudDocument) {
  const code = isAboutTheUser(cell) ? 'user-token-refused' : 'balance-unknown';
  expect(await stage.told('release ended')).toMatchObject({ outcome: 'failed', code });
  if (!isAboutTheUser(cell)) await expectCauseTold(stage, cell);
  expectUntouched(stage, document);
}

const expectCauseTold = async (stage: MatrixStage, { reaction }: Cell) =>
  expect(await stage.told('balance not checked')).toMatchObject({
    level: 'warn',
    error: { code: reaction.told },
  });

async function expectLetThrough(stage: MatrixStage, cell: Cell, document: CloudDocument) {
  await stage.told('release ended', ({ outcome }) => outcome === 'completed');
  if (isHarmlessOnce(cell)) expect(stage.wasTold('balance not checked')).toBe(false);
  else await expectCauseTold(stage, cell);
  await expectPrinted(stage, document);
}

playMatrix('balance', {
  prepare({ cloud }) {
    cloud.setPrices({ bwNormalPage: 0.05, bwLargePage: 0.1, colorNormalPage: 0.2, colorLargePage: 0.4 });
    for (const user of ['alice', 'bob']) cloud.setUserBalance(user, { quota: 100 });
  },
  plays: {
    async first(stage, cell) {
      await stage.enter();
      const document = stage.addDocument('alice', 'first');
      const { met, mend } = strike(stage, 'once', document);
      await stage.tap('alice');
      await met;
      if (!isNo(cell)) return expectLetThrough(stage, cell, document);
      await expectDenied(stage, cell, document);
      mend();
      await serve(stage, 'alice');
      await expectPrinted(stage, document);
    },

    async later(stage, cell) {
      await stage.enter();
      await releaseAnother(stage, 'later');
      const document = stage.addDocument('alice', 'later');
      const { met, mend } = strike(stage, 'once', document);
      await stage.tap('alice');
      await met;
      if (isHarmlessOnce(cell)) return expectLetThrough(stage, cell, document);
      await expectDenied(stage, cell, document);
      mend();
      await serve(stage, 'alice');
      await expectPrinted(stage, document);
    },

    async swap(stage, cell) {
      await stage.enter();
      await releaseAnother(stage, 'swap');
      const [alices, bobs] = [stage.addDocument('alice', 'swap'), stage.addDocument('bob', 'swap')];
      const { met, mend } = strike(stage, 'always', alices);
      await stage.tap('alice');
      await met;
      await stage.tap('bob');
      // alice's release goes on without her; a broken way would keep bob out too.
      if (faults[cell.fault].class === 'no way') mend();
      if (cell.reaction.then === 'nothing') {
        await stage.told('release ended', ({ outcome }) => outcome === 'completed');
      } else await expectDenied(stage, cell, alices);
      mend();
      await stage.told('session closed', ({ reason }) => reason === 'released');
      await expectPrinted(stage, bobs);
      await expectNothingOfAlice(stage, cell.reaction.told);
      if (cell.reaction.then !== 'nothing') await serve(stage, 'alice');
      await expectPrinted(stage, alices);
    },
  },
});

/** By it the agent knows that prints are charged. */
async function releaseAnother(stage: MatrixStage, timing: 'later' | 'swap') {
  const document = stage.addDocument('alice', `before ${timing}`);
  await serve(stage, 'alice');
  await expectPrinted(stage, document);
  stage.begin();
}
