/** `POST /users/import` of the simulated cloud (spec, Users): a list of people becomes the users of one local group. */
import { z } from 'zod';
import type { Answer, Call } from '../../call.ts';
import { Deviation, done, errorAnswer, errorCode, refused } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { formBoolean, formText, readMultipart } from '../../parameters.ts';
import type { CloudUser } from '../../state.ts';
import { groupNamed } from './groups.ts';
import { blankUser, providerOf } from './user-accounts.ts';
import { replaceUser } from './users.ts';

const section = 'spec, POST /users/import';
const fieldNames = ['userName', 'firstName', 'lastName', 'email', 'group'] as const;
type Field = (typeof fieldNames)[number];
type Person = Readonly<Partial<Record<Field, string>>>;

const importForm = z.strictObject({
  group: formText,
  mapping: formText,
  separator: z.string().length(1).default(','),
  hasheader: formBoolean.default(false),
  /** It is done when the answer comes, either way. */
  async: formBoolean.default(false),
});

export async function importUsers(context: CloudContext, call: Call): Promise<Answer> {
  const { fields, data } = await readMultipart(call, { schema: importForm, section });
  const columns = columnsOf(fields.mapping);
  const lines = linesOf(await data.text(), fields.separator).slice(fields.hasheader ? 1 : 0);
  const people = lines.map(
    (cells): Person =>
      Object.fromEntries([...columns].map(([field, column]) => [field, cells[column]?.trim() ?? ''])),
  );
  if (people.some(({ userName = '' }) => userName === '')) {
    throw refused('a line without a user name', 400, errorCode.importUsers);
  }
  const group = groupNamed(context, fields.group);
  const providerId = providerOf(context, undefined);
  for (const person of people) importPerson(context, person, { providerId, groupId: group.id });
  deactivateOthers(context, group.id, people);
  context.tell(`users: ${people.length} are imported into ${fields.group}`);
  return done();
}

/** `userName:0,firstName:1,…`: each field once, the user name among them. */
function columnsOf(mapping: string): ReadonlyMap<Field, number> {
  const columns = new Map<Field, number>();
  for (const pair of mapping.split(',')) {
    const [, name, column] = /^(\w+):(\d{1,3})$/.exec(pair) ?? [];
    const field = fieldNames.find((one) => one === name);
    if (field === undefined || columns.has(field)) {
      throw new Deviation(`mapping: ${pair}`, section, errorAnswer(400, errorCode.importUsers));
    }
    columns.set(field, Number(column));
  }
  if (columns.has('userName')) return columns;
  throw new Deviation('mapping: no userName', section, errorAnswer(400, errorCode.importUsers));
}

/** Lines of cells, which may stand in quotation marks (RFC 4180, with any separator). */
function linesOf(text: string, separator: string): readonly (readonly string[])[] {
  const mark = separator.replace(/[\\\]^-]/, String.raw`\$&`);
  const cell = new RegExp(`(?:^|[${mark}])(?:"((?:[^"]|"")*)"|([^${mark}]*))`, 'g');
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) =>
      [...line.matchAll(cell)].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain),
    );
}

function importPerson(
  context: CloudContext,
  { userName = '', firstName = '', lastName = '', email = '', group = '' }: Person,
  { providerId, groupId }: { providerId: number; groupId: number },
): void {
  const { state } = context;
  const known = state.users.find((one) => one.userName === userName && one.providerId === providerId);
  const before = known ?? blankUser(context, userName, providerId);
  const further = group === '' ? [] : [groupNamed(context, group).id];
  const after: CloudUser = {
    ...before,
    ...(email === '' ? {} : { email }),
    fullName: `${firstName} ${lastName}`.trim() || before.fullName,
    groupIds: [...new Set([...before.groupIds, groupId, ...further])],
    isDeactivated: false,
  };
  if (known) replaceUser(context, known, after);
  else state.users.push(after);
}

/** Only users of the group that was sent. */
function deactivateOthers({ state }: CloudContext, groupId: number, people: readonly Person[]): void {
  state.users = state.users.map((one) =>
    one.groupIds.includes(groupId) && !people.some(({ userName }) => userName === one.userName)
      ? { ...one, isDeactivated: true }
      : one,
  );
}
