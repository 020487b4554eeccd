/** Lists, creates, changes and deletes users of the simulated cloud (spec, Users). */
import { z } from 'zod';
import { isoInstant } from '../../../../core/clock.ts';
import type { Answer, Call } from '../../call.ts';
import { requirePermission } from '../../admission.ts';
import { Deviation, done, errorAnswer, errorCode, json, refused } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { isOf } from '../../context.ts';
import { nextId } from '../../kept-lists.ts';
import { followPages, pageOf } from '../../paging.ts';
import { formBoolean, formId, formInteger, formText, readForm, readQuery } from '../../parameters.ts';
import { everydayPermissions } from '../../permissions.ts';
import type { CloudState, CloudUser } from '../../state.ts';
import type { DetailType } from './users.ts';
import { formDetailType, replaceUser, userInfo, withDetail } from './users.ts';

const section = 'spec, Users';

const listQuery = z.strictObject({ providerid: formId, maxrecords: formInteger(1, 1000).default(50) });

/** Always a PagedResult, because a bare list has no place for the page token. */
export function listUsers(context: CloudContext, call: Call): Answer {
  const { first, place } = followPages(context, call, section);
  const { providerid, maxrecords } = readQuery(first, { schema: listQuery, section });
  const found = context.state.users.filter((one) => one.providerId === providerid);
  const { page, ...paging } = pageOf(found, place, maxrecords);
  return json(200, { items: page.map((one) => userInfo(one, null)), ...paging });
}

const newUserForm = z.strictObject({
  username: formText,
  providerid: formId.optional(),
  detailtype: z.array(formDetailType).default([]),
  detaildata: z.array(z.string()).default([]),
});
const pairs = ['detailtype', 'detaildata'];

export function createUser(context: CloudContext, call: Call): Answer {
  const form = readForm(call, { schema: newUserForm, section, repeatable: pairs });
  if (form.detailtype.length !== form.detaildata.length) {
    throw new Deviation('detailtype and detaildata go in pairs', section, errorAnswer(400));
  }
  const providerId = providerOf(context, form.providerid);
  const { state } = context;
  const isTaken = state.users.some((one) => isCalled(one, form.username, providerId));
  const isUnknown = !state.authProviders.some((one) => one.id === providerId);
  if (isTaken || isUnknown) throw refused('no such provider, or a user it has', 400, errorCode.createUser);
  const details = form.detailtype.map((type, at) => [type, form.detaildata[at]] as const);
  const blank = blankUser(context, { userName: form.username, providerId });
  state.users.push(details.reduce((user, detail) => withDetail(context, user, detail), blank));
  context.tell(`user: ${form.username} is new`);
  return done();
}

/** A new user without details. */
export function blankUser(
  { state, clock, settings }: CloudContext,
  {
    userName,
    providerId,
    id = nextId(state, 'users'),
  }: Pick<CloudUser, 'userName' | 'providerId'> & { id?: number },
): CloudUser {
  return {
    id,
    providerId,
    accountId: state.accounts[0]?.id ?? 0,
    userName,
    fullName: '',
    email: '',
    department: '',
    shortId: '',
    cards: [],
    password: '',
    createdDate: isoInstant(clock.now()),
    groupIds: [],
    permissions: settings.newcomers === 'everyday' ? everydayPermissions : [],
  };
}

const changeForm = z.strictObject({
  providerid: formId.optional(),
  detailtype: z.array(formDetailType).min(1),
  detaildata: z.array(z.string()).default([]),
  invalidatetokens: formBoolean.default(false),
});

/** An extra permission that a change of this detail needs. */
const guarded: Readonly<Partial<Record<DetailType, 'CardManagement' | 'GenerateShortID'>>> = {
  4: 'CardManagement',
  5: 'GenerateShortID',
};

/** Only the first detail is changed. */
export function changeUser(context: CloudContext, call: Call): Answer {
  const form = readForm(call, { schema: changeForm, section, repeatable: pairs });
  const [type = '0'] = form.detailtype;
  const permission = guarded[type];
  if (permission) requirePermission(context, call, permission);
  const user = userOf(context, call, { providerid: form.providerid, code: errorCode.updateUser });
  replaceUser(context, user, withDetail(context, user, [type, form.detaildata[0]]));
  if (type === '3' && form.invalidatetokens) endSessions(context, user);
  context.tell(`user: ${user.userName} has another detail ${type}`);
  return done();
}

function endSessions({ state, tokens }: CloudContext, { id }: CloudUser): void {
  const own = state.refreshTokens.filter((one) => one.kind === 'user' && one.holder === id);
  for (const { family } of own) tokens.revoke(family);
}

export function deleteUser(context: CloudContext, call: Call): Answer {
  const { providerid } = readQuery(call, {
    schema: z.strictObject({ providerid: formId.optional() }),
    section,
  });
  const user = userOf(context, call, { providerid, code: errorCode.deleteUser });
  const { state } = context;
  state.users = state.users.filter((one) => one !== user);
  endSessions(context, user);
  forget(state, user);
  context.tell(`user: ${user.userName} is gone`);
  return done();
}

/** Without this, the data would belong to the next user of the same name. */
function forget(state: CloudState, user: CloudUser): void {
  const { userName, providerId, id } = user;
  state.documents = state.documents.filter((one) => !isOf(one, user));
  state.balances = state.balances.filter((one) => one.userName !== userName || one.providerId !== providerId);
  state.balanceTransactions = state.balanceTransactions.filter(({ userId }) => userId !== id);
  state.scanAccess = state.scanAccess.filter((one) => one.identityType !== 'User' || one.identityId !== id);
  state.accessControls = state.accessControls.filter(
    (one) => one.userName !== userName || one.authProviderId !== providerId,
  );
}

function userOf(
  context: CloudContext,
  { parts }: Call,
  { providerid, code }: { providerid: number | undefined; code: number },
): CloudUser {
  const providerId = providerOf(context, providerid);
  const user = context.state.users.find((one) => isCalled(one, parts['username'] ?? '', providerId));
  // The spec lists only 403.
  if (!user) throw refused('no such user', 403, code);
  return user;
}

const isCalled = (one: CloudUser, userName: string, providerId: number): boolean =>
  one.userName === userName && one.providerId === providerId;

/** By default, the local provider. */
export const providerOf = ({ state }: CloudContext, providerid: number | undefined): number =>
  providerid ?? state.authProviders.find((one) => one.providerType === 0)?.id ?? 0;
