/**
 * The answer of a running agent at `/status`. Fields are only added. Newer fields may be missing, because the running
 * agent can be older than this command.
 */
import { z } from 'zod';

const condition = z.looseObject({
  scope: z.string(),
  subject: z.string().optional(),
  severity: z.string(),
  code: z.string(),
  detail: z.string(),
  since: z.string().optional(),
  acknowledged: z.object({ name: z.string(), note: z.string() }).optional(),
});

const server = z.looseObject({
  baseUrl: z.string(),
  isUp: z.boolean(),
  since: z.string().nullish(),
  version: z.string().optional(),
  enrollment: z.string(),
});

const printer = z.looseObject({
  uri: z.string(),
  state: z.string(),
  needs: z.string().nullish(),
  ready: z.boolean().optional(),
  assumed: z.boolean().optional(),
  acceptingJobs: z.boolean().nullish(),
});

const terminal = z.looseObject({
  id: z.string(),
  state: z.string(),
  ready: z.boolean(),
  outage: z
    .object({
      reason: z.string(),
      reference: z.string(),
      by: z.string().optional(),
      userCode: z.string().optional(),
    })
    .nullable(),
  printer,
  /** If there are several printers; `printer` is the first. */
  printers: z.array(printer.extend({ name: z.string() })).optional(),
  readers: z.array(
    z.looseObject({
      name: z.string(),
      kind: z.string(),
      state: z.string(),
      frames: z.number(),
      garbage: z.number(),
      reconnects: z.number(),
    }),
  ),
  prompt: z.looseObject({ tty: z.string(), state: z.string() }).nullish(),
  outputPortId: z.number().nullable(),
  autoRelease: z.boolean(),
  settings: z.record(z.string(), z.looseObject({ value: z.json(), from: z.string() })),
  settingsSince: z.string().nullable(),
  settingsRead: z.string().nullable(),
});

export const statusSchema = z.looseObject({
  version: z.string(),
  pid: z.number().optional(),
  startedAt: z.string().optional(),
  ready: z.boolean(),
  config: z
    .object({ readAt: z.string(), file: z.string().nullish(), pending: z.array(z.string()) })
    .optional(),
  enrollment: z.looseObject({ state: z.string(), tokenExpiresIn: z.number() }),
  servers: z.array(server),
  surroundings: z
    .object({
      account: z
        .looseObject({ id: z.number(), name: z.string(), timezone: z.string().optional() })
        .optional(),
      locations: z.array(z.string()).optional(),
      authProviders: z.array(z.string()).optional(),
      inputPorts: z.array(z.string()).optional(),
      seenAt: z.string(),
    })
    .nullable(),
  fleet: z
    .looseObject({
      site: z.string(),
      engine: z.looseObject({
        isUp: z.boolean(),
        place: z.string().optional(),
        detail: z.string().optional(),
      }),
      beatAgeSeconds: z.number().nullable(),
      members: z.array(z.looseObject({ name: z.string(), isBeating: z.boolean() })),
      held: z.number(),
      terminals: z.number(),
      configuration: z
        .looseObject({
          version: z.number().nullable(),
          shadowed: z.array(z.string()),
          rollout: z
            .looseObject({
              number: z.number(),
              state: z.string(),
              gateway: z.string().nullable(),
              why: z.string().nullable(),
            })
            .nullable(),
        })
        .optional(),
    })
    .nullish(),
  /** While many gateways start at once and take turns. */
  settling: z.looseObject({ gateways: z.number(), secondsLeft: z.number() }).nullish(),
  outbox: z.looseObject({ waiting: z.number(), held: z.number(), deadLetters: z.number() }),
  conditions: z.array(condition),
  terminals: z.array(terminal),
});

export type Status = z.infer<typeof statusSchema>;
export type TerminalStatus = Status['terminals'][number];
export type ConditionStatus = Status['conditions'][number];
