/**
 * The audit log of the simulated cloud (spec, AuditLogInfo): each call that changed something and each login, with its
 * caller and its result. `GET /logs/auditlogs` gives it in pages, the oldest first.
 */
import { z } from 'zod';
import { isoInstant } from '../../../../core/clock.ts';
import type { Answer, Call, Caller } from '../../call.ts';
import { Deviation, errorAnswer, json } from '../../call.ts';
import type { CloudContext } from '../../context.ts';
import { followPages, pageOf } from '../../paging.ts';
import { formInstant, formInteger, formText, readQuery } from '../../parameters.ts';
import type { AuditEvent } from '../../records/account-records.ts';
import type { Route } from '../../route.ts';

/** The oldest events are dropped, so that a cloud that runs for long does not grow. */
const mostEvents = 1000;

/** Calls that only read are not logged. */
export function keepEvent(
  context: CloudContext,
  call: Call,
  { route, answer }: { route: Route; answer: Answer },
): void {
  if (call.method === 'GET' || call.method === 'HEAD' || route.takes === 'oauth') return;
  const { state, clock, chance } = context;
  const { caller } = call;
  state.auditEvents.push({
    at: clock.now(),
    traceId: chance.uuid(),
    method: call.method,
    path: route.path,
    parts: call.parts,
    status: answer.status,
    errorCode: errorCodeIn(answer),
    by: whoIs(caller),
  });
  if (state.auditEvents.length > mostEvents) state.auditEvents.shift();
}

function whoIs(caller: Caller): AuditEvent['by'] {
  const { kind } = caller;
  if (kind === 'device') return { kind, id: caller.endpoint.clientId };
  if (kind !== 'user') return { kind, id: '' };
  const { id, userName: name, providerId } = caller.user;
  return { kind, id: String(id), name, providerId };
}

function errorCodeIn({ status, type, body }: Answer): number {
  if (status < 400 || type !== 'application/json') return 0;
  return Number(Object(JSON.parse(body.toString())).errorCode ?? 0);
}

const section = 'spec, Audit logs';

const listQuery = z.strictObject({
  datefrom: formInstant,
  dateto: formInstant,
  maxRecords: formInteger(1, 10_000).default(1000),
  category: formText.optional(),
  filter: formText.optional(),
  pagetoken: formText.optional(),
});

/** With a page token, the other parameters of the first call are sent again. */
export function listAuditLogs(context: CloudContext, call: Call): Answer {
  const { place } = followPages(context, call, section);
  const { datefrom, dateto, maxRecords, category, filter } = readQuery(call, { schema: listQuery, section });
  if (datefrom > dateto) throw new Deviation('datefrom is after dateto', section, errorAnswer(400));
  const found = context.state.auditEvents
    .filter(({ at }) => at >= datefrom && at <= dateto)
    .map((event) => auditLogInfo(context, event))
    .filter((info) => category === undefined || info.category === category)
    .filter((info) => filter === undefined || JSON.stringify(info).includes(filter));
  const { page, ...paging } = pageOf(found, place, maxRecords);
  return json(200, { items: page, ...paging });
}

const typeOf: Readonly<Record<string, string>> = { DELETE: 'Deleted', PATCH: 'Updated' };

/** The category is the resource in the path. The spec lists no types. */
function auditLogInfo({ state }: CloudContext, event: AuditEvent) {
  const category = event.path.split('/')[3] ?? '';
  const accountId = state.accounts[0]?.id ?? 0;
  const [id] = Object.values(event.parts);
  const text = `${event.method} ${event.path}`;
  return {
    category,
    type: category === 'login' ? 'LoggedIn' : (typeOf[event.method] ?? 'Saved'),
    timestamp: isoInstant(event.at),
    eventContext: {
      serverId: 'simulated',
      traceId: event.traceId,
      source: 'API',
      requestDateTime: isoInstant(event.at),
      request: requestOf(event, accountId, state.accounts[0]?.domainNames[0]),
      accountId,
    },
    result: event.status < 400 ? 'Success' : 'Failure',
    operation: { op: event.method, text },
    objectType: category,
    ...(id === undefined ? {} : { id }),
    ...(event.status < 400
      ? {}
      : { error: { errCode: event.errorCode, errMsg: `HTTP ${event.status}`, t: 'ServiceError' } }),
  };
}

function requestOf({ by: { kind, ...who } }: AuditEvent, accountId: number, requestingDomain = '') {
  return kind === 'user'
    ? {
        AuthenticatedRequest: {
          executingUser: { user: { ...who, id: Number(who.id), accountId } },
          accountId,
        },
      }
    : { UnauthenticatedRequest: { requestingUser: { theType: kind, userId: who.id }, requestingDomain } };
}
