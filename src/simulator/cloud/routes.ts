/**
 * The calls of the simulated cloud: those a terminal makes, each with the tokens it takes and the permissions a user
 * token needs (spec, Endpoints and Authentication; src/cloud/README.md 5 to 7). What else the spec has is
 * `calls/lacks.ts`; anything beyond that is 404, a known path with another method 405.
 */
import { findAccount, listContainers, showAccount } from './calls/account/account.ts';
import { listAuthProviders } from './calls/people/auth-providers.ts';
import { checkBalance, showBalance } from './calls/balance/balance.ts';
import { listAuthorities, listChains, listRoots } from './calls/certificates/certificates.ts';
import { relayCard, releaseToPort } from './calls/documents/delivery.ts';
import { deleteDocument, documentContent, listDocuments } from './calls/documents/documents.ts';
import { rowsOf } from './calls/collection.ts';
import { scanAccess } from './calls/scan/scan-access.ts';
import { scanConnectors } from './calls/scan/scan-connectors.ts';
import { scanWorkflows } from './calls/scan/scan-workflows.ts';
import { listEndpoints, showEndpoint } from './calls/account/endpoints.ts';
import { listGroups, showGroup } from './calls/people/groups.ts';
import { listHistory } from './calls/documents/history-list.ts';
import { recordJob } from './calls/documents/history.ts';
import { listInputPorts } from './calls/ports/input-ports.ts';
import { answerLacking, lackingCalls } from './calls/lacks.ts';
import { findLocations, showLocation } from './calls/account/locations.ts';
import { login } from './calls/people/login.ts';
import { listOutputPorts } from './calls/ports/output-ports.ts';
import { changeOutputPort, createOutputPort } from './calls/ports/provisioning.ts';
import { register } from './calls/oauth/registration.ts';
import { createTerminalConfig, showTerminalConfig } from './calls/ports/terminal-config.ts';
import { reportTerminal } from './calls/ports/terminal-info.ts';
import { refreshDeprecated, requestToken } from './calls/oauth/token-endpoint.ts';
import { uploadDocument } from './calls/documents/upload.ts';
import { enrolCard, listGroupsOfUser, showUser } from './calls/people/users.ts';
import { version } from './calls/account/version.ts';
import type { Row } from './route.ts';
import { routesUnder } from './route.ts';

const user = ['user'] as const;
const device = ['device'] as const;
const either = ['device', 'user'] as const;
const anybody = ['none', 'device', 'user'] as const;

const oauthRows: readonly Row[] = [
  ['POST', '/register', 'oauth', [], register],
  ['POST', '/token', 'oauth', [], requestToken],
];

const apiRows: readonly Row[] = [
  ['GET', '/version', anybody, [], version, 'free'],
  ['GET', '/account', 'reading', ['ViewAccount'], showAccount, 'free'],
  ['GET', '/account/containers', 'reading', ['ViewAccount'], listContainers],
  ['HEAD', '/account', 'keyless', [], findAccount, 'free'],
  ['POST', '/login', device, [], login, 'free'],
  ['GET', '/token', anybody, [], refreshDeprecated, 'free'],

  ['GET', '/documents', user, ['ViewJob'], listDocuments, 'free'],
  ['PUT', '/documents', either, ['AddJob'], uploadDocument, 'free'],
  ['GET', '/documents/<uuid>.content', user, ['ViewJob'], documentContent, 'free'],
  ['DELETE', '/documents/<uuid>', user, ['ViewJob', 'DeleteJob'], deleteDocument, 'free'],
  ['POST', '/documents/<uuid>/<port>', user, ['ReleaseJob'], releaseToPort, 'free'],
  ['POST', '/documents/history', either, [], recordJob],
  ['GET', '/documents/history', 'reading', ['ViewReport'], listHistory],

  ['GET', '/outputports', 'reading', ['ViewOutputPort'], listOutputPorts],
  ['POST', '/outputports', user, ['ViewOutputPort', 'CreateOutputPort'], createOutputPort],
  ['PATCH', '/outputports/<outputportid>', user, ['ViewOutputPort', 'ModifyOutputPort'], changeOutputPort],
  ['PUT', '/outputports/<outputportid>/terminalinfo', device, [], reportTerminal, 'free'],
  ['GET', '/inputports', 'reading', ['ViewInputPort'], listInputPorts, 'free'],
  ['GET', '/terminalconfig', either, [], showTerminalConfig, 'free'],
  ['POST', '/terminalconfig', user, ['ViewTerminalConfig', 'CreateTerminalConfig'], createTerminalConfig],

  ['GET', '/users', 'reading', ['ViewUser'], showUser],
  ['POST', '/users/<username>/cards', user, ['ViewUser', 'ModifyUser', 'CardManagement'], enrolCard, 'free'],
  ['GET', '/users/<username>/groups', 'reading', ['ViewUser'], listGroupsOfUser],
  ['GET', '/groups', 'reading', ['ViewUser'], listGroups],
  ['GET', '/groups/<groupid>', 'reading', ['ViewUser'], showGroup],

  ['GET', '/authproviders', 'keyless', ['ViewAuthenticationProviders'], listAuthProviders],
  ['GET', '/locations', 'reading', ['ViewLocations'], findLocations, 'free'],
  ['GET', '/locations/<locationid>', 'reading', ['ViewLocations'], showLocation, 'free'],
  ['GET', '/card', either, [], relayCard, 'free'],
  ['POST', '/card', either, [], relayCard, 'free'],

  ['GET', '/certificate/ca', 'reading', ['ViewCertificate'], listAuthorities],
  ['GET', '/certificate/chain', 'reading', ['ViewCertificate'], listChains],
  ['GET', '/certificate/root', either, [], listRoots],
  ['GET', '/endpoints', 'reading', ['ViewEndpoint'], listEndpoints],
  ['GET', '/endpoints/<endpointid>', either, ['ViewEndpoint'], showEndpoint],

  ...rowsOf(scanConnectors),
  ...rowsOf(scanWorkflows),
  ...rowsOf(scanAccess),

  ['GET', '/balance', 'reading', ['ViewUserBalance'], showBalance],
  ['POST', '/balance/check', user, [], checkBalance],
];

export const oauthRoutes = routesUnder('/oauth/v1', oauthRows);
export const apiRoutes = routesUnder('/api/v1', apiRows);

const lackingRows = lackingCalls.map(({ method, path }): Row => [method, path, anybody, [], answerLacking]);
export const lackingRoutes = routesUnder('/api/v1', lackingRows);
