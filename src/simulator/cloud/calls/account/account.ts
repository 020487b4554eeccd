/** Accounts and containers of the simulated cloud (spec, Account): seen, created, changed and deleted. */
import { z } from 'zod';
import { requirePermission } from '../../admission.ts';
import type { Answer, Call } from '../../call.ts';
import { done, empty, errorAnswer, errorCode, json, Refusal, refused } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { accountAskedFor, accountOf } from '../../context.ts';
import { nextId } from '../../kept-lists.ts';
import { answerList } from '../../paging.ts';
import { formBoolean, formId, formText, readForm, readQuery } from '../../parameters.ts';
import type { AccountInfo, InputPortInfo } from '../../records/account-records.ts';
import { container } from '../../records/account-records.ts';
import type { CloudState } from '../../state.ts';
import { forgetPlaces, renameInQueues } from '../ports/queue-places.ts';
import type { DomainFields } from './domain-list.ts';
import { domainFields, domainList, formTimezone } from './domain-list.ts';

export function showAccount(context: CloudContext, call: Call): Answer {
  const { parentId: _, ...account } = askedAccount(context, call);
  const [primaryDomain] = account.domainNames;
  return json(200, { ...account, ...(primaryDomain === undefined ? {} : { primaryDomain }) });
}

/** Tells a caller without a key whether the account exists. */
export function findAccount(context: CloudContext, call: Call): Answer {
  askedAccount(context, call);
  return empty(200);
}

/** ContainerInfo of the spec. */
export function listContainers(context: CloudContext, call: Call): Answer {
  const { accounts } = context.state;
  return answerList(context, call, {
    schema: z.strictObject({}),
    section: 'spec, Account',
    find: () =>
      accounts
        .filter(({ accountType }) => accountType === container)
        .map(({ id, name, domainNames, timezone }) => ({ id, name, domainNames, timezone })),
  });
}

function askedAccount({ state }: CloudContext, call: Call): AccountInfo {
  const schema = z.strictObject({ domainname: formText.optional() });
  const { domainname } = readQuery(call, { schema, section: 'spec, Account' });
  const account = accountAskedFor(state, call, domainname);
  if (!account) throw new Refusal('no such account', errorAnswer(404, errorCode.accountNotFound));
  return account;
}

const section = 'spec, Account';
const repeatable = ['domainname'];
const [vendor, customer] = [1, 2] as const;

const creation = z.strictObject({
  parentdomain: formText,
  accountname: formText,
  accounttype: z.enum(['1', '2', '3']),
  ...domainFields,
  applicationname: z.string().optional(),
  trustallclients: formBoolean.optional(),
  locationid: formId.optional(),
});

const mayCreate = { 1: 'CreateVendorAccount', 2: 'CreateAccount', 3: 'CreateContainer' } as const;

export function createAccount(context: CloudContext, call: Call): Answer {
  const form = readForm(call, { schema: creation, section, repeatable });
  requirePermission(context, call, mayCreate[form.accounttype]);
  const { state, chance } = context;
  const parent = accountOf(state, form.parentdomain);
  if (!parent) throw refused('no such account', 400, errorCode.accountNotFound);
  const accountType = accountTypes[form.accounttype];
  const stands = accountType === container ? parent.accountType !== vendor : parent.accountType === vendor;
  if (!stands) throw refused('no such account there', 400, errorCode.objectTree);
  const domainNames = domainList([], form);
  requireFree(context, domainNames, { code: errorCode.createAccount });
  const id = nextId(state, 'accounts');
  state.accounts.push({
    id,
    name: form.accountname,
    accountType,
    domainNames,
    uuid: chance.uuid(),
    parentId: parent.id,
  });
  context.tell(`account: ${form.accountname} is new`);
  return done(id);
}

const accountTypes = { 1: vendor, 2: customer, 3: container } as const;

const locales = [
  'pt-BR',
  'zh',
  'cs',
  'da',
  'nl',
  'en',
  'fr',
  'de',
  'id',
  'it',
  'ja',
  'ko',
  'ms',
  'no',
  'pl',
  'pt',
  'sk',
  'es',
  'sv',
  'th',
];

/** No call reports the last six fields, so they are checked but not stored. */
const change = z.strictObject({
  accountname: formText.optional(),
  ...domainFields,
  timezone: formTimezone.optional(),
  applicationname: z.string().optional(),
  trustallclients: z.string().optional(),
  locationid: z.string().optional(),
  locale: z.enum(locales).optional(),
  defaultpapersize: z.enum(['A3', 'A4', 'A5', 'Letter']).optional(),
  theme: z.enum(['blue', 'orange', 'purple', 'red', 'green', 'breeze']).optional(),
});

