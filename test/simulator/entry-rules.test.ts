/** A person and a document of a seed, and the same ones that a test adds: both doors have the same rules and the same words. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SimulatedCloud } from '../../src/simulator/cloud/cloud.ts';
import { startCloud } from '../../src/simulator/cloud/cloud.ts';
import { readSeed } from '../../src/simulator/seed/seed-file.ts';
import { fieldsOf } from '../support/cloud/hand-client.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-entries-'));
});
afterAll(() => rm(folder, { recursive: true }));

const before = {
  groups: ['Crew'],
  users: [{ userName: 'dora', cards: ['0042'], shortId: '77' }],
  documents: [{ owner: 'dora', name: 'A.pdf', uuid: '0d7f0b6a-53d1-4f0f-9a39-6b2a3a0c9a11' }],
};
type List = 'users' | 'documents';

/** JSON is YAML. */
async function seeded(list?: List, entry?: object): Promise<SimulatedCloud> {
  const file = join(folder, 'seed.yaml');
  const seed = list === undefined ? before : { ...before, [list]: [...before[list], entry] };
  await writeFile(file, JSON.stringify(seed));
  return startCloud({ seed: readSeed(file) });
}

async function added(cloud: SimulatedCloud, list: List, entry: object) {
  const answer = await fetch(`${cloud.baseUrl}/simulator/${list}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(entry),
  });
  return { status: answer.status, body: await fieldsOf(answer) };
}

it.each<[string, List, object, string]>([
  ['the name of another', 'users', { userName: 'dora' }, 'userName: "dora" is the name of another user'],
  [
    'the card of another',
    'users',
    { userName: 'eve', cards: ['0001', '0042'] },
    'cards[1]: "0042" is the card of another person',
  ],
  ['a card twice', 'users', { userName: 'eve', cards: ['1', '1'] }, 'cards[1]: "1" is given twice'],
  [
    'the short id of another',
    'users',
    { userName: 'eve', shortId: '77' },
    'shortId: "77" is the short id of another user',
  ],
  [
    'a group that is not there',
    'users',
    { userName: 'eve', groups: ['Krew'] },
    'groups[0]: "Krew" is not among groups; did you mean Crew?',
  ],
  [
    'a group twice',
    'users',
    { userName: 'eve', groups: ['Crew', 'Crew'] },
    'groups[1]: "Crew" is given twice',
  ],
  [
    'a permission that is not there',
    'users',
    { userName: 'eve', permissions: ['ViewJobs'] },
    'permissions[0]: "ViewJobs" is not among the specification\'s permissions; did you mean ViewJob?',
  ],
  [
    'an owner who is not there',
    'documents',
    { owner: 'dorra', name: 'B.pdf' },
    'owner: "dorra" is not among users; did you mean dora?',
  ],
  ['no name', 'documents', { owner: 'dora' }, 'has neither a name nor a file; give one of them'],
  [
    'the uuid of another, in capitals',
    'documents',
    { owner: 'dora', name: 'B.pdf', uuid: '0D7F0B6A-53D1-4F0F-9A39-6B2A3A0C9A11' },
    'uuid: "0d7f0b6a-53d1-4f0f-9a39-6b2a3a0c9a11" is the uuid of another document',
  ],
])('%s is refused at both doors in the same words', async (_, list, entry, reported) => {
  await expect(seeded(list, entry)).rejects.toThrow(reported);
  await using cloud = await seeded();
  expect(await added(cloud, list, entry)).toEqual({
    status: 400,
    body: { error: expect.stringContaining(reported) },
  });
  expect([cloud.state.users.length, cloud.state.documents.length]).toEqual([1, 1]);
});

it('a uuid in capitals is kept in small letters at both doors (RFC 9562, section 4)', async () => {
  const entry = { owner: 'dora', name: 'B.pdf', uuid: '1D7F0B6A-53D1-4F0F-9A39-6B2A3A0C9A11' };
  await using begun = await seeded('documents', entry);
  await using cloud = await seeded();
  expect((await added(cloud, 'documents', entry)).status).toBe(200);
  for (const { state } of [begun, cloud]) {
    expect(state.documents.at(-1)?.info.uuid).toBe('1d7f0b6a-53d1-4f0f-9a39-6b2a3a0c9a11');
  }
});
