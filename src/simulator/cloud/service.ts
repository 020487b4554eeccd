/**
 * Carries out one request of the simulated cloud through its route, notes its deviations, and gives the answer in the
 * wanted form. It does not know sockets.
 */
import { admitCall } from './admission.ts';
import type { Answer, Call, Caller } from './call.ts';
import { Deviation, Refusal } from './call.ts';
import { keepEvent } from './calls/account/audit-logs.ts';
import type { CloudContext } from './context.ts';
import type { Route } from './route.ts';
import { findRoute } from './route.ts';

type Request = Omit<Call, 'caller' | 'parts'>;

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

/**
 * Gives answers as XML if the Accept header prefers it to JSON (spec, General rules 2; RFC 9110 section 12.5.1). The
 * spec shows no form. Here the fields are elements of a `response`, and list entries are `item`. A field whose name
 * is invalid in XML is an `entry` with a `key`.
 */
function inWantedForm(answer: Answer, { headers: { accept = '' } }: Pick<Call, 'headers'>): Answer {
  if (answer.type !== 'application/json' || accept === '') return answer;
  if (qualityOf(accept, 'xml') <= qualityOf(accept, 'json')) return answer;
  const content = element('response', JSON.parse(answer.body.toString()));
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n${content}\n`;
  return { ...answer, type: 'application/xml', body };
}

/** 0 if the type is not wanted. */
function qualityOf(accept: string, subtype: string): number {
  const ranges = accept.split(',').map((range) => {
    const [name = '', ...parameters] = range.toLowerCase().split(';');
    const [, quality = '1'] = /^\s*q=([\d.]+)\s*$/.exec(parameters.at(-1) ?? '') ?? [];
    return { name: name.trim(), quality: Number(quality) };
  });
  const fitting = [`application/${subtype}`, 'application/*', '*/*'];
  const found = fitting.map((name) => ranges.find((one) => one.name === name));
  return found.find((one) => one !== undefined)?.quality ?? 0;
}

function element(name: string, value: unknown): string {
  const [tag, start] = isName.test(name) ? [name, name] : ['entry', `entry key="${escaped(name)}"`];
  const content = contentOf(value);
  return content === '' ? `<${start}/>` : `<${start}>${content}</${tag}>`;
}

function contentOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map((one) => element('item', one)).join('');
  if (typeof value === 'string') return escaped(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  return Object.entries(value)
    .map(([name, one]) => element(name, one))
    .join('');
}

/** The names of XML 1.0 (section 2.3) that consist of ASCII. */
const isName = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Characters that XML 1.0 forbids, even as escapes (section 2.2). */
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(forbidden, '\ufffd')
    .replace(/[&<>"]/g, (mark) => marks[mark] ?? mark);
