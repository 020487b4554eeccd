/**
 * All calls of the spec in the simulated cloud, each with its tokens and the permissions of a user token (spec,
 * Endpoints and Authentication; src/cloud/README.md 5 to 7). An unknown path is 404, and a known path with another
 * method is 405.
 */
import {
  changeAccount,
  changeContainer,
  createAccount,
  deleteContainer,
  findAccount,
  listContainers,
  showAccount,
} from './calls/account/account.ts';
import { authProviders, listAuthProviders } from './calls/people/auth-providers.ts';
import { checkBalance, showBalance } from './calls/balance/balance.ts';
import {
  addAuthority,
  addChain,
  deleteAuthority,
  deleteChain,
  listAuthorities,
  listChains,
  listRoots,
} from './calls/certificates/certificates.ts';
import { relayCard, releaseToPort } from './calls/documents/delivery.ts';
import { deleteDocument, documentContent, listDocuments } from './calls/documents/documents.ts';
import { rowsOf } from './calls/collection.ts';
import { scanAccess, scanConnectors, scanWorkflows } from './calls/scanning.ts';
import { listEndpoints, showEndpoint } from './calls/account/endpoints.ts';
import { addGroups, groups, listMembers, removeGroups, replaceGroups } from './calls/people/groups.ts';
import { listHistory, recordJob } from './calls/documents/history.ts';
import { inputPorts, listInputPorts } from './calls/ports/input-ports.ts';
import { findLocations, locations } from './calls/account/locations.ts';
import { login } from './calls/people/login.ts';
import { listOutputPorts, moveOutputPort, outputPorts } from './calls/ports/output-ports.ts';
import { authorize, showConfiguration } from './calls/oauth/authorization-code.ts';
import { register } from './calls/oauth/registration.ts';
import { createTerminalConfig, reportTerminal, showTerminalConfig } from './calls/ports/terminals.ts';
import { refreshDeprecated, requestToken } from './calls/oauth/token-endpoint.ts';
import { uploadDocument } from './calls/documents/upload.ts';
import { enrolCard, listGroupsOfUser, showUser } from './calls/people/users.ts';
import { version } from './calls/account/version.ts';
import { listAuditLogs } from './calls/account/audit-logs.ts';
import {
  balancePolicies,
  changeDefaultPolicy,
  listPolicies,
  orderPolicies,
  showDefaultPolicy,
} from './calls/balance/policies.ts';
import {
  changeBalanceConfig,
  listTransactions,
  makeTransaction,
  showBalanceConfig,
} from './calls/balance/transactions.ts';
import { addAccessControl, deleteAccessControl, listAccessControls } from './calls/people/access-controls.ts';
import { changeUser, createUser, deleteUser, listUsers } from './calls/people/user-accounts.ts';
import { importUsers } from './calls/people/user-import.ts';
import { quartet } from './permissions.ts';
import type { Row } from './route.ts';
import { routesUnder } from './route.ts';

const user = ['user'] as const;
const device = ['device'] as const;
const either = ['device', 'user'] as const;
const anyCaller = ['none', 'device', 'user'] as const;
const roles = quartet('AccessControls');

const oauthRows: readonly Row[] = [
  ['GET', '/.well-known/openid-configuration', 'oauth', [], showConfiguration],
  ['GET', '/authorize', 'oauth', [], authorize],
  ['GET', '/register', 'oauth', [], register],
  ['POST', '/register', 'oauth', [], register],
  ['GET', '/token', 'oauth', [], requestToken],
  ['POST', '/token', 'oauth', [], requestToken],
];

