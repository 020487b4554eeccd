/** Endpoints and the port DeviceTrust over the wire: spec, Endpoints and EndpointInfo. */
import { describe, expect, it } from 'vitest';
import { createEndpoints } from '../../../src/cloud/resources/endpoints.ts';
import { problemOf } from '../../support/cloud/cloud-under-test.ts';
import { answerJson } from '../../support/cloud/scripted-server.ts';
import {
  asUser,
  itGoesWithEitherToken,
  itRejectsRefusals,
  requestsOf,
  resourceWith,
} from './resource-under-test.ts';

const info = { endpointId: 'c-1', description: 'Lobby', endpointType: 'Printer', authorized: true };

describe('an endpoint', () => {
  it('is read by its id', async () => {
    await using under = await resourceWith(answerJson({ ...info, more: 1 }));
    expect(await createEndpoints(under.parts).read('c/1', asUser)).toEqual(info);
    expect(requestsOf(under)).toEqual(['GET /api/v1/endpoints/c%2F1']);
  });

  it.each([
    [true, true],
    [false, false],
  ])('that says authorized: %j is so', async (authorized, expected) => {
    await using under = await resourceWith(answerJson({ ...info, authorized, description: null }));
    expect(await createEndpoints(under.parts).isAuthorized('c-1', asUser)).toBe(expected);
  });

  it.each([{ authorized: undefined }, { authorized: 'true' }, { endpointId: '' }])(
    'with %j says nothing of its trust (I7)',
    async (wrong) => {
      await using under = await resourceWith(answerJson({ ...info, ...wrong }));
      const asked = createEndpoints(under.parts).isAuthorized('c-1', asUser);
      expect((await problemOf(asked)).code).toBe('cloud-protocol');
    },
  );

  itGoesWithEitherToken(
    (parts, options) => createEndpoints(parts).isAuthorized('c-1', options),
    answerJson(info),
  );
  itRejectsRefusals((parts, options) => createEndpoints(parts).isAuthorized('c-1', options));
});
