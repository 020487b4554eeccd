/**
 * The calls that come when the page is out: the deletion and the history record. Whatever becomes of them, nothing is
 * printed again, and what is owed is made up for (I1, I2, D6, D8, B.4 row 9).
 */
import { expect } from 'vitest';
import { seconds } from '../../../src/core/duration.ts';
import { setStatus } from '../../../src/simulator/cloud/calls/documents/documents.ts';
import type { CloudDocument } from '../../../src/simulator/cloud/state.ts';
import { documentStatus } from '../../../src/simulator/cloud/state.ts';
import type { Timing } from '../../support/standard-faults/calls.ts';
import { calls, targetOf } from '../../support/standard-faults/calls.ts';
import { faults } from '../../support/standard-faults/faults.ts';
import { expectNothingOfAlice, expectPrinted } from './judge.ts';
import type { CallPlay, Cell } from './play.ts';
import type { Reaction } from './reactions.ts';
import type { MatrixStage } from './stage.ts';
import { openSession, serve } from './session-play.ts';

interface Printed {
  readonly document: CloudDocument;
  readonly releaseId: unknown;
  /** The fault was told, and looked at. */
  readonly isTold: boolean;
}

export const afterPrintPlay = (call: 'delete' | 'history'): CallPlay => {
  async function printUnder(stage: MatrixStage, { fault, reaction }: Cell, timing: Timing): Promise<Printed> {
    await stage.enter();
    // A token that was granted just now is believed longer than this one (B.2).
    if (reaction.then === 'new token') await stage.pass(seconds(60));
    const document = stage.addDocument('alice', timing);
    // Over a broken way neither record nor deletion comes through.
    const isWay = faults[fault].class === 'no way';
    const strike = stage.strike({ ...targetOf(call, document), times: isWay ? 'always' : 'once' });
    const { releaseId } = await serve(stage, 'alice');
    await strike.met;
    if (isWay) await expectTold(stage, reaction);
    strike.mend();
    return { document, releaseId, isTold: isWay };
  }

  async function expectTold(stage: MatrixStage, { then, told }: Reaction) {
    if (told === undefined) return;
    const record = await stage.told(then === 'dead letter' ? 'history rejected' : calls[call].told);
    expect(record).toMatchObject({ level: 'warn', error: { code: told } });
  }

  async function expectMadeUpFor(
    stage: MatrixStage,
    { reaction }: Cell,
    { document, releaseId, isTold }: Printed,
  ) {
    const { then, told } = reaction;
    if (!isTold) await expectTold(stage, reaction);
    if (then !== 'dead letter') await stage.told('history accepted', (one) => one['releaseId'] === releaseId);
    if (then === 'new token') await stage.told('device token refreshed');
    if (then === 'next login') {
      expect(document.info.status).toBe(documentStatus.READY);
      await badgeForNothing(stage);
      await stage.told('owed deletion made');
    }
    // The cloud said that it is gone, and has to believe itself.
    if (call === 'delete' && then === 'nothing') setStatus(document, documentStatus.DELETED);
    await expectPrinted(stage, document, { records: then === 'dead letter' ? 0 : 1 });
    expect(stage.wasTold(calls[call].told)).toBe(told !== undefined && then !== 'dead letter');
    await badgeForNothing(stage);
  }

  return {
    plays: {
      async first(stage, cell) {
        await expectMadeUpFor(stage, cell, await printUnder(stage, cell, 'first'));
      },

      async later(stage, cell) {
        await stage.enter();
        const before = stage.addDocument('alice', 'before later');
        await serve(stage, 'alice');
        await expectPrinted(stage, before);
        stage.begin();
        await expectMadeUpFor(stage, cell, await printUnder(stage, cell, 'later'));
      },

      async swap(stage, cell) {
        const printed = await printUnder(stage, cell, 'swap');
        const bobs = stage.addDocument('bob', 'swap');
        await serve(stage, 'bob');
        await expectPrinted(stage, bobs);
        await expectNothingOfAlice(stage, cell.reaction.told);
        await expectMadeUpFor(stage, cell, printed);
      },
    },
  };
};

/** Another badge of alice when nothing of hers may come out any more. */
async function badgeForNothing(stage: MatrixStage) {
  const printed = stage.printer.outputs.length;
  await openSession(stage, 'alice');
  await stage.told('session closed', ({ reason }) => reason === 'released');
  expect(stage.printer.outputs).toHaveLength(printed);
}
