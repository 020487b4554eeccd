/** Whether a user may print at an output port, over the wire: spec, Output ports. */
import { expect, it } from 'vitest';
import type { ResourceDeps } from '../../../src/cloud/http/caller.ts';
import { createPermittedPorts } from '../../../src/cloud/resources/person/permitted-ports.ts';
import type { CallOptions } from '../../../src/domain/ports/call.ts';
import type { Login } from '../../../src/domain/user.ts';
import { asking, problemOf, userToken } from '../../support/cloud/cloud-under-test.ts';
import { answerJson } from '../../support/cloud/scripted-server.ts';
import { itRejectsRefusals, requestsOf, resourceWith } from './resource-under-test.ts';

const login: Login = {
  user: { id: 12, providerId: 3, userName: 'älice', fullName: 'Alice' },
  token: userToken,
};
const include = (parts: ResourceDeps, id: number, options: CallOptions = asking) =>
  createPermittedPorts(parts).include(id, login, options);
const ports = (...ids: readonly unknown[]) => ids.map((id) => ({ id, name: `Port ${String(id)}` }));

it('is asked for the user, with their token', async () => {
  await using under = await resourceWith(answerJson(ports(4, 7)));
  expect(await include(under.parts, 7)).toBe(true);
  expect(await include(under.parts, 8)).toBe(false);
  expect(requestsOf(under)[0]).toBe('GET /api/v1/outputports?username=%C3%A4lice&providerid=3');
  expect(under.server.asked[0]?.headers.authorization).toBe('Bearer canary-user-token');
});

it('no port at all is a no', async () => {
  await using under = await resourceWith(answerJson([]));
  expect(await include(under.parts, 7)).toBe(false);
});

it('is found on a later page', async () => {
  await using under = await resourceWith((response, _, count) =>
    answerJson(count === 1 ? { items: ports(1), nextPageToken: 'two' } : { items: ports(7) })(
      response,
      _,
      count,
    ),
  );
  expect(await include(under.parts, 7)).toBe(true);
  expect(requestsOf(under)).toHaveLength(2);
  expect(requestsOf(under)[1]).toContain('pagetoken=two');
});

it('a list with an entry that cannot be told from others is no answer, unless the port is there', async () => {
  await using under = await resourceWith(answerJson(ports(4, 'seven')));
  expect((await problemOf(include(under.parts, 7))).code).toBe('cloud-protocol');
  expect(await include(under.parts, 4)).toBe(true);
});

it('the answer is known with the port: a long list behind it is not waited for', async () => {
  const rest = Promise.withResolvers<void>();
  await using under = await resourceWith((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(JSON.stringify(ports(1, 7, 2)).slice(0, -1));
    response.on('close', rest.resolve);
    const more = JSON.stringify(ports(...Array.from({ length: 400 }, (_, n) => n + 10))).slice(1, -1);
    response.write(`,${more}`);
  });
  expect(await include(under.parts, 7)).toBe(true);
  // It is broken off, which says nothing of the service.
  await rest.promise;
  expect(under.logged).toEqual([]);
});

it('ends with the session', async () => {
  await using under = await resourceWith((response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('[');
  });
  const left = new AbortController();
  const asked = include(under.parts, 7, { signal: left.signal });
  await expect.poll(() => under.server.asked.length).toBe(1);
  left.abort(new Error('the person left'));
  await expect(asked).rejects.toThrow('the person left');
});

itRejectsRefusals((parts) => include(parts, 7));
