/** What whoever serves terminals may expect of their holds, in a fleet or without one. */
import { expect, it } from 'vitest';
import type { Holds, HoldUser } from '../../src/domain/ports/holds.ts';

/** Alone in its fleet, with its services running; it goes with the stack. */
export type OpenHolds = (user: HoldUser, opened: AsyncDisposableStack) => Promise<Holds>;

const lobby = { terminal: 'lobby', serialNumber: 'SN-0001', group: 'ipp://10.0.0.7' };
const annex = { terminal: 'annex', serialNumber: 'SN-0002', group: 'ipp://10.0.0.8' };

async function served(open: OpenHolds) {
  await using opening = new AsyncDisposableStack();
  const reported: string[] = [];
  const user = { isIdle: () => true, changed: async (terminal: string) => void reported.push(terminal) };
  const holds = await open(user, opening);
  holds.serve([lobby, annex]);
  const opened = opening.move();
  return { holds, reported, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

export function describeHolds(open: OpenHolds): void {
  it('F11: who is alone holds everything it is to serve, each with an epoch', async () => {
    await using one = await served(open);
    for (const terminal of ['lobby', 'annex']) {
      await expect.poll(() => one.holds.standing(terminal)).toMatchObject({ is: 'held', epoch: 1 });
    }
  });

  it('F11: a terminal that comes later is held, too, and those that stay are not touched', async () => {
    await using one = await served(open);
    await expect.poll(() => one.holds.standing('annex').is).toBe('held');
    const before = one.holds.standing('lobby');
    const reported = one.reported.filter((terminal) => terminal === 'lobby').length;
    one.holds.serve([lobby, { terminal: 'attic', serialNumber: 'SN-0003', group: 'ipp://10.0.0.9' }]);
    await expect.poll(() => one.holds.standing('attic').is).toBe('held');
    expect(one.holds.standing('lobby')).toEqual(before);
    expect(one.reported.filter((terminal) => terminal === 'lobby')).toHaveLength(reported);
  });

  it('F11: leaving in order ends, with the engine or without it', async () => {
    await using one = await served(open);
    await one.holds.leave();
    await one.holds.leave();
  });

  it('F10: the roll names this member, where there is a roll', async () => {
    await using one = await served(open);
    await expect.poll(() => one.holds.standing('lobby').is).toBe('held');
    const members = one.holds.roll()?.members ?? [{ isSelf: true, isBeating: true }];
    expect(members).toMatchObject([{ isSelf: true, isBeating: true }]);
  });
}
