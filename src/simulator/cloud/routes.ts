/**
 * The calls of the simulated cloud: those a terminal makes, each with the tokens it takes and the permissions a user
 * token needs (spec, Endpoints and Authentication; src/cloud/README.md 5 to 7). What else the spec has is
 * `calls/lacks.ts`; anything beyond that is 404, a known path with another method 405.
 */
import type { Answer, BearerKind, Call } from './call.ts';
import { Deviation, errorAnswer } from './call.ts';
import { findAccount, listContainers, showAccount } from './calls/account/account.ts';
import { listAuthProviders } from './calls/people/auth-providers.ts';
import { checkBalance, showBalance } from './calls/balance/balance.ts';
import { listAuthorities, listChains, listRoots } from './calls/certificates/certificates.ts';
import type { CloudContext } from './context.ts';
import { relayCard, releaseToPort } from './calls/documents/delivery.ts';
import { deleteDocument, documentContent, listDocuments } from './calls/documents/documents.ts';
import { listEndpoints, showEndpoint } from './calls/account/endpoints.ts';
import { listGroups, showGroup } from './calls/people/groups.ts';
import { listHistory } from './calls/documents/history-list.ts';
import { recordJob } from './calls/documents/history.ts';
import { listInputPorts } from './calls/ports/input-ports.ts';
import { answerLacking, lackingCalls } from './calls/lacks.ts';
import { findLocations, showLocation } from './calls/account/locations.ts';
import { login } from './calls/people/login.ts';
import { listOutputPorts } from './calls/ports/output-ports.ts';
import type { Permission } from './permissions.ts';
import { changeOutputPort, createOutputPort } from './calls/ports/provisioning.ts';
import { register } from './calls/oauth/registration.ts';
import { createTerminalConfig, showTerminalConfig } from './calls/ports/terminal-config.ts';
import { reportTerminal } from './calls/ports/terminal-info.ts';
import { refreshDeprecated, requestToken } from './calls/oauth/token-endpoint.ts';
import { uploadDocument } from './calls/documents/upload.ts';
import { enrolCard, listGroupsOfUser, showUser } from './calls/people/users.ts';
import { version } from './calls/account/version.ts';

/**
 * `oauth`: no API key, no bearer. `keyless`: works without API key and bearer. `reading`: a user token, or, where the
 * settings let it, a device token. Otherwise the kinds of token the call takes.
 */
type Takes = 'oauth' | 'keyless' | 'reading' | readonly BearerKind[];

export interface Route {
  readonly method: string;
  /** `<name>` stands for one segment, or the part of it up to what follows. */
  readonly path: string;
  readonly takes: Takes;
  readonly permissions: readonly Permission[];
  answer(context: CloudContext, call: Call): Answer | Promise<Answer>;
}

type Row = readonly [
  method: string,
  path: string,
  takes: Takes,
  permissions: readonly Permission[],
  answer: Route['answer'],
];

const user = ['user'] as const;
const device = ['device'] as const;
const either = ['device', 'user'] as const;
const anybody = ['none', 'device', 'user'] as const;

const oauthRows: readonly Row[] = [
  ['POST', '/register', 'oauth', [], register],
  ['POST', '/token', 'oauth', [], requestToken],
];

