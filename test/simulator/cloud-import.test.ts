/** The import of people into the simulated cloud: long lists, and lists that are not what they should be. */
import { expect, test } from 'vitest';
import type { Administrator } from './administrator.ts';
import { administratorOf } from './administrator.ts';

async function importInto(
  { cloud, token }: Administrator,
  list: string | Uint8Array<ArrayBuffer>,
  fields: Record<string, string> = {},
): Promise<number> {
  const body = new FormData();
  body.append('data', new File([list], 'people.csv'));
  const mapping = 'userName:0,firstName:1,lastName:2,email:3,group:4';
  const parts = { group: 'Imported', mapping, ...fields };
  for (const [name, value] of Object.entries(parts)) body.append(name, value);
  const headers = { 'x-api-key': cloud.apiKey, authorization: `Bearer ${token}` };
  return (await fetch(`${cloud.baseUrl}/api/v1/users/import`, { method: 'POST', body, headers })).status;
}

const namesIn = ({ cloud }: Administrator) => cloud.state.users.slice(4).map(({ userName }) => userName);

test('twenty thousand people are imported while somebody waits, and no id is given twice', async () => {
  await using at = await administratorOf();
  const rows = Array.from({ length: 20_000 }, (_, row) => `u${row},F,L,u@x,g${row % 100}`);
  expect(await importInto(at, rows.join('\n'))).toBe(200);
  const { users } = at.cloud.state;
  expect(new Set(users.map(({ id }) => id)).size).toBe(users.length);
  expect(await at.submit('PUT', '/users', { username: 'one-more' })).toMatchObject({ status: 200 });
});

test('a cell in quotation marks may hold the end of a line', async () => {
  await using at = await administratorOf();
  await importInto(at, '\ufeffdora,Dora,"Dent\r\nSmith",d@x,\r\n#hash,,,,\r\n');
  expect(namesIn(at)).toEqual(['dora', '#hash']);
  expect(at.cloud.state.users[4]).toMatchObject({ fullName: 'Dora Dent\r\nSmith', email: 'd@x' });
});

test.each([
  ['a list in another code than UTF-8', Buffer.from('d\xe9,,,,', 'latin1'), {}],
  ['a quotation mark that is not closed', 'dora,"Dora,Dent,,', {}],
  ['words behind a quotation mark', 'dora,"Do"ra,Dent,,', {}],
  ['a quotation mark between the cells', 'dora', { separator: '"' }],
  ['the end of a line between the cells', 'dora', { separator: '\n' }],
])('%s is refused, and nobody imported', async (_, list, fields) => {
  await using at = await administratorOf();
  expect(await importInto(at, list, fields)).toBe(400);
  expect([namesIn(at), at.cloud.deviations.length]).toEqual([[], 1]);
});
