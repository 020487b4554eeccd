import { expect, it } from 'vitest';
import { conditionGroups } from '../../../src/operations/page/condition-groups.ts';
import { withTroubles } from '../../../src/operations/ui/overview.ts';
import { sampleFleet } from '../../support/operations/sample-digests.ts';
import { sampleStatus } from '../sample-status.ts';

it('has each code once, errors first, then what is most frequent, with every place', () => {
  const fleet = sampleFleet(1000).map(withTroubles);
  const groups = conditionGroups(fleet, undefined);
  const all = fleet.flatMap(({ digest }) => digest.conditions);
  expect(groups.reduce((sum, { places }) => sum + places.length, 0)).toBe(all.length);
  expect(new Set(groups.map(({ code }) => code)).size).toBe(groups.length);
  const order = groups.map(({ severity, places }) => (severity === 'error' ? 10_000 : 0) + places.length);
  expect(order).toEqual(order.toSorted((one, other) => other - one));
});

it('has of the gateway that is asked all there is, with what was seen', () => {
  const groups = conditionGroups(sampleFleet(3).map(withTroubles), sampleStatus);
  const ours = groups.flatMap(({ places }) => places).filter(({ isSelf }) => isSelf);
  expect(ours.map(({ scope }) => scope).sort()).toEqual(['agent', 'floor-1', 'floor-3']);
  expect(ours.every(({ detail }) => detail !== undefined)).toBe(true);
});