const apiRows: readonly Row[] = [
  ['GET', '/version', anybody, [], version],
  ['GET', '/account', 'reading', ['ViewAccount'], showAccount],
  ['GET', '/account/containers', 'reading', ['ViewAccount'], listContainers],
  ['HEAD', '/account', 'keyless', [], findAccount],
  ['POST', '/login', device, [], login],
  ['GET', '/token', anybody, [], refreshDeprecated],

  ['GET', '/documents', user, ['ViewJob'], listDocuments],
  ['PUT', '/documents', either, ['AddJob'], uploadDocument],
  ['GET', '/documents/<uuid>.content', user, ['ViewJob'], documentContent],
  ['DELETE', '/documents/<uuid>', user, ['ViewJob', 'DeleteJob'], deleteDocument],
  ['POST', '/documents/<uuid>/<port>', user, ['ReleaseJob'], releaseToPort],
  ['POST', '/documents/history', either, [], recordJob],
  ['GET', '/documents/history', 'reading', ['ViewReport'], listHistory],

  ['GET', '/outputports', 'reading', ['ViewOutputPort'], listOutputPorts],
  ['POST', '/outputports', user, ['ViewOutputPort', 'CreateOutputPort'], createOutputPort],
  ['PATCH', '/outputports/<outputportid>', user, ['ViewOutputPort', 'ModifyOutputPort'], changeOutputPort],
  ['PUT', '/outputports/<outputportid>/terminalinfo', device, [], reportTerminal],
  ['GET', '/inputports', 'reading', ['ViewInputPort'], listInputPorts],
  ['GET', '/terminalconfig', either, [], showTerminalConfig],
  ['POST', '/terminalconfig', user, ['ViewTerminalConfig', 'CreateTerminalConfig'], createTerminalConfig],

  ['GET', '/users', 'reading', ['ViewUser'], showUser],
  ['POST', '/users/<username>/cards', user, ['ViewUser', 'ModifyUser', 'CardManagement'], enrolCard],
  ['GET', '/users/<username>/groups', 'reading', ['ViewUser'], listGroupsOfUser],
  ['GET', '/groups', 'reading', ['ViewUser'], listGroups],
  ['GET', '/groups/<groupid>', 'reading', ['ViewUser'], showGroup],

  ['GET', '/authproviders', 'keyless', ['ViewAuthenticationProviders'], listAuthProviders],
  ['GET', '/locations', 'reading', ['ViewLocations'], findLocations],
  ['GET', '/locations/<locationid>', 'reading', ['ViewLocations'], showLocation],
  ['GET', '/card', either, [], relayCard],
  ['POST', '/card', either, [], relayCard],

  ['GET', '/certificate/ca', 'reading', ['ViewCertificate'], listAuthorities],
  ['GET', '/certificate/chain', 'reading', ['ViewCertificate'], listChains],
  ['GET', '/certificate/root', either, [], listRoots],
  ['GET', '/endpoints', 'reading', ['ViewEndpoint'], listEndpoints],
  ['GET', '/endpoints/<endpointid>', either, ['ViewEndpoint'], showEndpoint],

  ['GET', '/balance', 'reading', ['ViewUserBalance'], showBalance],
  ['POST', '/balance/check', user, [], checkBalance],
];

const routesUnder = (prefix: string, rows: readonly Row[]): readonly Route[] =>
  rows.map(([method, path, takes, permissions, answer]) => ({
    ...{ method, takes, permissions, answer },
    path: `${prefix}${path}`,
  }));

export const oauthRoutes = routesUnder('/oauth/v1', oauthRows);
export const apiRoutes = routesUnder('/api/v1', apiRows);

const lackingRows = lackingCalls.map(({ method, path }): Row => [method, path, anybody, [], answerLacking]);
export const lackingRoutes = routesUnder('/api/v1', lackingRows);

/** The route of a call and the parts of its path; throws the 404 or 405. */
export function findRoute(
  routes: readonly Route[],
  { method, path }: { method: string; path: string },
): { route: Route; parts: Record<string, string> } {
  const found = routes.flatMap((one) => {
    const match = pattern(one.path).exec(path);
    return match ? [{ route: one, parts: decoded(match.groups ?? {}) }] : [];
  });
  const right = found.find((one) => one.route.method === method);
  if (right) return right;
  throw found.length > 0
    ? new Deviation(`${method} is not a method of this path`, 'spec, Endpoints', errorAnswer(405))
    : new Deviation('not a call that the specification knows', 'spec, Endpoints', errorAnswer(404));
}

/** Made once each: every call is held against all of them. */
const patterns = new Map<string, RegExp>();

function pattern(template: string): RegExp {
  const known = patterns.get(template);
  if (known) return known;
  const escaped = template.replaceAll('.', String.raw`\.`);
  const made = new RegExp(`^${escaped.replaceAll(/<(\w+)>/g, '(?<$1>[^/]+)')}$`);
  patterns.set(template, made);
  return made;
}

function decoded(groups: Record<string, string>): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, part]) => [name, decodeURIComponent(part)]));
  } catch {
    throw new Deviation('the path is not percent-encoded UTF-8', 'spec, General rules 1', errorAnswer(400));
  }
}
