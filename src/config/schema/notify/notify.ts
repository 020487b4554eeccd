/** `notify`: who is told of conditions as they come and go, when, and by which way. Absent: nobody. */
import { z } from 'zod';
import type { ProblemCode } from '../../../domain/problem/problem-kinds.ts';
import { problemKinds } from '../../../domain/problem/problem-kinds.ts';
import type { Outside } from '../values.ts';
import { readBy, secretSource } from '../values.ts';
import { alertmanager, mail, webhook } from './receivers.ts';

const codes = Object.keys(problemKinds) as readonly ProblemCode[] as readonly [ProblemCode, ...ProblemCode[]];

const only = z.strictObject({
  severity: z
    .enum(['warning', 'error'])
    .default('warning')
    .describe('The least grave conditions that are told'),
  terminals: z
    .array(z.string().min(1))
    .optional()
    .describe('Of these terminals alone, by id; agent: what concerns all of them. Without it: of all'),
  conditions: z.array(z.enum(codes)).optional().describe('These conditions alone, by code. Without it: all'),
});

const seconds = (least: number) => z.number().int().min(least).max(86_400);

export const notify = (outside: Outside) =>
  z
    .strictObject({
      webhooks: z.array(webhook(outside)).default([]).describe('Receivers of signed JSON'),
      alertmanagers: z
        .array(alertmanager(outside))
        .default([])
        .describe('Alertmanagers of Prometheus; of a cluster all of them'),
      mail: mail(outside).optional().describe('Messages by mail (SMTP)'),
      caFile: z
        .string()
        .min(1)
        .transform(readBy(outside.certificates))
        .optional()
        .describe('PEM file of authorities to trust for receivers, besides those of the system'),
      proxyUrl: secretSource
        .transform(readBy(outside.proxy))
        .optional()
        .describe('Proxy to webhooks and Alertmanagers; a secret. Without it: HTTPS_PROXY and NO_PROXY'),
      only: only.prefault({}),
      afterSeconds: z
        .strictObject({
          warning: seconds(0)
            .default(60)
            .describe('So many seconds a warning lasts before it is told, and is gone before that is told'),
          error: seconds(0).default(10).describe('The same for an error, in seconds'),
        })
        .prefault({}),
      groupSeconds: seconds(1)
        .default(30)
        .describe('Seconds: what comes and goes within them is one message'),
      repeatHours: z
        .number()
        .min(1)
        .max(8760)
        .default(24)
        .describe('Hours after which a condition that lasts is told again'),
      mostPerHour: z
        .number()
        .int()
        .min(1)
        .max(3600)
        .default(20)
        .describe(
          'Most messages an hour to each webhook and by mail; then one tells how many were held back',
        ),
    })
    .refine(
      ({ webhooks, alertmanagers, mail: byMail }) =>
        webhooks.length + alertmanagers.length > 0 || byMail !== undefined,
      'names nobody: set webhooks, alertmanagers or mail',
    );

export type NotifyConfig = z.output<ReturnType<typeof notify>>;
