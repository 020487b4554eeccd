/**
 * The cells of `balance` (INVARIANTS.md B.4, 4; src/cloud/README.md 12, row 35): where prints are known to be charged,
 * nothing is printed without a definite yes (I9). At the first call nobody knows that yet, and a fault lets it through, a refusal does not.
 */
import { expect } from 'vitest';
import type { CloudDocument } from '../../../src/simulator/cloud/state.ts';
import { targetOf } from './calls.ts';
import { faults } from './faults.ts';
import { expectNothingOfAlice, expectPrinted, expectUntouched } from './judge.ts';
import type { Cell } from './play.ts';
import { playMatrix } from './play.ts';
import type { MatrixScene } from './scene.ts';
import { serve } from './session-play.ts';

const strike = (scene: MatrixScene, times: 'once' | 'always', document: CloudDocument) =>
  scene.strike({ ...targetOf('balance', document), times });

const isAboutTheUser = ({ reaction }: Cell) => reaction.told === 'user-token-refused';
/** Whoever refuses the question says no yes, charged or not. */
const isNo = (cell: Cell) => isAboutTheUser(cell) || cell.reaction.told === 'cloud-rejected';

async function expectDenied(scene: MatrixScene, cell: Cell, document: CloudDocument) {
  const code = isAboutTheUser(cell) ? 'user-token-refused' : 'balance-unknown';
  expect(await scene.told('release ended')).toMatchObject({ outcome: 'failed', code });
  if (!isAboutTheUser(cell)) await expectCauseTold(scene, cell);
  expectUntouched(scene, document);
}

const expectCauseTold = async (scene: MatrixScene, { reaction }: Cell) =>
  expect(await scene.told('balance not checked')).toMatchObject({
    level: 'warn',
    error: { code: reaction.told },
  });

async function expectLetThrough(scene: MatrixScene, cell: Cell, document: CloudDocument) {
  await scene.told('release ended', ({ outcome }) => outcome === 'completed');
  if (cell.reaction.then === 'nothing') expect(scene.wasTold('balance not checked')).toBe(false);
  else await expectCauseTold(scene, cell);
  await expectPrinted(scene, document);
}

playMatrix('balance', {
  prepare({ cloud }) {
    cloud.setPrices({ bwNormalPage: 5, bwLargePage: 10, colorNormalPage: 20, colorLargePage: 40 });
    for (const user of ['alice', 'bob']) cloud.setUserBalance(user, { quota: 10_000 });
  },
  plays: {
    async first(scene, cell) {
      await scene.enter();
      const document = scene.addDocument('alice', 'first');
      const { met, mend } = strike(scene, 'once', document);
      await scene.tap('alice');
      await met;
      if (!isNo(cell)) return expectLetThrough(scene, cell, document);
      await expectDenied(scene, cell, document);
      mend();
      await serve(scene, 'alice');
      await expectPrinted(scene, document);
    },

    async later(scene, cell) {
      await scene.enter();
      await releaseAnother(scene, 'later');
      const document = scene.addDocument('alice', 'later');
      const { met, mend } = strike(scene, 'once', document);
      await scene.tap('alice');
      await met;
      if (cell.reaction.then === 'nothing') return expectLetThrough(scene, cell, document);
      await expectDenied(scene, cell, document);
      mend();
      await serve(scene, 'alice');
      await expectPrinted(scene, document);
    },

    async swap(scene, cell) {
      await scene.enter();
      await releaseAnother(scene, 'swap');
      const [alices, bobs] = [scene.addDocument('alice', 'swap'), scene.addDocument('bob', 'swap')];
      const { met, mend } = strike(scene, 'always', alices);
      await scene.tap('alice');
      await met;
      await scene.tap('bob');
      // alice's release goes on without her; a broken way would keep bob out too.
      if (faults[cell.fault].class === 'no way') mend();
      if (cell.reaction.then === 'nothing') {
        await scene.told('release ended', ({ outcome }) => outcome === 'completed');
      } else await expectDenied(scene, cell, alices);
      mend();
      await scene.told('session closed', ({ reason }) => reason === 'released');
      await expectPrinted(scene, bobs);
      await expectNothingOfAlice(scene, cell.reaction.told);
      if (cell.reaction.then !== 'nothing') await serve(scene, 'alice');
      await expectPrinted(scene, alices);
    },
  },
});

/** By it the agent knows that prints are charged. */
async function releaseAnother(scene: MatrixScene, timing: 'later' | 'swap') {
  const document = scene.addDocument('alice', `before ${timing}`);
  await serve(scene, 'alice');
  await expectPrinted(scene, document);
  scene.begin();
}
