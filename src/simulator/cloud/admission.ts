/**
 * Decides whether a call to the simulated cloud is admitted. API key, bearer, trust and permissions are checked before
 * the content of the call (spec, Authentication; src/cloud/README.md 5).
 */
import { required } from '../../core/required.ts';
import type { BearerKind, Call, Caller } from './call.ts';
import { Deviation, errorAnswer, oauthDeviation, Refusal, refused } from './call.ts';
import type { CloudContext } from './context.ts';
import type { Permission } from './permissions.ts';
import type { Reading, Route } from './route.ts';
import type { KeyAllowance } from './settings.ts';
import { apiKeysOf } from './settings.ts';

const section = 'spec, Authentication';

export function admitCall(context: CloudContext, route: Route, call: Call): void {
  const { takes, permissions } = route;
  if (takes === 'oauth') {
    if (call.headers.authorization !== undefined) {
      throw oauthDeviation('invalid_parameters', 'a bearer on an OAuth call', 'src/cloud/README.md 1');
    }
    return;
  }
  const key = call.headers['x-api-key'];
  if (key === undefined && takes !== 'keyless') {
    throw new Deviation('X-API-Key is missing', section, errorAnswer(403));
  }
  if (key !== undefined && !apiKeysOf(context.settings).includes(String(key))) {
    throw new Refusal('unknown API key', errorAnswer(403));
  }
  if (key !== undefined && !isGranted(context, route)) {
    throw refused('the API key has not the advanced permissions', 403);
  }
  const { caller } = call;
  if (caller.kind === 'unknown') throw new Refusal('the token is unknown or has expired', errorAnswer(401));
  if (caller.kind === 'user' && caller.apiKey !== undefined && key !== undefined && caller.apiKey !== key) {
    throw new Deviation('another API key than that of the login', section, errorAnswer(403));
  }
  if (takes !== 'keyless') requireBearer(context, { ...route, takes }, caller);
  if (caller.kind === 'device' && caller.endpoint.trust !== 'approved') {
    throw new Refusal('the endpoint is not trusted', errorAnswer(403));
  }
  if (takes === 'reading' || takes === 'terminal-reading') requireReader(context, call, takes);
  const lacking =
    caller.kind === 'user' ? permissions.filter((one) => !caller.user.permissions.includes(one)) : [];
  if (lacking.length > 0) throw refused(`the user lacks ${lacking.join(' and ')}`, 403);
}

/**
 * For permissions beyond those of the route. A caller that was admitted without a user token has no user permissions to
 * check.
 */
export function requirePermission(
  context: CloudContext,
  { caller }: Call,
  ...permissions: Permission[]
): void {
  const has = caller.kind === 'user' ? caller.user.permissions : permissions;
  const isEnough = isGranted(context, { advanced: 'needed', permissions });
  if (!isEnough || !permissions.every((one) => has.includes(one))) {
    throw refused(`this needs ${permissions.join(' and ')}`, 403);
  }
}

/**
 * If some permissions are selected, every call is checked against them. If none is selected, only calls without
 * advanced permissions are allowed (spec, Authentication 2).
 */
function isGranted(
  { settings }: CloudContext,
  { advanced, permissions }: Pick<Route, 'advanced' | 'permissions'>,
): boolean {
  const { advancedPermissions: granted } = settings;
  if (granted === 'all') return true;
  return granted === 'none' ? advanced === 'free' : permissions.every((one) => granted.includes(one));
}

/**
 * The switches that a key needs if a token is missing. Each row has its source in the specification. The first matching
 * row counts.
 */
const withoutToken: readonly (readonly [calls: RegExp, needs: readonly KeyAllowance[], source: string])[] = [
  [/^POST \/api\/v1\/login$/, ['untrusted-endpoints'], 'Authentication 3, "every function except login"'],
  [/^GET \/api\/v1\/terminalconfig$/, ['untrusted-endpoints'], 'GET /terminalconfig'],
  [/ \/api\/v1\/documents/, ['untrusted-endpoints', 'unauthenticated-requests'], 'Authentication 3 and 4'],
  [/^/, ['unauthenticated-requests'], 'Authentication 3'],
];

function requireBearer(
  { settings: { keyAllows } }: CloudContext,
  { path, method, takes }: Route & { takes: Exclude<Route['takes'], 'oauth' | 'keyless'> },
  { kind }: Caller,
): void {
  // `requireReader` decides whether a device may read.
  if (takes === 'reading' && kind === 'device') return;
  const kinds = kindsOf(takes);
  if (kinds.some((one) => one === kind)) return;
  const [, needs, source] = required(
    withoutToken.find(([calls]) => calls.test(`${method} ${path}`)),
    'a row for every call',
  );
  if (kind !== 'user' && needs.every((one) => isLifted(one, kind, keyAllows))) return;
  const given = kind === 'none' ? 'no token' : `a ${kind} token`;
  throw new Deviation(
    `${given} where a ${kinds.join(' or ')} token belongs`,
    `spec, ${source}`,
    errorAnswer(403),
  );
}

function kindsOf(takes: Reading | readonly BearerKind[]): readonly BearerKind[] {
  if (takes === 'reading') return ['user'];
  return takes === 'terminal-reading' ? ['device', 'user'] : takes;
}

/**
 * In the specification, a device token may not read data that a user permission guards. A terminal must read some of
 * this data before a login (src/simulator/cloud/README.md).
 */
export function requireReader(context: CloudContext, call: Call, takes: Reading): void {
  const { readsFor, keyAllows } = context.settings;
  if (call.caller.kind !== 'device' || readsFor === 'devices-and-users') return;
  if (readsFor === 'users') throw refused('a device token is not enough here', 403);
  if (takes === 'terminal-reading' || keyAllows.includes('unauthenticated-requests')) return;
  const what = 'a device token where a user token belongs';
  if (readsFor === 'terminals-only') throw new Deviation(what, readingSection, errorAnswer(403));
  context.note(call, what, readingSection);
}

const readingSection = 'spec, Authentication 3';

/** A caller with a device token is a trusted endpoint. */
const isLifted = (need: KeyAllowance, kind: Caller['kind'], allowed: readonly KeyAllowance[]): boolean =>
  allowed.includes(need) || (need === 'untrusted-endpoints' && kind === 'device');
