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
      .describe('A user of the service, for this alone: may view, create and delete users, and little else'),
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
        'Folder of what is kept over restarts. Without it: $STATE_DIRECTORY of systemd, else ./state',
      ),
    terminals: z.array(terminal(outside)).default([]).describe('The terminals, each with its printers'),
    printerNetwork: printerNetwork.prefault({}),
    fleet: fleet(outside).optional().describe('This gateway and others stand in for each other'),
    guests: guests(outside)
      .optional()
      .describe('As whom the service is asked for guests; absent: there are none'),
    kiosk: kiosk(outside).prefault({}),
    operations: operations(outside).prefault({}),
    notify: notify(outside)
      .optional()
      .describe('Who is told of conditions as they come and go; absent: nobody'),
    balance: z
      .strictObject({
        onError: z
          .enum(['auto', 'allow', 'deny'])
          .default('auto')
          .describe(
            'What to do when the balance cannot be checked; auto: deny where this account was seen to charge for prints, else allow',
          ),
      })
      .prefault({}),
    conversion: conversion(outside)
      .prefault({})
      .describe('Programs for documents that a printer does not take as they are'),
    history: z
      .strictObject({
        unknownAfterHours: z
          .number()
          .min(0)
          .max(8760)
          .default(24)
          .describe(
            'Hours that the record of a release that may have printed waits for evidence or a person’s answer; 0: it is posted at once',
          ),
      })
      .prefault({}),
    status: status.prefault({}),
    log: z
      .strictObject({
        level: z
          .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])
          .default('info')
          .describe('The least serious records that are written'),
      })
      .prefault({}),
  });

export type Config = z.output<ReturnType<typeof configSchema>>;
export type TerminalConfig = Config['terminals'][number];
