/**
 * An agent that is killed with a job at a printer, and started again: it finds its job by the marks that the ledger kept,
 * or says that nobody knows. Meanwhile the printer may restart too, and a stranger's job have the id of ours: that one
 * is neither judged nor cancelled (INVARIANTS.md B.1, B.4, 7 Print: job-id reused or foreign).
 */
import { describe, expect, it } from 'vitest';
import type { HabitWish } from '../../../src/simulator/printer/habits/habits.ts';
import { ask, userNamed } from '../../support/printer/ipp-by-hand.ts';
import { printJob } from '../../support/printer/printer-with-habits.ts';
import type { ReleaseStage } from './release-stage.ts';
import { releaseStage, ticketOf } from './release-stage.ts';

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

const cancels = ({ peer }: ReleaseStage): number =>
  peer.requests.filter(({ operation }) => operation === 'Cancel-Job').length;

/** The agent dies when it has recorded that; what it had begun goes on in the printer. */
async function killedAfter(stage: ReleaseStage, deed: 'jobCreated' | 'sent'): Promise<void> {
  await stage.live(deed).release(ticketOf(1));
}

/** At a printer that has just started its id is 1, as ours was. */
async function strangerPrints({ peer }: ReleaseStage): Promise<void> {
  await ask(peer, { ...printJob, attributes: [userNamed('stranger')] });
}

describe.each(named)('with its document in a printer that $who, an agent that was killed', ({ habits }) => {
  it('learns the end of its job, or says that nobody knows', async () => {
    await using stage = await releaseStage(habits, pageTime);
    await killedAfter(stage, 'sent');
    const [word] = await stage.live().resume();
    await stage.see(() => expect(stage.peer.outputs).not.toEqual([]));
    expect(await stage.cameOut()).toBe('all, once');
    expect(['completed, device', 'unknown, outcome-unknown']).toContain(word);
    expect(cancels(stage)).toBe(0);
  });

  it('does not know it after a restart of the printer, and leaves a stranger alone', async () => {
    await using stage = await releaseStage(habits, pageTime);
    await killedAfter(stage, 'sent');
    await stage.peer.reboot();
    await strangerPrints(stage);
    expect(await stage.live().resume()).toEqual(['unknown, outcome-unknown']);
    const strangers = expect.objectContaining({ userName: 'stranger' }) as object;
    await stage.see(() => expect(stage.peer.outputs).toContainEqual(strangers));
    expect(stage.peer.outputs.filter(({ userName }) => userName === 'stranger')).toMatchObject([
      { jobId: 1, complete: true },
    ]);
    expect(stage.peer.jobs).toMatchObject([{ id: 1, state: 'completed' }]);
  });
});

describe.each(named)(
  'before it sent its document to a printer that $who, an agent that was killed',
  (row) => {
    it('leaves the job of a stranger alone that has its id', async () => {
      await using stage = await releaseStage(row.habits, pageTime);
      await killedAfter(stage, 'jobCreated');
      await stage.peer.reboot();
      await strangerPrints(stage);
      const [word] = await stage.live().resume();
      expect(word).toMatch(/^(?:unknown|failed)/);
      await stage.see(() => expect(stage.peer.outputs).not.toEqual([]));
      expect(stage.peer.outputs).toMatchObject([{ userName: 'stranger', complete: true }]);
    });

    it('has nothing come out of the job that it left', async () => {
      await using stage = await releaseStage(row.habits, pageTime);
      await killedAfter(stage, 'jobCreated');
      const [word] = await stage.live().resume();
      expect(word).toMatch(/^(?:unknown|failed)/);
      expect(stage.peer.outputs).toEqual([]);
    });
  },
);

it('an agent that was killed before its printer restarted in mid job says that nobody knows', async () => {
  await using stage = await releaseStage(['restarts=2'], pageTime);
  await killedAfter(stage, 'sent');
  expect(await stage.live().resume()).toEqual(['unknown, outcome-unknown']);
  expect(await stage.cameOut()).toBe('2 of 5 pages');
});
