/**
 * What a device holds, and what never ends: nobody behind waits for it, and what becomes of it follows from what is done
 * at the panel, or from what the printer counted (I1, T29).
 */
import { describe, expect, it } from 'vitest';
import { minutes, seconds } from '../../../src/core/duration.ts';
import { isHeld } from '../../../src/printing/ipp/job/standing-signs.ts';
import { releaseStage, ticketOf } from './release-stage.ts';

describe('a job that the device holds', () => {
  it.each([
    'job-hold-until-specified',
    'job-password-wait',
    'job-held-for-authorization',
    'resources-are-not-ready',
    'account-authorization-failed',
    'job-suspended-by-operator',
    'none',
  ])('for %s keeps nobody behind it waiting', async (reason) => {
    await using stage = await releaseStage([`holds-jobs=${reason}`], 300);
    const { peer } = stage;
    const life = stage.live();
    // Released when both are there, which the second one could not be behind the first.
    peer.onEvent((news) => {
      if (news.startsWith('job 2:') && news.includes('is held')) peer.releaseAtPanel();
    });
    const said = await Promise.all([life.release(ticketOf(1)), life.release(ticketOf(2))]);
    expect(said).toEqual(['completed, device', 'completed, device']);
    expect(peer.outputs.map(({ complete }) => complete)).toEqual([true, true]);
  });

  it.each(['pending', 'processing', 'processing-stopped'] as const)(
    'is one whatever state it tells beside the reason: %s',
    (state) => {
      expect(isHeld({ state, reasons: ['job-password-wait'] })).toBe(true);
      expect(isHeld({ state, reasons: ['job-suspended'] })).toBe(true);
      expect(isHeld({ state, reasons: ['none'] })).toBe(false);
    },
  );

  it('and that is deleted at the panel did not come out, and waits for its owner', async () => {
    await using stage = await releaseStage(['holds-jobs'], 300);
    const { peer, clock } = stage;
    peer.onEvent((news) => {
      if (news.includes('is held')) clock.setTimeout(() => void peer.cancelAtPanel(), seconds(20));
    });
    expect(await stage.live().release(ticketOf(1))).toBe('failed, printer-aborted-job');
    expect(await stage.cameOut()).toBe('nothing');
  });

  it('is left a minute by who goes to the panel', async () => {
    await using stage = await releaseStage(['holds-jobs'], 300);
    const { peer, clock } = stage;
    const life = stage.live();
    peer.onEvent((news) => {
      if (!news.includes('is held')) return;
      clock.setTimeout(() => life.ownerLeaves(ticketOf(1)), seconds(20));
      clock.setTimeout(() => peer.releaseAtPanel(), seconds(70));
    });
    expect(await life.release(ticketOf(1))).toBe('completed, device');
  });

  it('and that nobody releases is cancelled when its owner has been gone for a minute', async () => {
    await using stage = await releaseStage(['holds-jobs'], 300);
    const { peer, clock } = stage;
    const life = stage.live();
    peer.onEvent((news) => {
      if (!news.includes('is held')) return;
      clock.setTimeout(() => life.ownerLeaves(ticketOf(1)), seconds(20));
    });
    expect(await life.release(ticketOf(1))).toBe('failed, printer-stalled');
    peer.releaseAtPanel();
    expect(await stage.cameOut()).toBe('nothing');
  });
});

describe('a job that never ends', () => {
  it('is over half a minute after its last page, and the next one is printed', async () => {
    await using stage = await releaseStage(['never-ends'], 300);
    const life = stage.live();
    const since = stage.clock.monotonic();
    expect(await life.release(ticketOf(1))).toBe('completed, handed-over');
    expect(stage.clock.monotonic() - since).toBeLessThan(minutes(1));
    expect(await life.release(ticketOf(2))).toBe('completed, handed-over');
    expect(stage.peer.outputs.map(({ complete }) => complete)).toEqual([true, true]);
  });

  it.each([
    ['the printer counts nothing', 'counts-nothing-zero'],
    ['the printer does not tell whether it restarted', 'tells-no-up-time'],
  ] as const)('is waited for as ever where %s', async (_, habit) => {
    await using stage = await releaseStage(['never-ends', habit], 300);
    expect(await stage.live().release(ticketOf(1))).toBe('unknown, printer-stalled');
  });

  it('is waited for as ever where something has come up since', async () => {
    await using stage = await releaseStage(['never-ends'], 300);
    const { peer } = stage;
    peer.onEvent((news) => {
      if (news.includes('came out')) void peer.behave({ kind: 'stopped', reason: 'media-jam-error' });
    });
    const life = stage.live();
    stage.clock.setTimeout(() => life.ownerLeaves(ticketOf(1)), minutes(5));
    expect(await life.release(ticketOf(1))).toBe('unknown, printer-stalled');
  });
});

describe('a slow job at a printer with an empty tray', () => {
  it('is not cancelled because its owner leaves', async () => {
    await using stage = await releaseStage(['complains', 'counts-nothing', 'slow-rip=20'], 8000);
    const life = stage.live();
    stage.clock.setTimeout(() => life.ownerLeaves(ticketOf(1)), seconds(45));
    expect(await life.release(ticketOf(1))).toBe('completed, device');
    expect(await stage.cameOut()).toBe('all, once');
  });

  it('that stops for want of paper is, when its owner leaves', async () => {
    await using stage = await releaseStage(['stays-pending'], 300);
    const life = stage.live();
    stage.clock.setTimeout(() => life.ownerLeaves(ticketOf(1)), seconds(45));
    expect(await life.release(ticketOf(1))).toMatch(/printer-stalled$/);
    await stage.peer.clear();
    expect(await stage.cameOut()).toBe('nothing');
  });
});
