/**
 * Authentication providers of the simulated cloud (spec, Authentication providers). A user token shows the secrets. The
 * API key alone shows them only if it allows unauthenticated requests (spec, Authentication 3).
 */
import { z } from 'zod';
import type { AuthenticationProvider } from '../../records/account-records.ts';
import type { Answer, Call } from '../../call.ts';
import { Deviation, errorAnswer, errorCode, Refusal, refused } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { answerList } from '../../paging.ts';
import { check, formId, readJson } from '../../parameters.ts';
import type { Collection } from '../collection.ts';

const section = 'spec, Authentication providers';
const schema = z.strictObject({ accountid: formId });

export function listAuthProviders(context: CloudContext, call: Call): Answer {
  const { state, settings } = context;
  const hasKey = call.headers['x-api-key'] !== undefined;
  const isEnough = settings.keyAllows.includes('unauthenticated-requests');
  const seesSecrets = hasKey && (call.caller.kind === 'user' || isEnough);
  return answerList(context, call, {
    schema,
    section,
    find({ accountid }) {
      if (!state.accounts.some((one) => one.id === accountid)) {
        throw new Refusal('no such account', errorAnswer(400, errorCode.accountNotFound));
      }
      return state.authProviders
        .filter((one) => one.accountId === accountid)
        .map(({ typeConfiguration, ...provider }) => ({
          ...provider,
          typeConfiguration: JSON.stringify(
            seesSecrets ? typeConfiguration : withoutSecrets(typeConfiguration),
          ),
        }));
    },
  });
}

const withoutSecrets = (configuration: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(configuration).filter(([name]) => !/secret|password/i.test(name)));

const text = z.string().optional();
const number = z.int().min(0).optional();

/** The keys of the spec. If the spec gives no type, a text or a number is accepted. */
const ldapConfiguration = z.strictObject({
  baseDN: text,
  groupBaseDN: text,
  address: text,
  port: number,
  ssl: z.boolean().optional(),
  userName: text,
  password: text,
  active: z.boolean().optional(),
  bindType: z.union([text, number]),
  searchMode: z.union([text, number]),
  userNameAttr: text,
  fullNameAttr: text,
  emailAttr: text,
  cardId1Attr: text,
  cardId2Attr: text,
  shortIdAttr: text,
  aliasAttr: text,
  homeFolderAttr: text,
  userAttrClass: text,
  groupAttrClass: text,
  nonEmptyAttrs: z.array(z.string()).length(8).optional(),
});
const configurations = {
  0: z.strictObject({}),
  1: ldapConfiguration,
  2: z.record(z.string(), z.unknown()),
  3: z.record(z.string(), z.unknown()),
} as const;

const providerData = z.strictObject({
  id: z.int().min(0).default(0),
  name: z.string().min(1),
  providerType: z.literal([0, 1, 2, 3]),
  typeConfiguration: z.string(),
  accountId: z.int().min(0),
  priority: z.int().default(0),
  active: z.boolean(),
  domainNames: z.array(z.string()),
});

type ProviderData = z.output<typeof providerData>;

const view = 'ViewAuthenticationProviders';
const modify = [view, 'ModifyAuthenticationProviders'] as const;

/** An id of 0 creates a new provider. */
export const authProviders: Collection<AuthenticationProvider, ProviderData> = {
  path: '/authproviders',
  section,
  permissions: { view: [view], create: modify, modify, remove: [view, 'DeleteAuthenticationProviders'] },
  calls: { save: 'code', remove: 'code' },
  missing: { change: 400, remove: 400 },
  codes: { change: errorCode.saveAuthProvider, remove: errorCode.deleteAuthProvider },
  items: (state) => state.authProviders,
  list: 'authProviders',
  read: (call) => readJson(call, { schema: providerData, section }),
  make(given, { context: { state }, id }) {
    if (!state.accounts.some((one) => one.id === given.accountId)) {
      throw refused('no such account', 400, errorCode.saveAuthProvider);
    }
    return { ...given, id, typeConfiguration: configurationOf(given) };
  },
};

/** JSON as text. For types other than local and LDAP, any content is accepted. */
function configurationOf({ providerType, typeConfiguration }: ProviderData) {
  const refusal = errorAnswer(400, errorCode.saveAuthProvider);
  return check(parsedOr(typeConfiguration, refusal), {
    schema: configurations[providerType],
    section,
    refusal,
  });
}

function parsedOr(written: string, refusal: Answer): unknown {
  try {
    return JSON.parse(written);
  } catch {
    throw new Deviation('typeConfiguration is not JSON', section, refusal);
  }
}
