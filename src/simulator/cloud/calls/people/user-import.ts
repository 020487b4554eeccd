/** `POST /users/import` of the simulated cloud (spec, Users): makes a list of people the users of a local group. */
import { z } from 'zod';
import { required } from '../../../../core/required.ts';
import { readCsvOf } from '../../../../core/text/csv.ts';
import type { Answer, Call } from '../../call.ts';
import { Deviation, done, errorAnswer, errorCode, refused } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { nextIds } from '../../kept-lists.ts';
import { formBoolean, formText, readMultipart } from '../../parameters.ts';
import type { CloudUser } from '../../state.ts';
import { groupNamed } from './groups.ts';
import { blankUser, providerOf } from './user-accounts.ts';

const section = 'spec, POST /users/import';
const fieldNames = ['userName', 'firstName', 'lastName', 'email', 'group'] as const;
type Field = (typeof fieldNames)[number];
type Person = Readonly<Partial<Record<Field, string>>>;

const importForm = z.strictObject({
  group: formText,
  mapping: formText,
  separator: z
    .string()
    .regex(/^[^"\r\n]$/, 'expected one character')
    .default(','),
  hasheader: formBoolean.default(false),
  /** Has no effect: the import is complete when the answer comes. */
  async: formBoolean.default(false),
});

export async function importUsers(context: CloudContext, call: Call): Promise<Answer> {
  const { fields, data } = await readMultipart(call, { schema: importForm, section });
  const columns = columnsOf(fields.mapping);
  const { rows, mistakes } = readCsvOf(textIn(await data.bytes()), fields.separator);
  const [mistake] = mistakes;
  if (mistake) throw unreadable(`line ${mistake.line}: ${mistake.message}`);
  const people = rows
    .slice(fields.hasheader ? 1 : 0)
    .map(
      ({ cells }): Person =>
        Object.fromEntries([...columns].map(([field, column]) => [field, cells[column] ?? ''])),
    );
  if (people.some(({ userName = '' }) => userName === '')) {
    throw refused('a line without a user name', 400, errorCode.importUsers);
  }
  const group = groupNamed(context, fields.group);
  const providerId = providerOf(context, undefined);
  importPeople(context, people, { providerId, groupId: group.id });
  context.tell(`users: ${people.length} are imported into ${fields.group}`);
  return done();
}

/** For example `userName:0,firstName:1,…`. Each field comes once, and the user name is required. */
function columnsOf(mapping: string): ReadonlyMap<Field, number> {
  const columns = new Map<Field, number>();
  for (const pair of mapping.split(',')) {
    const [, name, column] = /^(\w+):(\d{1,3})$/.exec(pair) ?? [];
    const field = fieldNames.find((one) => one === name);
    if (field === undefined || columns.has(field)) {
      throw unreadable(`mapping: ${pair}`);
    }
    columns.set(field, Number(column));
  }
  if (columns.has('userName')) return columns;
  throw unreadable('mapping: no userName');
}

const unreadable = (what: string): Deviation =>
  new Deviation(what, section, errorAnswer(400, errorCode.importUsers));

function textIn(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unreadable('the list is not UTF-8');
  }
}

interface Where {
  readonly providerId: number;
  readonly groupId: number;
}

/** Users of the sent group who are not in the list are deactivated. */
function importPeople(context: CloudContext, people: readonly Person[], where: Where): void {
  const { state } = context;
  const { groupId, providerId } = where;
  const known = new Map(
    state.users.filter((one) => one.providerId === providerId).map((one) => [one.userName, one]),
  );
  const groupIds = new Map<string, number>();
  const newcomers = [...new Set(people.map(({ userName = '' }) => userName))].filter(
    (one) => !known.has(one),
  );
  for (const [place, id] of nextIds(state, 'users', newcomers.length).entries()) {
    const userName = newcomers[place] ?? '';
    known.set(userName, blankUser(context, { userName, providerId, id }));
  }
  const imported = new Map<string, CloudUser>();
  for (const person of people) {
    const { userName = '', group = '' } = person;
    const before = required(imported.get(userName) ?? known.get(userName), userName);
    if (group !== '' && !groupIds.has(group)) groupIds.set(group, groupNamed(context, group).id);
    imported.set(userName, importedAs(before, person, [groupId, groupIds.get(group) ?? groupId]));
  }
  const kept = state.users.filter((one) => imported.get(one.userName)?.id !== one.id);
  const others = kept.map((one) =>
    one.groupIds.includes(groupId) && !imported.has(one.userName) ? { ...one, isDeactivated: true } : one,
  );
  state.users = [...others, ...imported.values()].toSorted((one, other) => one.id - other.id);
}

function importedAs(
  before: CloudUser,
  { firstName = '', lastName = '', email = '' }: Person,
  groups: readonly number[],
): CloudUser {
  return {
    ...before,
    ...(email === '' ? {} : { email }),
    fullName: `${firstName} ${lastName}`.trim() || before.fullName,
    groupIds: [...new Set([...before.groupIds, ...groups])],
    isDeactivated: false,
  };
}