const mayModify = { 1: 'ModifyVendorAccount', 2: 'ModifyCustomerAccount', 3: 'ModifyAccount' } as const;

/** Changes the account of the request address, because no parameter names another account. */
export function changeAccount(context: CloudContext, call: Call): Answer {
  const form = readForm(call, { schema: change, section, repeatable, mayBeEmpty: true });
  const account = accountAskedFor(context.state, call);
  if (!account) throw refused('no account here', 404, errorCode.accountNotFound);
  requirePermission(context, call, mayModify[account.accountType]);
  changeIn(context, account, { ...form, name: form.accountname });
  return done(account.id);
}

const containerForm = z.strictObject({
  ...domainFields,
  containername: formText,
  applicationname: z.string().optional(),
  locationid: formId.optional(),
  timezone: formTimezone.optional(),
});

export function changeContainer(context: CloudContext, call: Call): Answer {
  const form = readForm(call, { schema: containerForm, section, repeatable });
  const account = namedContainer(context, call);
  changeIn(context, account, { ...form, name: form.containername });
  return done(account.id);
}

function changeIn(
  context: CloudContext,
  account: AccountInfo,
  given: DomainFields & { readonly name?: string | undefined; readonly timezone?: string | undefined },
): void {
  const { timezone: zone, ...rest } = account;
  const domainNames = domainList(account.domainNames, given);
  requireFree(context, domainNames, { code: errorCode.updateAccount, but: account });
  const timezone = given.timezone ?? zone ?? '';
  const changed = {
    ...rest,
    name: given.name ?? account.name,
    domainNames,
    ...(timezone === '' ? {} : { timezone }),
  };
  const { state } = context;
  state.accounts = state.accounts.map((one) => (one === account ? changed : one));
  if (account.accountType === container) renameContainer(state, account, changed.name);
  context.tell(`account: ${changed.name} is changed`);
}

function renameContainer(state: CloudState, { id, name: before }: AccountInfo, after: string): void {
  state.outputPorts = state.outputPorts.map((one) =>
    one.parentAccountOrContainerId === id ? { ...one, containerName: after } : one,
  );
  renameInQueues(state, 'containerName', { before, after });
}

export function deleteContainer(context: CloudContext, call: Call): Answer {
  const schema = z.strictObject({ withsubnodes: formBoolean.default(false) });
  const { withsubnodes } = readQuery(call, { schema, section });
  const { state } = context;
  const account = namedContainer(context, call);
  const below = [account.id, ...idsBelow(state.accounts, account.id)];
  const stands = ({ parentAccountOrContainerId: id }: { parentAccountOrContainerId: number }) =>
    below.includes(id);
  const names = state.accounts.filter(({ id }) => below.includes(id)).map(({ name }) => name);
  const waits = ({ containerName }: InputPortInfo) => names.some((name) => name === containerName);
  const isEmpty = below.length === 1 && !state.outputPorts.some(stands) && !state.inputPorts.some(waits);
  if (!isEmpty && !withsubnodes) throw refused('the container is not empty', 403, errorCode.deleteAccount);
  state.accounts = state.accounts.filter(({ id }) => !below.includes(id));
  state.outputPorts = state.outputPorts.filter((port) => !stands(port));
  state.inputPorts = state.inputPorts.filter((port) => !waits(port));
  forgetPlaces(state);
  context.tell(`account: ${account.name} is gone`);
  return done(account.id);
}

/** The ids of all accounts inside this one, at any depth. */
export function idsBelow(accounts: readonly AccountInfo[], id: number): readonly number[] {
  const children = accounts.filter(({ parentId }) => parentId === id).map((one) => one.id);
  return children.flatMap((child) => [child, ...idsBelow(accounts, child)]);
}

function namedContainer({ state }: CloudContext, { parts }: Call): AccountInfo {
  const found = state.accounts.find((one) => String(one.id) === parts['id'] && one.accountType === container);
  if (!found) throw refused('no such container', 404, errorCode.accountNotFound);
  return found;
}

function requireFree(
  { state }: CloudContext,
  domains: readonly string[],
  { code, but }: { code: number; but?: AccountInfo },
): void {
  const others = state.accounts.filter((one) => one !== but);
  const isTaken = others.some(({ domainNames }) => domainNames.some((one) => domains.includes(one)));
  if (isTaken) throw refused('a domain is taken', 400, code);
}
