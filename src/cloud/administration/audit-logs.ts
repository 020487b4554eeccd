/**
 * `GET /logs/auditlogs`: the actions at the service and their results (spec, AuditLogInfo). Only fields that show a
 * fault are read. Fields that may hold a person's text, or a whole entity, are left out.
 */
import { z } from 'zod';
import { isoInstant } from '../../core/clock.ts';
import type { CallerOptions } from '../../domain/ports/call.ts';
import type { ResourceDeps } from '../http/caller.ts';
import { readList } from '../http/pages.ts';

export interface AuditEvent {
  /** ISO 8601. */
  readonly timestamp: string;
  readonly category: string;
  readonly type: string;
  /** The user who did it, if there was one. */
  readonly user: { readonly providerId: number; readonly userId: string; readonly name: string } | undefined;
  readonly traceId?: string | undefined;
  readonly source?: string | undefined;
  readonly intent?: string | undefined;
  readonly intentResult?: string | undefined;
  readonly result?: string | undefined;
  readonly objectType?: string | undefined;
  readonly operation?: string | undefined;
  readonly errorCode?: number | undefined;
}

export interface AuditLogs {
  /** From and to in wall milliseconds, both included; at most so many events. */
  read(
    span: { readonly from: number; readonly to: number; readonly most: number },
    options: CallerOptions,
  ): Promise<readonly AuditEvent[]>;
}

const word = z.string().optional().catch(undefined);
const part = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).optional().catch(undefined);

const user = part({
  name: z.string(),
  id: z.union([z.string(), z.int()]).transform(String),
  providerId: z.int(),
});
const context = part({
  traceId: word,
  source: word,
  request: part({ AuthenticatedRequest: part({ executingUser: part({ user }) }) }),
});
const operation = part({ op: word });

const auditLogInfo = z
  .object({
    timestamp: z.string(),
    category: z.string(),
    type: z.string(),
    eventContext: context,
    intent: word,
    intentResult: word,
    result: word,
    objectType: word,
    entityType: word,
    operation,
    customOp: operation,
    error: part({ errCode: z.int().optional().catch(undefined) }),
  })
  .transform(({ eventContext, entityType, operation: done, customOp, error, ...event }): AuditEvent => {
    const by = eventContext?.request?.AuthenticatedRequest?.executingUser?.user;
    return {
      ...event,
      objectType: event.objectType ?? entityType,
      operation: (done ?? customOp)?.op,
      errorCode: error?.errCode,
      traceId: eventContext?.traceId,
      source: eventContext?.source,
      user: by && { providerId: by.providerId, userId: by.id, name: by.name },
    };
  });

export const createAuditLogs = (deps: ResourceDeps): AuditLogs => ({
  read({ from, to, most }, options) {
    let left = most;
    const fields = [
      ['datefrom', isoInstant(from)],
      ['dateto', isoInstant(to)],
      ['maxRecords', Math.min(most, 10_000)],
    ] as const;
    const keep = () => {
      left -= 1;
      return left >= 0;
    };
    const path = '/api/v1/logs/auditlogs';
    const sieve = { mayFit: () => left > 0, keep };
    return readList(deps, { name: 'audit log', path, fields, entry: auditLogInfo, sieve }, options);
  },
});
