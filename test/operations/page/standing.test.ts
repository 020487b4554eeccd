import { describe, expect, it } from 'vitest';
import type { GatewayDigest } from '../../../src/domain/gateway-digest.ts';
import type { SeenGateway } from '../../../src/domain/ports/gateways.ts';
import { standingOf } from '../../../src/operations/page/gateway-standing.ts';
import { withTroubles } from '../../../src/operations/ui/overview.ts';
import { sampleDigest } from '../../support/fleet/sample-digest.ts';

const seen = (digest: Partial<GatewayDigest> = {}, changes: Partial<SeenGateway> = {}) =>
  withTroubles({
    digest: sampleDigest({ at: '2026-11-25T04:00:00.000Z', ...digest }),
    hasTold: true,
    isSelf: false,
    isBeating: true,
    ageSeconds: 0,
    lastBeatSeconds: 1,
    ...changes,
  });
const terminals = (served: number, ready: number) => ({
  configured: served,
  served,
  ready,
  troubled: [],
});
const condition = (severity: 'error' | 'warning', scope = 'hall') => ({
  code: 'printer-not-ready' as const,
  severity,
  scope,
  since: '2026-11-25T03:00:00.000Z',
});

describe('how a gateway is', () => {
  it('is in order with nothing to say, and also when it serves no terminal at present', () => {
    expect(standingOf(seen(), 0)).toEqual({ word: 'in-order', faults: [] });
    expect(standingOf(seen({ terminals: terminals(0, 0) }), 0)).toEqual({ word: 'in-order', faults: [] });
  });

  it('is silent when its beats have ended', () => {
    expect(standingOf(seen({}, { isBeating: false, lastBeatSeconds: 40 }), 0)).toEqual({
      word: 'silent',
      faults: ['last heard 40 s ago'],
    });
  });

  it.each([
    [3, 'none of 3 terminals ready'],
    [1, 'its terminal is not ready'],
  ])('prints nothing with none of %i ready', (served, fault) => {
    expect(standingOf(seen({ terminals: terminals(served, 0) }), 0)).toEqual({
      word: 'nothing-prints',
      faults: [fault],
    });
  });

  it('has trouble with an error, and is to be looked at with a warning; both say where, and for how long', () => {
    expect(standingOf(seen({ conditions: [condition('error')] }), 0)).toEqual({
      word: 'trouble',
      faults: ['hall: printer not ready for 60 min'],
    });
    expect(standingOf(seen({ conditions: [condition('warning', 'agent')] }), 0)).toEqual({
      word: 'look',
      faults: ['printer not ready for 60 min'],
    });
  });

  it('says why a configuration was refused', () => {
    const refused = { version: 2, why: 'no such printer' };
    expect(standingOf(seen({ config: { version: 1, wanted: null, refused } }), 0)).toEqual({
      word: 'trouble',
      faults: ['configuration 2 refused: no such printer'],
    });
  });

  it('grows older with the answer that told it', () => {
    const silent = seen({}, { isBeating: false, lastBeatSeconds: 40 });
    expect(standingOf(silent, 30).faults).toEqual(['last heard 70 s ago']);
    expect(standingOf(seen({ conditions: [condition('error')] }), 3600).faults).toEqual([
      'hall: printer not ready for 2 h',
    ]);
  });

  it('says the gravest first', () => {
    const { word, faults } = standingOf(
      seen(
        { terminals: terminals(2, 0), conditions: [condition('warning'), condition('error', 'annex')] },
        { isBeating: false },
      ),
      0,
    );
    expect(word).toBe('silent');
    expect(faults).toEqual([
      'last heard 1 s ago',
      'none of 2 terminals ready',
      'annex: printer not ready for 60 min',
      'hall: printer not ready for 60 min',
    ]);
  });
});
