/** A file that somebody brings becomes their waiting document: spec, GET /inputports and PUT /documents. */
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createBringing } from '../../../src/cloud/resources/person/bringing.ts';
import type { Login } from '../../../src/domain/user.ts';
import { asking, problemOf, userToken } from '../../support/cloud/cloud-under-test.ts';
import { answerJson, answerStatus } from '../../support/cloud/scripted-server.ts';
import { resourceWith } from './resource-under-test.ts';

const ann: Login = {
  user: { id: 7, providerId: 4, userName: 'ann', fullName: 'Ann' },
  token: userToken,
};
const port = (name: string, portType: number) => ({ id: name.length, name, portType });

describe('the queue of a file', () => {
  it.each([
    [[port('Push', 1), port('Pull', 0), port('Other', 0)], undefined, 'Pull'],
    [[port('Pull', 0), port('Other', 0)], 'Other', 'Other'],
    [[port('Pull', 0)], 'No such', undefined],
    [[port('Push', 1)], 'Push', undefined],
    [[], undefined, undefined],
  ])('is of %j, wanted %s: %s', async (ports, wanted, name) => {
    await using under = await resourceWith(answerJson(ports));
    expect(await createBringing(under.parts).queue(wanted, ann, asking)).toBe(name);
    const [asked] = under.server.asked;
    expect(asked?.url).toMatch(/^\/api\/v1\/inputports\?providerid=4&username=ann/);
    expect(asked?.headers).toMatchObject({ authorization: 'Bearer canary-user-token' });
  });

  it('is not told to everybody', async () => {
    await using under = await resourceWith(answerStatus(403));
    expect((await problemOf(createBringing(under.parts).queue(undefined, ann, asking))).code).toBe(
      'cloud-denied',
    );
  });
});

it('a file goes with their own token, under their name, with its extension', async () => {
  await using under = await resourceWith(answerJson({ uuid: 'a-1' }));
  const stream = Readable.from([Buffer.from('JFIF')], { objectMode: false });
  const file = { name: 'Beach.jpeg', octets: 4, stream };
  expect(await createBringing(under.parts).bring(file, { queue: 'Pull' }, ann, asking)).toBe('a-1');
  const [asked] = under.server.asked;
  expect(asked?.headers).toMatchObject({ authorization: 'Bearer canary-user-token' });
  const form = await new Response(asked?.body, {
    headers: { 'content-type': asked?.headers['content-type'] ?? '' },
  }).formData();
  const { data: _, ...fields } = Object.fromEntries(form);
  expect(fields).toEqual({ providerid: '4', username: 'ann', portname: 'Pull', title: 'Beach.jpeg' });
});
