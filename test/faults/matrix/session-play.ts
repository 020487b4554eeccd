/** The calls on which a print waits: login, list, content. While they fail nothing is printed (I1, I9, B.4 rows 2, 3, 5). */
import { expect } from 'vitest';
import type { LogRecord } from '../../../src/commands/logs/sentences.ts';
import type { CloudDocument } from '../../../src/simulator/cloud/state.ts';
import { calls, targetOf } from '../../support/standard-faults/calls.ts';
import { faults } from '../../support/standard-faults/faults.ts';
import { expectNothingOfAlice, expectPrinted, expectUntouched } from './judge.ts';
import type { CallPlay, Cell } from './play.ts';
import type { MatrixStage, Person } from './stage.ts';

type SessionCall = 'login' | 'list' | 'content';

/** A badge; a second one where the terminal was just being signed in again. */
export async function openSession(stage: MatrixStage, person: Person): Promise<void> {
  if ((await stage.badge(person)) === 'session opened') return;
  await stage.told('terminal ready');
  expect(await stage.badge(person)).toBe('session opened');
}

/** A badge that lets everything out; gives the end of the release. */
export async function serve(stage: MatrixStage, person: Person): Promise<LogRecord> {
  await openSession(stage, person);
  const ended = await stage.told('release ended', ({ outcome }) => outcome === 'completed');
  await stage.told('session closed', ({ reason }) => reason === 'released');
  return ended;
}

export const sessionPlay = (call: SessionCall): CallPlay => {
  const strike = (stage: MatrixStage, times: 'once' | 'always', document: CloudDocument) =>
    stage.strike({ ...targetOf(call, document), times });

  /** It came out although the fault met it. */
  async function expectHarmless(stage: MatrixStage, { reaction }: Cell, document: CloudDocument) {
    await stage.told('release ended', ({ outcome }) => outcome === 'completed');
    const bytes = reaction.then === 'nothing' ? 'spoilt' : 'its own';
    await expectPrinted(stage, document, { bytes });
    if (call !== 'content') expect(stage.wasTold(calls[call].told)).toBe(false);
  }

  async function expectTold(stage: MatrixStage, { reaction }: Cell, document: CloudDocument) {
    const record = await stage.told(calls[call].told);
    expect(record).toMatchObject({ level: 'warn', code: reaction.told });
    if (call !== 'login') await stage.told('session closed');
    expectUntouched(stage, document);
  }

  return {
    plays: {
      async first(stage, cell) {
        await stage.enter();
        const document = stage.addDocument('alice', 'first');
        const { mend } = strike(stage, 'always', document);
        await stage.tap('alice');
        if (cell.reaction.then === 'nothing') return expectHarmless(stage, cell, document);
        await expectTold(stage, cell, document);
        mend();
        await serve(stage, 'alice');
        await expectPrinted(stage, document);
      },

      async later(stage, cell) {
        await stage.enter();
        const document = stage.addDocument('alice', 'later');
        const { met, mend } = strike(stage, 'once', document);
        await stage.tap('alice');
        await stage.soon(met);
        if (cell.reaction.then !== 'next badge') return expectHarmless(stage, cell, document);
        await expectTold(stage, cell, document);
        mend();
        await serve(stage, 'alice');
        await expectPrinted(stage, document);
      },

      async swap(stage, cell) {
        await stage.enter();
        const [alices, bobs] = [stage.addDocument('alice', 'swap'), stage.addDocument('bob', 'swap')];
        const { met, mend } = strike(stage, 'always', alices);
        await stage.tap('alice');
        await met;
        // Nobody's token tells the two logins apart.
        if (call === 'login') mend();
        await stage.tap('bob');
        // Releases go on when their session is over. A broken way would keep bob out too; else alice's has to fail.
        const isWay = faults[cell.fault].class === 'no way';
        if (call === 'content' && !isWay) await stage.told('release ended');
        mend();
        // Bob's session may end before his turn has come: nobody is made to stand there while nothing moves.
        await stage.told('session closed', ({ reason }) => reason === 'released' || reason === 'timeout');
        await expectPrinted(stage, bobs);
        await expectNothingOfAlice(stage, cell.reaction.told);
        if (cell.reaction.then === 'nothing') return expectPrinted(stage, alices, { bytes: 'spoilt' });
        if (call === 'content' && isWay) return expectPrinted(stage, alices);
        expectUntouched(stage, alices);
        await serve(stage, 'alice');
        await expectPrinted(stage, alices);
      },
    },
  };
};
