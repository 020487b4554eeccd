import { describe, expect, it } from 'vitest';
import {
  orderedMembers,
  rowWordsOf,
  steadied,
  terminalsOf,
} from '../../../src/operations/page/gateway-list.ts';
import type { GatewaysView } from '../../../src/operations/page/place.ts';
import { wholeList } from '../../../src/operations/page/place.ts';
import type { Hurt } from '../../../src/domain/gateway-digest.ts';
import type { SeenGateway } from '../../../src/domain/ports/gateways.ts';
import { withTroubles } from '../../../src/operations/ui/overview.ts';
import { sampleFleet } from '../../support/operations/sample-digests.ts';

const hurtGateway = (hurt: Hurt): SeenGateway => {
  const [seen] = sampleFleet(1);
  if (!seen) throw new Error('a fleet of one');
  return { ...seen, digest: { ...seen.digest, hurt } };
};
const fleet = sampleFleet(1000).map(withTroubles);
const rows = new Map(fleet.map((seen) => [seen.digest.member, rowWordsOf(seen, 0)]));
const found = (view: Partial<GatewaysView> = {}) =>
  orderedMembers(fleet, rows, { ...wholeList, ...view }).flatMap((member) => rows.get(member) ?? []);

describe('the list of gateways', () => {
  it('has all of them, what is wrong first', () => {
    const words = found().map(({ word }) => word);
    expect(words.length).toBe(1000);
    expect(words.filter((word, place) => word !== words[place - 1])).toEqual([
      'silent',
      'nothing-prints',
      'trouble',
      'look',
      'in-order',
    ]);
  });

  it('has those alone that are like one of its words, and what hurt most first where that is wanted', () => {
    expect(new Set(found({ like: 'silent' }).map(({ word }) => word))).toEqual(new Set(['silent']));
    const waiting = found({ sort: 'waiting' }).map((row) => row.waiting);
    expect(waiting).toEqual(waiting.toSorted((one, other) => other - one));
    expect(
      found({ sort: 'name' })
        .map(({ name }) => name)
        .slice(0, 2),
    ).toEqual(['gw-0000', 'gw-0001']);
    const hurt = { failed: 2, unknown: 1, refused: 4 };
    const one = withTroubles(hurtGateway({ hour: hurt, day: hurt, line: [7] }));
    expect(rowWordsOf(one, 0).hurt).toBe(7);
  });

  it('leaves out what is in order where only what is wrong is wanted', () => {
    const troubled = found({ onlyTroubled: true });
    expect(troubled.length).toBeGreaterThan(0);
    expect(troubled.filter(({ word }) => word === 'in-order')).toEqual([]);
  });

  it.each([
    ['gw-0042', 1],
    ['GW-0042', 1],
    ['örebro depot', 8],
    ['Orebro depot', 8],
    ['القاهرة', 40],
    ['no such place', 0],
  ])('finds by %s %i of them', (search, count) => {
    expect(found({ search }).length).toBe(count);
  });

  it('finds by a problem, as its code or in words, and by a terminal that has it', () => {
    const codes = fleet.filter(({ digest }) =>
      digest.conditions.some(({ code }) => code === 'printer-unreachable'),
    );
    expect(found({ search: 'printer-unreachable' }).length).toBe(codes.length);
    expect(found({ search: 'printer unreachable' }).length).toBeGreaterThanOrEqual(codes.length);
    expect(found({ search: 'floor-4 unreachable' }).length).toBeGreaterThan(0);
  });

  it('by site keeps what is of a site together, the site with the worst gateway first', () => {
    const sites = found({ bySite: true }).map(({ site }) => site);
    const runs = sites.filter((site, place) => site !== sites[place - 1]);
    expect(runs.length).toBe(new Set(sites).size);
    expect(sites[0]).toBe(found()[0]?.site);
  });

  it('counts no terminal of a gateway that is silent', () => {
    const silent = [...rows.values()].filter(({ word }) => word === 'silent');
    expect(silent.length).toBeGreaterThan(0);
    expect(terminalsOf(silent)).toEqual({ ready: 0, served: 0 });
  });
});

describe('while a hand is at the list', () => {
  const isThere = (there: string) => (member: string) => there.includes(member);

  it('nothing of it moves, what comes new comes last, and what is gone goes', () => {
    const shown = ['a', 'b', 'c'];
    expect(steadied(shown, ['c', 'b', 'a'], isThere('abc'))).toBe(shown);
    expect(steadied(shown, ['d', 'a', 'b', 'c'], isThere('abcd'))).toEqual(['a', 'b', 'c', 'd']);
    expect(steadied(shown, ['c', 'a'], isThere('ac'))).toEqual(['a', 'c']);
  });

  it('what is not wanted any more stays until the hand has gone', () => {
    expect(steadied(['a', 'b'], ['b'], isThere('ab'))).toEqual(['a', 'b']);
  });
});
