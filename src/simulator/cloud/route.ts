/** One call of the simulated cloud: who may make it, and which of them a request is. */
import type { Answer, BearerKind, Call } from './call.ts';
import { Deviation, errorAnswer } from './call.ts';
import type { CloudContext } from './context.ts';
import type { Permission } from './permissions.ts';

/**
 * `oauth`: no API key, no bearer. `keyless`: works without API key and bearer. `reading`: a user token, or, where the
 * settings let it, a device token. Otherwise the kinds of token the call takes.
 */
export type Takes = 'oauth' | 'keyless' | 'reading' | readonly BearerKind[];

export interface Route {
  readonly method: string;
  /** `<name>` stands for one segment, or the part of it up to what follows. */
  readonly path: string;
  readonly takes: Takes;
  readonly permissions: readonly Permission[];
  /** `free`: an API key may make it without advanced permissions (NoAdv in the spec). */
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
    ...{ method, takes, permissions, answer, advanced },
    path: `${prefix}${path}`,
  }));

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
