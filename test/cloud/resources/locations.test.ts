/** Locations over the wire: spec, Locations and LocationInfo. */
import { describe, expect, it } from 'vitest';
import { createLocations } from '../../../src/cloud/resources/locations.ts';
import { answerJson } from '../../support/cloud/scripted-server.ts';
import {
  asUser,
  itGoesWithEitherToken,
  itRejectsRefusals,
  requestsOf,
  resourceWith,
} from './resource-under-test.ts';

const info = {
  id: 9,
  name: 'Head office',
  sortOrder: 1,
  identifiers: [
    { locationType: 'GATEWAY_IP', searchValue: '10.0.0.5' },
    { locationType: 'MOON', searchValue: 'x' },
  ],
};
const read = {
  id: 9,
  name: 'Head office',
  sortOrder: 1,
  identifiers: [{ type: 'GATEWAY_IP', value: '10.0.0.5' }],
};

const gateway = { type: 'GATEWAY_IP', value: '10.0.0.5' } as const;

describe('locations', () => {
  it.each([
    ['bare', [info, { name: 'no id' }]],
    ['paged', { items: [info] }],
  ])('are found by addresses, in a %s list', async (_, answer) => {
    await using under = await resourceWith(answerJson(answer));
    const found = await createLocations(under.parts).find(
      [
        { type: 'GATEWAY_IP', value: '10.0.0.5' },
        { type: 'SUBNET', value: '10.0.0.0/24' },
        { type: 'WIFI_SSID', value: 'guests & co' },
      ],
      asUser,
    );
    expect(found).toEqual([read]);
    expect(requestsOf(under)).toEqual([
      'GET /api/v1/locations?locationtype=1&locationdata=10.0.0.5&locationtype=2&locationdata=10.0.0.0%2F24' +
        '&locationtype=4&locationdata=guests%20%26%20co',
    ]);
  });

  itGoesWithEitherToken((parts, options) => createLocations(parts).find([gateway], options), answerJson([]));
  itRejectsRefusals((parts, options) => createLocations(parts).find([gateway], options));
});

describe('a location', () => {
  it('is not asked for by who has no address', async () => {
    await using under = await resourceWith(answerJson([read]));
    expect(await createLocations(under.parts).find([], asUser)).toEqual([]);
    expect(requestsOf(under)).toEqual([]);
  });
});
