/** The shape of a digest in the engine. Another version may have written it, with codes that are new to this one. */
import { z } from 'zod';
import type { GatewayDigest } from '../../domain/gateway-digest.ts';
import type { ProblemCode } from '../../domain/problem/problem-kinds.ts';

const count = z.int().nonnegative();
const text = z.string();
const hurtCounts = z.object({ failed: count, unknown: count, refused: count });
/** HOST:PORT and nothing more: people follow it, and Prometheus sends its token there. */
const reachedAt = z.string().regex(/^[^\s/@?#\\]+:\d{1,5}$/);

export const digestShape: z.ZodType<GatewayDigest> = z.object({
  member: z.uuid(),
  name: text,
  site: text,
  version: text,
  at: text,
  startedAt: text,
  config: z.object({
    version: z.int().nullable(),
    wanted: z.int().nullable(),
    refused: z.object({ version: z.int(), why: text }).nullable(),
    follows: z.boolean().optional(),
  }),
  terminals: z.object({
    configured: count,
    served: count,
    ready: count,
    troubled: z.array(z.object({ id: text, state: text })),
  }),
  outbox: z.object({ waiting: count, deadLetters: count, oldest: text.nullable() }),
  unknownOutcomes: count,
  certificateDays: z.int().nullable(),
  hurt: z.object({ hour: hurtCounts, day: hurtCounts, line: z.array(count).max(24) }).optional(),
  outages: z
    .array(z.object({ reference: text, terminal: text, since: text, over: text.nullable() }))
    .optional(),
  conditions: z.array(
    z.object({
      code: z.custom<ProblemCode>((code) => typeof code === 'string'),
      severity: z.enum(['warning', 'error']),
      scope: text,
      since: text,
      acknowledged: z.literal(true).optional(),
    }),
  ),
  moreConditions: count,
  operations: reachedAt.nullable().catch(null),
  operationsTls: z.boolean(),
});

export const seenShape = z.object({
  id: text,
  name: text,
  site: text,
  version: text,
  isBeating: z.boolean(),
  /** Seconds. */
  lastBeat: z.number(),
  age: z.number().nullable(),
  body: z.unknown(),
});
