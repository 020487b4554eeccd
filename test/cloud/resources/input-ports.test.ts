/** Input ports over the wire: spec, Input ports and InputPortInfo. */
import { describe, expect, it } from 'vitest';
import { createInputPorts } from '../../../src/cloud/resources/input-ports.ts';
import { answerJson } from '../../support/cloud/scripted-server.ts';
import {
  asUser,
  itGoesWithEitherToken,
  itRejectsRefusals,
  requestsOf,
  resourceWith,
} from './resource-under-test.ts';

const queue = { id: 3, name: 'Secure', portType: 0, outputPort: null, locationId: null, containerName: null };
const direct = { id: 4, name: 'Lobby', portType: 1, outputPort: 'Lobby', locationId: 9, containerName: 'HQ' };

describe('input ports', () => {
  it.each([
    ['bare', [queue, direct]],
    ['paged', { items: [queue, direct], recordsOnPage: 2 }],
  ])('are read from a %s list', async (_, answer) => {
    await using under = await resourceWith(answerJson(answer));
    expect(await createInputPorts(under.parts).list({}, asUser)).toEqual([
      { id: 3, name: 'Secure', kind: 'pull' },
      { id: 4, name: 'Lobby', kind: 'push', outputPort: 'Lobby', locationId: 9, containerName: 'HQ' },
    ]);
    expect(requestsOf(under)).toEqual(['GET /api/v1/inputports?enrichPorts=true']);
  });

  it('are asked for by user and by locations', async () => {
    await using under = await resourceWith(answerJson([]));
    const filter = { user: { userName: 'ann@x', providerId: 4 }, locationIds: [9, 11] };
    await createInputPorts(under.parts).list(filter, asUser);
    expect(requestsOf(under)).toEqual([
      'GET /api/v1/inputports?providerid=4&username=ann%40x&locationids=9&locationids=11&enrichPorts=true',
    ]);
  });

  it('that make no sense are left out', async () => {
    await using under = await resourceWith(answerJson([{ ...queue, portType: 2 }, { id: 1 }, null, direct]));
    const ports = await createInputPorts(under.parts).list({}, asUser);
    expect(ports.map(({ id }) => id)).toEqual([4]);
    expect(JSON.parse(under.logged.join(''))).toMatchObject({ list: 'input ports', unusable: 3 });
  });

  itGoesWithEitherToken((parts, options) => createInputPorts(parts).list({}, options), answerJson([]));
  itRejectsRefusals((parts, options) => createInputPorts(parts).list({}, options));
});
