/** The routes of the simulated cloud: the callers of each call, and the search for the route of a request. */
import type { Answer, BearerKind, Call } from './call.ts';
import { Deviation, errorAnswer } from './call.ts';
import type { CloudContext } from './context.ts';
import type { Permission } from './permissions.ts';

/**
 * `oauth`: no API key and no bearer. `keyless`: works without API key and bearer. `reading`: a user token, and by the
 * settings also a device token. `terminal-reading`: the same for data that a terminal reads before a login. Otherwise
 * it is the list of accepted token kinds.
 */
export type Takes = 'oauth' | 'keyless' | Reading | readonly BearerKind[];
export type Reading = 'reading' | 'terminal-reading';

export interface Route {
  readonly method: string;
  /** `<name>` stands for a segment, or for the part of it before the next fixed text. */
  readonly path: string;
  readonly takes: Takes;
  readonly permissions: readonly Permission[];
  /** `free`: an API key may make the call without advanced permissions (NoAdv in the spec). */
  readonly advanced: 'needed' | 'free';
  answer(context: CloudContext, call: Call): Answer | Promise<Answer>;
}

export type Row = readonly [
  method: string,
  path: string,
  takes: Takes,
  permissions: readonly Permission[],
  answer: Route['answer'],
  advanced?: Route['advanced'],
];

export const routesUnder = (prefix: string, rows: readonly Row[]): readonly Route[] =>
  rows.map(([method, path, takes, permissions, answer, advanced = 'needed']) => ({
    method,
    takes,
    permissions,
    answer,
    advanced,
    path: `${prefix}${path}`,
  }));

/** Gives the route of a call and the parts of its path. Throws the 404 or 405. */
export function findRoute(
  routes: readonly Route[],
  { method, path }: { method: string; path: string },
): { route: Route; parts: Record<string, string> } {
  // Most calls have no parts: their path equals the template.
  const index = indexes.get(routes) ?? indexOf(routes);
  const plain = index.plain.get(`${method} ${path}`);
  if (plain) return { route: plain, parts: {} };
  const near = index.byResource.get(resourceOf(path)) ?? [];
  const found = near.flatMap(({ route, pattern }) => {
    const match = pattern.exec(path);
    return match ? [{ route, parts: decoded(match.groups ?? {}) }] : [];
  });
  const right = found.find((one) => one.route.method === method);
  if (right) return right;
  if (found.length === 0) {
    throw new Deviation('not a call that the specification knows', 'spec, Endpoints', errorAnswer(404));
  }
  const allow = [...new Set(found.map((one) => one.route.method))].join(', ');
  const refusal = { ...errorAnswer(405), headers: { allow } }; // RFC 9110 section 15.5.6
  throw new Deviation(`${method} is not a method of this path: ${allow}`, 'spec, Endpoints', refusal);
}

interface FoundByPath {
  readonly route: Route;
  readonly pattern: RegExp;
}

interface RouteIndex {
  /** By method and path. */
  readonly plain: ReadonlyMap<string, Route>;
  /** By the beginning of the path, so that a call is compared only with the routes of its resource. */
  readonly byResource: ReadonlyMap<string, readonly FoundByPath[]>;
}

/** Built once per list of routes. */
const indexes = new WeakMap<readonly Route[], RouteIndex>();

/** The resource of a path, for example `/api/v1/documents`. No template has a `<name>` in this part. */
const resourceOf = (path: string): string => path.split('/', 4).join('/');

function indexOf(routes: readonly Route[]): RouteIndex {
  const index = {
    plain: new Map(routes.map((route) => [`${route.method} ${route.path}`, route])),
    byResource: Map.groupBy(
      routes.map((route) => ({ route, pattern: patternOf(route.path) })),
      ({ route }) => resourceOf(route.path),
    ),
  };
  indexes.set(routes, index);
  return index;
}

function patternOf(template: string): RegExp {
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
