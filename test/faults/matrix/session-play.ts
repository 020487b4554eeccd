/** The calls on which a print waits: login, list, content. While they fail nothing is printed (I1, I9, B.4 rows 2, 3, 5). */
import { expect } from 'vitest';
import type { LogRecord } from '../../../src/commands/logs/sentences.ts';
import type { CloudDocument } from '../../../src/simulator/cloud/state.ts';
import { calls, targetOf } from './calls.ts';
import { faults } from './faults.ts';
import { expectNothingOfAlice, expectPrinted, expectUntouched } from './judge.ts';
import type { CallPlay, Cell } from './play.ts';
import type { MatrixScene, Person } from './scene.ts';

type SessionCall = 'login' | 'list' | 'content';

/** A badge; a second one where the terminal was just being signed in again. */
export async function openSession(scene: MatrixScene, person: Person): Promise<void> {
  if ((await scene.badge(person)) === 'session opened') return;
  await scene.told('terminal ready');
  expect(await scene.badge(person)).toBe('session opened');
}

/** A badge that lets everything out; gives the end of the release. */
export async function serve(scene: MatrixScene, person: Person): Promise<LogRecord> {
  await openSession(scene, person);
  const ended = await scene.told('release ended', ({ outcome }) => outcome === 'completed');
  await scene.told('session closed', ({ reason }) => reason === 'released');
  return ended;
}

export const sessionPlay = (call: SessionCall): CallPlay => {
  const strike = (scene: MatrixScene, times: 'once' | 'always', document: CloudDocument) =>
    scene.strike({ ...targetOf(call, document), times });

  /** It came out although the fault met it. */
  async function expectHarmless(scene: MatrixScene, { reaction }: Cell, document: CloudDocument) {
    await scene.told('release ended', ({ outcome }) => outcome === 'completed');
    const bytes = reaction.then === 'nothing' ? 'spoilt' : 'its own';
    await expectPrinted(scene, document, { bytes });
    if (call !== 'content') expect(scene.wasTold(calls[call].told)).toBe(false);
  }

  async function expectTold(scene: MatrixScene, { reaction }: Cell, document: CloudDocument) {
    const record = await scene.told(calls[call].told);
    expect(record).toMatchObject({ level: 'warn', code: reaction.told });
    if (call !== 'login') await scene.told('session closed');
    expectUntouched(scene, document);
  }

  return {
    plays: {
      async first(scene, cell) {
        await scene.enter();
        const document = scene.addDocument('alice', 'first');
        const { mend } = strike(scene, 'always', document);
        await scene.tap('alice');
        if (cell.reaction.then === 'nothing') return expectHarmless(scene, cell, document);
        await expectTold(scene, cell, document);
        mend();
        await serve(scene, 'alice');
        await expectPrinted(scene, document);
      },

      async later(scene, cell) {
        await scene.enter();
        const document = scene.addDocument('alice', 'later');
        const { met, mend } = strike(scene, 'once', document);
        await scene.tap('alice');
        await scene.soon(met);
        if (cell.reaction.then !== 'next badge') return expectHarmless(scene, cell, document);
        await expectTold(scene, cell, document);
        mend();
        await serve(scene, 'alice');
        await expectPrinted(scene, document);
      },

      async swap(scene, cell) {
        await scene.enter();
        const [alices, bobs] = [scene.addDocument('alice', 'swap'), scene.addDocument('bob', 'swap')];
        const { met, mend } = strike(scene, 'always', alices);
        await scene.tap('alice');
        await met;
        await scene.tap('bob');
        // Releases go on when their session is over. A broken way would keep bob out too; else alice's has to fail.
        const isWay = faults[cell.fault].class === 'no way';
        if (call === 'content' && !isWay) await scene.told('release ended');
        mend();
        // Bob's session may end before his turn has come: nobody is made to stand there while nothing moves.
        await scene.told('session closed', ({ reason }) => reason === 'released' || reason === 'timeout');
        await expectPrinted(scene, bobs);
        await expectNothingOfAlice(scene, cell.reaction.told);
        if (cell.reaction.then === 'nothing') return expectPrinted(scene, alices, { bytes: 'spoilt' });
        if (call === 'content' && isWay) return expectPrinted(scene, alices);
        expectUntouched(scene, alices);
        await serve(scene, 'alice');
        await expectPrinted(scene, alices);
      },
    },
  };
};