const apiRows: readonly Row[] = [
  ['GET', '/version', anyCaller, [], version, 'free'],
  ['GET', '/account', 'terminal-reading', ['ViewAccount'], showAccount, 'free'],
  ['PUT', '/account', user, ['ViewAccount'], createAccount],
  ['PATCH', '/account', user, ['ViewAccount'], changeAccount],
  ['GET', '/account/containers', 'reading', ['ViewAccount'], listContainers],
  ['PUT', '/account/container/<id>', user, ['ViewAccount', 'ModifyAccount'], changeContainer],
  ['DELETE', '/account/container/<id>', user, ['ViewAccount', 'DeleteAccount'], deleteContainer],
  ['HEAD', '/account', 'keyless', [], findAccount, 'free'],
  ['POST', '/login', device, [], login, 'free'],
  ['GET', '/token', anyCaller, [], refreshDeprecated, 'free'],

  ['GET', '/documents', user, ['ViewJob'], listDocuments, 'free'],
  ['PUT', '/documents', either, ['AddJob'], uploadDocument, 'free'],
  ['GET', '/documents/<uuid>.content', user, ['ViewJob'], documentContent, 'free'],
  ['DELETE', '/documents/<uuid>', user, ['ViewJob', 'DeleteJob'], deleteDocument, 'free'],
  ['POST', '/documents/<uuid>/<port>', user, ['ReleaseJob'], releaseToPort, 'free'],
  ['POST', '/documents/history', either, [], recordJob],
  ['GET', '/documents/history', 'terminal-reading', ['ViewReport'], listHistory],

  ['GET', '/outputports', 'terminal-reading', ['ViewOutputPort'], listOutputPorts],
  ...rowsOf(outputPorts),
  ['PUT', '/outputports/<outputportid>/move', user, ['ViewOutputPort', 'ModifyOutputPort'], moveOutputPort],
  ['PUT', '/outputports/<outputportid>/terminalinfo', device, [], reportTerminal, 'free'],
  ['GET', '/inputports', 'terminal-reading', ['ViewInputPort'], listInputPorts, 'free'],
  ...rowsOf(inputPorts),
  ['GET', '/terminalconfig', either, [], showTerminalConfig, 'free'],
  ['POST', '/terminalconfig', user, ['ViewTerminalConfig', 'CreateTerminalConfig'], createTerminalConfig],

  ['GET', '/users', 'reading', ['ViewUser'], showUser],
  ['GET', '/users/all', 'reading', ['ViewUser'], listUsers],
  ['PUT', '/users', user, ['ViewUser', 'CreateUser'], createUser],
  ['POST', '/users/import', user, ['CreateUser', 'ModifyUser'], importUsers],
  ['POST', '/users/<username>', user, ['ViewUser', 'ModifyUser'], changeUser],
  ['DELETE', '/users/<username>', user, ['ViewUser', 'DeleteUser'], deleteUser],
  ['POST', '/users/<username>/cards', user, ['ViewUser', 'ModifyUser', 'CardManagement'], enrolCard, 'free'],
  ['GET', '/users/<username>/groups', 'reading', ['ViewUser'], listGroupsOfUser],
  ['PUT', '/users/<username>/groups', user, ['ViewUser', 'ModifyUser'], addGroups],
  ['POST', '/users/<username>/groups', user, ['ViewUser', 'ModifyUser'], replaceGroups],
  ['DELETE', '/users/<username>/groups', user, ['ViewUser', 'ModifyUser'], removeGroups],
  ...rowsOf(groups),
  ['GET', '/groups/<groupid>/members', 'reading', ['ViewUser'], listMembers],

  ['GET', '/authproviders', 'keyless', ['ViewAuthenticationProviders'], listAuthProviders],
  ...rowsOf(authProviders),
  ['GET', '/accesscontrols', 'reading', roles.view, listAccessControls],
  ['PUT', '/accesscontrols', user, roles.create, addAccessControl],
  ['DELETE', '/accesscontrols/<id>', user, roles.remove, deleteAccessControl],
  ['GET', '/locations', 'terminal-reading', ['ViewLocations'], findLocations, 'free'],
  ...rowsOf(locations),
  ['GET', '/card', either, [], relayCard, 'free'],
  ['POST', '/card', either, [], relayCard, 'free'],

  ['GET', '/certificate/ca', 'terminal-reading', ['ViewCertificate'], listAuthorities],
  ['GET', '/certificate/chain', 'reading', ['ViewCertificate'], listChains],
  ['POST', '/certificate/ca', user, ['ModifyCertificate'], addAuthority],
  ['POST', '/certificate/chain', user, ['ModifyCertificate'], addChain],
  ['DELETE', '/certificate/ca/<alias>', user, ['DeleteCertificate'], deleteAuthority],
  ['DELETE', '/certificate/chain/<alias>', user, ['DeleteCertificate'], deleteChain],
  ['GET', '/certificate/root', either, [], listRoots],
  ['GET', '/logs/auditlogs', 'reading', ['ViewLog'], listAuditLogs],
  ['GET', '/endpoints', 'reading', ['ViewEndpoint'], listEndpoints],
  ['GET', '/endpoints/<endpointid>', either, ['ViewEndpoint'], showEndpoint],

  ...rowsOf(scanConnectors),
  ...rowsOf(scanWorkflows),
  ...rowsOf(scanAccess),

  ['GET', '/balance', 'reading', ['ViewUserBalance'], showBalance],
  ['POST', '/balance/check', user, [], checkBalance],
  ['GET', '/balance/config', 'reading', ['ViewUserBalance'], showBalanceConfig],
  ['PUT', '/balance/config', user, ['ModifyBalancePricing'], changeBalanceConfig],
  ['GET', '/balance/transactions', 'reading', ['ViewUserBalance'], listTransactions],
  ['POST', '/balance/transactions', user, ['ModifyUserBalance'], makeTransaction],
  ['GET', '/balance/policies', 'reading', ['ViewUserBalance'], listPolicies],
  ['GET', '/balance/policies/default', 'reading', ['ViewUserBalance'], showDefaultPolicy],
  ['PUT', '/balance/policies/default', user, ['ModifyUserBalance'], changeDefaultPolicy],
  ['PUT', '/balance/policies/order', user, ['ModifyUserBalance'], orderPolicies],
  ...rowsOf(balancePolicies),
];

export const oauthRoutes = routesUnder('/oauth/v1', oauthRows);
export const apiRoutes = routesUnder('/api/v1', apiRows);
