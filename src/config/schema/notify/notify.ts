/** `notify`: who receives messages about conditions, when, and how. Without this section, no message is sent. */
import { z } from 'zod';
import type { ProblemCode } from '../../../domain/problem/problem-kinds.ts';
import { problemKinds } from '../../../domain/problem/problem-kinds.ts';
import type { Outside } from '../values.ts';
import { readBy, secretSource } from '../values.ts';
import { alertmanager, mail, webhook } from './receivers.ts';

const codes = Object.keys(problemKinds) as readonly ProblemCode[] as readonly [ProblemCode, ...ProblemCode[]];

const only = z.strictObject({
  severity: z.enum(['warning', 'error']).default('warning').describe('The lowest severity that Platen tells'),
  terminals: z
    .array(z.string().min(1))
    .optional()
    .describe(
      'Only conditions of these terminals, by id. agent: conditions of the whole agent. Default: all terminals and the agent',
    ),
  conditions: z.array(z.enum(codes)).optional().describe('Only these conditions, by code. Default: all'),
});

const seconds = (least: number) => z.number().int().min(least).max(86_400);

export const notify = (outside: Outside) =>
  z
    .strictObject({
      webhooks: z.array(webhook(outside)).default([]).describe('Receivers of signed JSON'),
      alertmanagers: z
        .array(alertmanager(outside))
        .default([])
        .describe('Alertmanagers of Prometheus. List all members of a cluster'),
      mail: mail(outside).optional().describe('Receivers of messages by mail (SMTP)'),
      caFile: z
        .string()
        .min(1)
        .transform(readBy(outside.certificates))
        .optional()
        .describe(
          'PEM file of authorities that Platen trusts for receivers, in addition to those of the system',
        ),
      proxyUrl: secretSource
        .transform(readBy(outside.proxy))
        .optional()
        .describe('Proxy to webhooks and Alertmanagers; a secret. Default: HTTPS_PROXY and NO_PROXY'),
      only: only.prefault({}),
      afterSeconds: z
        .strictObject({
          warning: seconds(0)
            .default(60)
            .describe(
              'Platen tells a warning when it has lasted this many seconds, and its end when it has been gone this many seconds',
            ),
          error: seconds(0).default(10).describe('The same number of seconds for an error'),
        })
        .prefault({}),
      groupSeconds: seconds(1)
        .default(30)
        .describe('Platen puts all conditions that come or go within this many seconds into one message'),
      repeatHours: z
        .number()
        .min(1)
        .max(8760)
        .default(24)
        .describe('Platen tells a lasting condition again after this many hours'),
      mostPerHour: z
        .number()
        .int()
        .min(1)
        .max(3600)
        .default(20)
        .describe(
          'Maximum number of messages per hour to each webhook and by mail. After that, one message says how many were held back',
        ),
    })
    .refine(
      ({ webhooks, alertmanagers, mail: byMail }) =>
        webhooks.length + alertmanagers.length > 0 || byMail !== undefined,
      'has no receivers. Set webhooks, alertmanagers or mail',
    );

export type NotifyConfig = z.output<ReturnType<typeof notify>>;
