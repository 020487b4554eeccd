/**
 * The calls of the simulated cloud: those a terminal makes, each with the tokens it takes (spec, Authentication;
 * api-supplement, sections 5 to 7). Anything else is 404, a known path with another method 405.
 */
import type { Answer, BearerKind, Call } from './cloud-call.ts';
import { Deviation, errorAnswer, json, Refusal } from './cloud-call.ts';
import { checkBalance } from './cloud-balance.ts';
import type { CloudContext } from './cloud-context.ts';
import { deleteDocument, documentContent, listDocuments } from './cloud-documents.ts';
import { recordJob } from './cloud-history.ts';
import { login } from './cloud-login.ts';
import { oauthDeviation } from './cloud-oauth-errors.ts';
import { listOutputPorts, reportTerminal, terminalConfig } from './cloud-output-ports.ts';
import { requireNoParameters } from './cloud-parameters.ts';
import { register } from './cloud-registration.ts';
import { requestToken } from './cloud-token-endpoint.ts';

export interface Route {
  readonly method: string;
  /** `<name>` stands for one segment, or the part of it up to what follows. */
  readonly path: string;
  /** `oauth`: no API key, no bearer. Otherwise the kinds of token the call takes. */
  readonly bearers: 'oauth' | readonly BearerKind[];
  answer(context: CloudContext, call: Call): Answer;
}

const route = (method: string, path: string, bearers: Route['bearers'], answer: Route['answer']): Route => ({
  method,
  path,
  bearers,
  answer,
});

const users = ['user'] as const;
const devices = ['device'] as const;
const either = ['device', 'user'] as const;
const anybody = ['none', 'device', 'user'] as const;

export const oauthRoutes: readonly Route[] = [
  route('POST', '/oauth/v1/register', 'oauth', register),
  route('POST', '/oauth/v1/token', 'oauth', requestToken),
];

export const apiRoutes: readonly Route[] = [
  route('GET', '/api/v1/version', anybody, version),
  route('POST', '/api/v1/login', devices, login),
  route('GET', '/api/v1/documents', users, listDocuments),
  route('GET', '/api/v1/documents/<uuid>.content', users, documentContent),
  route('POST', '/api/v1/documents/history', either, recordJob),
  route('DELETE', '/api/v1/documents/<uuid>', users, deleteDocument),
  route('GET', '/api/v1/outputports', either, listOutputPorts),
  route('PUT', '/api/v1/outputports/<outputportid>/terminalinfo', devices, reportTerminal),
  route('GET', '/api/v1/terminalconfig', either, terminalConfig),
  route('POST', '/api/v1/balance/check', users, checkBalance),
];

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
    : new Deviation('not a call that a terminal makes', 'spec, Endpoints', errorAnswer(404));
}

function pattern(template: string): RegExp {
  const escaped = template.replaceAll('.', String.raw`\.`);
  return new RegExp(`^${escaped.replaceAll(/<(\w+)>/g, '(?<$1>[^/]+)')}$`);
}

function decoded(groups: Record<string, string>): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, part]) => [name, decodeURIComponent(part)]));
  } catch {
    throw new Deviation('the path is not percent-encoded UTF-8', 'spec, General rules 1', errorAnswer(400));
  }
}

/** API key and bearer, before anything else of the call is looked at. */
export function admitCall(context: CloudContext, { bearers }: Route, call: Call): void {
  if (bearers === 'oauth') {
    if (call.headers.authorization !== undefined) {
      throw oauthDeviation('invalid_parameters', 'a bearer on an OAuth call', 'api-supplement 1');
    }
    return;
  }
  const section = 'spec, Authentication';
  const key = call.headers['x-api-key'];
  if (key === undefined) throw new Deviation('X-API-Key is missing', section, errorAnswer(403));
  if (key !== context.settings.apiKey) throw new Refusal('unknown API key', errorAnswer(403));
  const { caller } = call;
  if (caller.kind === 'unknown') throw new Refusal('the token is unknown or has expired', errorAnswer(401));
  if (!bearers.includes(caller.kind)) {
    const given = caller.kind === 'none' ? 'no token' : `a ${caller.kind} token`;
    throw new Deviation(`${given} where a ${bearers.join(' or ')} token belongs`, section, errorAnswer(403));
  }
  if (caller.kind === 'device' && caller.endpoint.trust !== 'approved') {
    throw new Refusal('the endpoint is not trusted', errorAnswer(403));
  }
}

/** ServerVersionInfo. */
function version(_: CloudContext, call: Call): Answer {
  requireNoParameters(call, 'spec, Version');
  return json(200, {
    version: '1.0.0-simulated',
    buildDate: '2026-01-01',
    buildTimeStamp: 1_767_225_600_000,
  });
}
