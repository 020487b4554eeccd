/**
 * The calls that come when the page is out: the deletion and the history record. Whatever becomes of them, nothing is
 * printed again, and what is owed is made up for (I1, I2, D6, D8, B.4 row 9).
 */
import { expect } from 'vitest';
import { seconds } from '../../../src/core/duration.ts';
import { setStatus } from '../../../src/simulator/cloud/calls/documents.ts';
import type { CloudDocument } from '../../../src/simulator/cloud/state.ts';
import { documentStatus } from '../../../src/simulator/cloud/state.ts';
import type { Timing } from './calls.ts';
import { calls, targetOf } from './calls.ts';
import { faults } from './faults.ts';
import { expectNothingOfAlice, expectPrinted } from './judge.ts';
import type { CallPlay, Cell } from './play.ts';
import type { Reaction } from './reactions.ts';
import type { MatrixScene } from './scene.ts';
import { openSession, serve } from './session-play.ts';

interface Printed {
  readonly document: CloudDocument;
  readonly releaseId: unknown;
  /** The fault was told, and looked at. */
  readonly isTold: boolean;
}

export const afterPrintPlay = (call: 'delete' | 'history'): CallPlay => {
  async function printUnder(scene: MatrixScene, { fault, reaction }: Cell, timing: Timing): Promise<Printed> {
    await scene.enter();
    // A token that was granted just now is believed longer than this one (B.2).
    if (reaction.then === 'new token') await scene.pass(seconds(60));
    const document = scene.addDocument('alice', timing);
    // Over a broken way neither record nor deletion comes through.
    const isWay = faults[fault].class === 'no way';
    const strike = scene.strike({ ...targetOf(call, document), times: isWay ? 'always' : 'once' });
    const { releaseId } = await serve(scene, 'alice');
    await strike.met;
    if (isWay) await expectTold(scene, reaction);
    strike.mend();
    return { document, releaseId, isTold: isWay };
  }

  async function expectTold(scene: MatrixScene, { then, told }: Reaction) {
    if (told === undefined) return;
    const record = await scene.told(then === 'dead letter' ? 'history rejected' : calls[call].told);
    expect(record).toMatchObject({ level: 'warn', error: { code: told } });
  }

  async function expectMadeUpFor(
    scene: MatrixScene,
    { reaction }: Cell,
    { document, releaseId, isTold }: Printed,
  ) {
    const { then, told } = reaction;
    if (!isTold) await expectTold(scene, reaction);
    if (then !== 'dead letter') await scene.told('history accepted', (one) => one['releaseId'] === releaseId);
    if (then === 'new token') await scene.told('device token refreshed');
    if (then === 'next login') {
      expect(document.info.status).toBe(documentStatus.READY);
      await badgeForNothing(scene);
      await scene.told('owed deletion made');
    }
    // The cloud said that it is gone, and has to believe itself.
    if (call === 'delete' && then === 'nothing') setStatus(document, documentStatus.DELETED);
    await expectPrinted(scene, document, { records: then === 'dead letter' ? 0 : 1 });
    expect(scene.wasTold(calls[call].told)).toBe(told !== undefined && then !== 'dead letter');
    await badgeForNothing(scene);
  }

  return {
    plays: {
      async first(scene, cell) {
        await expectMadeUpFor(scene, cell, await printUnder(scene, cell, 'first'));
      },

      async later(scene, cell) {
        await scene.enter();
        const before = scene.addDocument('alice', 'before later');
        await serve(scene, 'alice');
        await expectPrinted(scene, before);
        scene.begin();
        await expectMadeUpFor(scene, cell, await printUnder(scene, cell, 'later'));
      },

      async swap(scene, cell) {
        const printed = await printUnder(scene, cell, 'swap');
        const bobs = scene.addDocument('bob', 'swap');
        await serve(scene, 'bob');
        await expectPrinted(scene, bobs);
        await expectNothingOfAlice(scene, cell.reaction.told);
        await expectMadeUpFor(scene, cell, printed);
      },
    },
  };
};

/** Another badge of alice when nothing of hers may come out any more. */
async function badgeForNothing(scene: MatrixScene) {
  const printed = scene.printer.outputs.length;
  await openSession(scene, 'alice');
  await scene.told('session closed', ({ reason }) => reason === 'released');
  expect(scene.printer.outputs).toHaveLength(printed);
}
