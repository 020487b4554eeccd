/** What becomes of a document in the cloud once its release completed (contract, 2 `finish` and 3; D6). */
import { describe, expect, it } from 'vitest';
import { hours, minutes, seconds } from '../../src/core/duration.ts';
import { fault, releaseBench, ticketFor } from './release-bench.ts';

describe('finish: delete', () => {
  it('is repeated while the token lives when the service is busy', async () => {
    const bench = releaseBench({ delete: [fault('cloud-busy'), fault('cloud-unreachable'), undefined] });
    await bench.release(ticketFor('one'));
    expect(bench.outcomes()).toEqual(['completed']);
    await bench.clock.advance(seconds(25));
    expect(bench.deeds.filter((deed) => deed === 'delete')).toHaveLength(3);
    expect(bench.deeds.at(-1)).toBe('ledger:deleted');
  });

  it('stays owed when the service refuses it', async () => {
    const bench = releaseBench({ delete: fault('cloud-denied') });
    await bench.release(ticketFor('one'));
    await bench.clock.advance(minutes(5));
    expect(bench.deeds.slice(-2)).toEqual(['ledger:end CONFIRMED deletion owed', 'delete']);
  });

  it('stays owed when the token has expired', async () => {
    const bench = releaseBench();
    const ticket = ticketFor('one');
    await bench.clock.advance(hours(2));
    await bench.release(ticket);
    expect(bench.outcomes()).toEqual(['completed']);
    expect(bench.deeds).not.toContain('delete');
  });
});

describe('finish: consume', () => {
  it('has the document counted as released in place of deleting it', async () => {
    const bench = releaseBench({}, { finish: 'consume' });
    await bench.release(ticketFor('one'));
    expect(bench.deeds.slice(-3)).toEqual([
      'ledger:end CONFIRMED deletion owed',
      'consume',
      'ledger:deleted',
    ]);
    expect(bench.deeds).not.toContain('delete');
  });

  it('is repeated while the token lives, also when the body was cut', async () => {
    const bench = releaseBench(
      { consume: [fault('document-cut'), fault('cloud-busy')] },
      { finish: 'consume' },
    );
    await bench.release(ticketFor('one'));
    await bench.clock.advance(seconds(25));
    expect(bench.deeds.filter((deed) => deed === 'consume')).toHaveLength(3);
    expect(bench.deeds.at(-1)).toBe('ledger:deleted');
  });

  it('stays owed when the service refuses it', async () => {
    const bench = releaseBench({ consume: fault('cloud-denied') }, { finish: 'consume' });
    await bench.release(ticketFor('one'));
    await bench.clock.advance(minutes(5));
    expect(bench.deeds.slice(-2)).toEqual(['ledger:end CONFIRMED deletion owed', 'consume']);
  });

  it('is nothing for a document that did not come out', async () => {
    const bench = releaseBench({ prepare: fault('printer-not-ready') }, { finish: 'consume' });
    await bench.release(ticketFor('one'));
    expect(bench.deeds).not.toContain('consume');
  });
});

describe('finish: keep', () => {
  it('leaves the document where it is, and owes nothing', async () => {
    const bench = releaseBench({}, { finish: 'keep' });
    await bench.release(ticketFor('one'));
    expect(bench.outcomes()).toEqual(['completed']);
    expect(bench.deeds.at(-1)).toBe('ledger:end CONFIRMED');
  });
});
