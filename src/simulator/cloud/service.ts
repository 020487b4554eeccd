/**
 * Carries out one request of the simulated cloud through its route, and notes its deviations. It does not know sockets.
 */
import type { Answer, Call, Caller } from './call.ts';
import { Deviation, Refusal } from './call.ts';
import type { CloudContext } from './context.ts';
import { admitCall } from './admission.ts';
import type { Route } from './route.ts';
import { findRoute } from './route.ts';
import { keepEvent } from './calls/account/audit-logs.ts';
import { inWantedForm } from './xml.ts';

export type Request = Omit<Call, 'caller' | 'parts'>;

export async function answerTo(
  context: CloudContext,
  routes: readonly Route[],
  request: Request & { caller: Caller },
): Promise<Answer> {
  return inWantedForm(await carriedOut(context, routes, request), request);
}

async function carriedOut(
  context: CloudContext,
  routes: readonly Route[],
  request: Request & { caller: Caller },
): Promise<Answer> {
  let found: { route: Route; call: Call } | undefined;
  const noted = (answer: Answer): Answer => {
    if (found) keepEvent(context, found.call, { route: found.route, answer });
    return answer;
  };
  try {
    const { route, parts } = findRoute(routes, request);
    found = { route, call: { ...request, parts } };
    admitCall(context, route, found.call);
    return noted(await route.answer(context, found.call));
  } catch (error) {
    if (error instanceof Deviation) context.note(request, error.message, error.section);
    if (error instanceof Refusal) return noted({ ...error.answer, why: error.message });
    throw error;
  }
}

/**
 * The owner of the token in the Authorization header (RFC 6750 section 2.1). The scheme is valid in any case (RFC 9110
 * section 11.1).
 */
export function callerOf({ state, tokens }: CloudContext, authorization: string | undefined): Caller {
  if (authorization === undefined) return { kind: 'none' };
  const [, value = ''] = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i.exec(authorization) ?? [];
  const token = tokens.access(value);
  if (token === undefined || tokens.hasExpired(token)) return { kind: 'unknown' };
  if (token.kind === 'device') {
    const endpoint = state.endpoints.find((one) => one.clientId === token.holder);
    return endpoint ? { kind: 'device', endpoint } : { kind: 'unknown' };
  }
  const user = state.users.find((one) => one.id === token.holder);
  return user ? { kind: 'user', user, apiKey: token.apiKey } : { kind: 'unknown' };
}
