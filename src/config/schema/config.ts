/**
 * The configuration file (contract, section 2): one schema gives the type, the check and the JSON Schema for editors.
 * Unknown keys are mistakes. What lies outside the file is read by `outside.ts`.
 */
import { z } from 'zod';
import { cloud } from './cloud.ts';
import { conversion } from './conversion.ts';
import { device } from './device.ts';
import { fleet } from './fleet.ts';
import { kiosk } from './kiosk.ts';
import { notify } from './notify/notify.ts';
import { operations } from './operations.ts';
import { printerNetwork } from './printer-network.ts';
import { status } from './status.ts';
import { terminal } from './terminal.ts';
import type { Outside } from './values.ts';
import { absent, readBy, secretSource } from './values.ts';

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
