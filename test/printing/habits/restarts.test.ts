/**
 * An agent that is killed with a job at a printer, and started again: it finds its job by the marks that the ledger kept,
 * or says that nobody knows. Meanwhile the printer may restart too, and a stranger's job have the id of ours: that one
 * is neither judged nor cancelled (INVARIANTS.md B.1, B.4, 7 Print: job-id reused or foreign).
 */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../../src/core/duration.ts';
import type { HabitWish } from '../../../src/simulator/printer/habits.ts';
import { ask, userNamed } from '../../simulator/ipp-by-hand.ts';
import { printJob } from '../../simulator/printer-with-habits.ts';
import type { ReleaseScene } from './release-scene.ts';
import { cameOut, releaseScene, ticketOf } from './release-scene.ts';

/** What makes it hard to know one's job again. */
const shy: readonly (readonly HabitWish[])[] = [
  [],
  ['hides-names'],
  ['masks-names'],
  ['tells-no-uuid'],
  ['hides-names', 'tells-no-uuid'],
  ['masks-names', 'tells-no-uuid'],
  ['empty-names', 'tells-no-uuid'],
  ['own-names', 'tells-no-uuid', 'tells-no-up-time'],
];
const named = shy.map((habits) => ({ habits, who: habits.join(' and ') || 'has no habits' }));

/** Milliseconds a page: it prints for as long as an agent takes to start. */
const pageTime = 3000;

/** Of the printer's time, which is fast. */
const patient = { timeout: seconds(90) };

const cancels = ({ peer }: ReleaseScene): number =>
  peer.requests.filter(({ operation }) => operation === 'Cancel-Job').length;

/** The agent dies when it has recorded that; what it had begun goes on in the printer. */
async function killedAfter(scene: ReleaseScene, deed: 'jobCreated' | 'sent'): Promise<void> {
  await scene.live(deed).release(ticketOf(1));
}

/** At a printer that has just started its id is 1, as ours was. */
async function strangerPrints({ peer }: ReleaseScene): Promise<void> {
  await ask(peer, { ...printJob, attributes: [userNamed('stranger')] });
}

describe.concurrent.each(named)(
  'with its document in a printer that $who, an agent that was killed',
  ({ habits }) => {
    it('learns the end of its job, or says that nobody knows', async () => {
      await using scene = await releaseScene(habits, pageTime);
      await killedAfter(scene, 'sent');
      const [word] = await scene.live().resume();
      await scene.peer.waitFor(() => scene.peer.outputs.length > 0, patient);
      expect(await cameOut(scene.peer)).toBe('all, once');
      expect(['completed, device', 'unknown, outcome-unknown']).toContain(word);
      expect(cancels(scene)).toBe(0);
    });

    it('does not know it after a restart of the printer, and leaves a stranger alone', async () => {
      await using scene = await releaseScene(habits, pageTime);
      await killedAfter(scene, 'sent');
      await scene.peer.reboot();
      await strangerPrints(scene);
      expect(await scene.live().resume()).toEqual(['unknown, outcome-unknown']);
      await scene.peer.waitFor(
        () => scene.peer.outputs.some(({ userName }) => userName === 'stranger'),
        patient,
      );
      expect(scene.peer.outputs.filter(({ userName }) => userName === 'stranger')).toMatchObject([
        { jobId: 1, complete: true },
      ]);
      expect(scene.peer.jobs).toMatchObject([{ id: 1, state: 'completed' }]);
    });
  },
);

describe.concurrent.each(named)(
  'before it sent its document to a printer that $who, an agent that was killed',
  (row) => {
    it('leaves the job of a stranger alone that has its id', async () => {
      await using scene = await releaseScene(row.habits, pageTime);
      await killedAfter(scene, 'jobCreated');
      await scene.peer.reboot();
      await strangerPrints(scene);
      const [word] = await scene.live().resume();
      expect(word).toMatch(/^(?:unknown|failed)/);
      await scene.peer.waitFor(() => scene.peer.outputs.length > 0, patient);
      expect(scene.peer.outputs).toMatchObject([{ userName: 'stranger', complete: true }]);
    });

    it('has nothing come out of the job that it left', async () => {
      await using scene = await releaseScene(row.habits, pageTime);
      await killedAfter(scene, 'jobCreated');
      const [word] = await scene.live().resume();
      expect(word).toMatch(/^(?:unknown|failed)/);
      expect(scene.peer.outputs).toEqual([]);
    });
  },
);

it('an agent that was killed before its printer restarted in mid job says that nobody knows', async () => {
  await using scene = await releaseScene(['restarts=2'], pageTime);
  await killedAfter(scene, 'sent');
  expect(await scene.live().resume()).toEqual(['unknown, outcome-unknown']);
  expect(await cameOut(scene.peer)).toBe('2 of 5 pages');
});
