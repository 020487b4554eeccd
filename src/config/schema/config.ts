/**
 * The configuration file (contract, section 2). One schema gives the type, the check and the JSON Schema for editors.
 * Unknown keys are mistakes. `outside.ts` reads data outside the file.
 */
import { z } from 'zod';
import { cloud } from './cloud.ts';
import { fleet } from './fleet.ts';
import { kiosk } from './kiosk.ts';
import { notify } from './notify.ts';
import { operations } from './operations.ts';
import { printerNetwork } from './printer.ts';
import { terminal } from './terminal.ts';
import type { Outside } from './values.ts';
import { absent, conversionRooms, readBy, secretSource } from './values.ts';

const guests = (outside: Outside) =>
  z.strictObject({
    user: z
      .string()
      .min(1)
      .describe(
        'A user of the service, for guests only. This user needs to view, create and delete users, and should have few other rights',
      ),
    password: secretSource.transform(readBy(outside.secret)).describe('The password of that user; a secret'),
  });

export const configSchema = (outside: Outside) =>
  z.strictObject({
    cloud: cloud(outside).prefault(absent),
    device: device(outside).prefault({}),
    stateDir: z
      .string()
      .min(1)
      .optional()
      .transform(outside.stateDirectory)
      .describe(
        'Folder for everything that Platen keeps over restarts. Default: $STATE_DIRECTORY of systemd, otherwise ./state',
      ),
    terminals: z.array(terminal(outside)).default([]).describe('The terminals, each with its printers'),
    printerNetwork: printerNetwork.prefault({}),
    fleet: fleet(outside)
      .optional()
      .describe('The fleet: this gateway and others replace each other when one fails'),
    guests: guests(outside)
      .optional()
      .describe('The user as whom Platen manages guests in the service. Absent: there are no guests'),
    kiosk: kiosk(outside).prefault({}),
    operations: operations(outside).prefault({}),
    notify: notify(outside)
      .optional()
      .describe('Receivers of messages when conditions come and go. Absent: Platen tells nobody'),
    balance: z
      .strictObject({
        onError: z
          .enum(['auto', 'allow', 'deny'])
          .default('auto')
          .describe(
            'Decision when Platen cannot check the balance. auto: deny if Platen has seen that this account charges for prints, otherwise allow',
          ),
      })
      .prefault({}),
    conversion: conversion(outside)
      .prefault({})
      .describe('Programs that convert documents for printers that do not accept their format'),
    history: z
      .strictObject({
        unknownAfterHours: z
          .number()
          .min(0)
          .max(8760)
          .default(24)
          .describe(
            'If it is not known whether a release printed, its history record waits this many hours for evidence or a person’s answer. 0: Platen posts it at once',
          ),
      })
      .prefault({}),
    status: status.prefault({}),
    log: z
      .strictObject({
        level: z
          .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
          .default('info')
          .describe('The lowest level of the log records that Platen writes'),
      })
      .prefault({}),
  });

export type Config = z.output<ReturnType<typeof configSchema>>;
export type TerminalConfig = Config['terminals'][number];

/** A name on the system's path, or an absolute path. */
const program = (usual: string) =>
  z
    .string()
    .regex(/^(\/[^\0]+|[A-Za-z0-9._-]+)$/, 'must be the name of a program, or its absolute path')
    .default(usual);

const conversion = (outside: Outside) =>
  z.strictObject({
    ghostscript: program('gs').describe('Ghostscript: a name on the path, or its absolute path'),
    qpdf: program('qpdf').describe('qpdf: a name on the path, or its absolute path'),
    require: z
      .enum(conversionRooms)
      .optional()
      .transform(readBy(outside.conversionRoom))
      .describe(
        'The weakest confinement in which these programs may run. From strongest to weakest: unit, namespaces, limits. Default: namespaces',
      ),
  });

const placeholders = ['outputPortId', 'serialNumber', 'terminalId'];

const status = z.strictObject({
  intervalSeconds: z
    .number()
    .int()
    .min(5)
    .max(86_400)
    .optional()
    .describe(
      'Seconds between two status reports to the service while nothing changes. Default: 60, and 900 in a fleet',
    ),
  report: z
    .union([
      z.literal('off'),
      z.strictObject({
        method: z.enum(['PUT', 'POST', 'PATCH']).default('PUT').describe('HTTP method of the report'),
        path: z
          .string()
          .regex(/^\/[^\s?#]*$/, 'must be a path that begins with /')
          .refine(
            (path) => [...path.matchAll(/\{(.*?)\}/g)].every(([, name = '']) => placeholders.includes(name)),
            'may contain only the placeholders {outputPortId}, {serialNumber} and {terminalId}',
          )
          .default('/api/v1/outputports/{outputPortId}/terminalinfo')
          .describe(
            'Path of the report below cloud.baseUrl. It may contain {outputPortId}, {serialNumber} and {terminalId}',
          ),
      }),
    ])
    .prefault({})
    .describe('How Platen reports the status to the service. off: it does not'),
});

/** `device`: the registration of this gateway at the service, and the key that seals its tokens. */
const device = (outside: Outside) =>
  z.strictObject({
    clientId: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe('Id of this device in the service. If it is not set, Platen makes a UUID once and keeps it'),
    clientType: z
      .enum(['printer', 'server'])
      .default('printer')
      .describe('Type of this device in its registration at the service'),
    description: z
      .string()
      .max(255)
      .default('Platen print-release terminal')
      .describe('Shown to the administrator who approves the device'),
    poll: z
      .strictObject({
        firstSeconds: z
          .number()
          .int()
          .min(1)
          .max(3600)
          .default(5)
          .describe(
            'Seconds until Platen first asks again whether the device is approved. Each later wait is longer',
          ),
        longestSeconds: z
          .number()
          .int()
          .min(1)
          .max(3600)
          .default(60)
          .describe('Maximum number of seconds between two such questions'),
      })
      .prefault({}),
    sealingKey: secretSource
      .transform(readBy(outside.key))
      .optional()
      .describe(
        'Key that encrypts the stored tokens and the device key: 32 bytes, raw, base64 or hexadecimal; a secret. If it is not set, Platen makes a key file of mode 0600 in stateDir once',
      ),
  });
