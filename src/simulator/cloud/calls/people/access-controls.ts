/**
 * Access controls of the simulated cloud (spec, Access controls): the roles of users and groups. They exist only on
 * primary servers. After a delete the ids are assigned anew, so a client must read them before each delete.
 */
import { z } from 'zod';
import type { Answer, Call } from '../../call.ts';
import { done, errorCode, refused } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { accountOf } from '../../context.ts';
import { answerList } from '../../paging.ts';
import { formText, readJson, readQuery } from '../../parameters.ts';
import type { AccessControl } from '../../records/account-records.ts';

const section = 'spec, Access controls';

const domain = z.strictObject({ accountdomain: formText });

const data = z
  .strictObject({
    authProviderId: z.int().min(0),
    roleName: z.enum(['Administrators', 'Users', 'Reporting', 'Support']),
    userName: z.string().min(1).optional(),
    groupName: z.string().min(1).optional(),
    groupDn: z.string().optional(),
  })
  .refine(({ userName, groupName }) => (userName === undefined) !== (groupName === undefined), {
    message: 'either userName or groupName',
  });

export function listAccessControls(context: CloudContext, call: Call): Answer {
  requirePrimary(context);
  const { state } = context;
  return answerList(context, call, {
    schema: domain.extend({ permissionsdomain: formText.optional() }),
    section,
    find({ accountdomain, permissionsdomain }) {
      const { id } = namedAccount(context, permissionsdomain ?? accountdomain);
      namedAccount(context, accountdomain);
      state.accessControlsSeen = true;
      return state.accessControls
        .filter(({ accountId }) => accountId === id)
        .map(({ accountId: _, ...control }) => control);
    },
  });
}

export function addAccessControl(context: CloudContext, call: Call): Answer {
  requirePrimary(context);
  const { accountdomain } = readQuery({ ...call, body: Buffer.alloc(0) }, { schema: domain, section });
  const body = readJson({ ...call, query: '' }, { schema: data, section });
  const { id: accountId } = namedAccount(context, accountdomain);
  const { state } = context;
  if (!state.authProviders.some((one) => one.id === body.authProviderId)) {
    throw refused('no such provider', 400, errorCode.saveAccessControl);
  }
  state.accessControls.push({ ...body, accountId, id: state.accessControls.length + 1 });
  return done();
}

export function deleteAccessControl(context: CloudContext, call: Call): Answer {
  requirePrimary(context);
  const { accountdomain } = readQuery(call, { schema: domain, section });
  const { id: accountId } = namedAccount(context, accountdomain);
  const { state } = context;
  if (!state.accessControlsSeen) context.note(call, 'a delete without reading the ids before it', section);
  const found = state.accessControls.find(
    (one) => String(one.id) === call.parts['id'] && one.accountId === accountId,
  );
  if (!found) throw refused('no such access control', 400, errorCode.deleteAccessControl);
  state.accessControls = sortedAnew(state.accessControls.filter((one) => one !== found));
  state.accessControlsSeen = false;
  return done();
}

/** Sorted by role and name, with ids from 1. */
const sortedAnew = (controls: readonly AccessControl[]): AccessControl[] =>
  controls
    .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
    .map((one, index) => ({ ...one, id: index + 1 }));

const keyOf = ({ roleName, userName, groupName }: AccessControl): string =>
  `${roleName} ${userName ?? groupName ?? ''}`;

function requirePrimary({ settings }: CloudContext): void {
  if (settings.role !== 'primary') throw refused('on primary servers only', 400);
}

function namedAccount({ state }: CloudContext, accountdomain: string) {
  const account = accountOf(state, accountdomain);
  if (!account) throw refused('no such account', 400, errorCode.accountNotFound);
  return account;
}
