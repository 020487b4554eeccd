/**
 * What a page may say to its terminal (`POST /t/<id>/commands`): the whole set of verbs (reliability.md T03), each with
 * the generation of the frame it answers (D2). Form only; what is done about it is in `terminal.ts`.
 */
import * as z from 'zod';
import { Secret } from '../core/secret.ts';
import { documentLimits } from '../domain/document.ts';
import { languageCodes } from '../domain/language.ts';

const generation = z.int().nonnegative();
const text = z.string().min(1).max(1024);
const secret = text.transform((typed) => new Secret(typed));
const documentUuid = z.string().regex(/^[A-Za-z0-9._-]{1,128}$/);
/** More than a body has room for; a longer choice is said in parts, each of which counts. */
const documentUuids = z.array(documentUuid).min(1).max(500).readonly();

const sides = z.enum(['one-sided', 'two-sided-long-edge', 'two-sided-short-edge']).optional();
const copies = z.int().min(1).max(documentLimits.copies);

const logIn = z.discriminatedUnion('way', [
  z.strictObject({ command: z.literal('log-in'), generation, way: z.literal('short-id'), shortId: secret }),
  z.strictObject({
    command: z.literal('log-in'),
    generation,
    way: z.literal('password'),
    userName: text,
    password: secret,
  }),
  z.strictObject({ command: z.literal('log-in'), generation, way: z.literal('name'), userName: text }),
  z.strictObject({ command: z.literal('log-in'), generation, way: z.literal('email'), email: text }),
]);

export const command = z.discriminatedUnion('command', [
  logIn,
  z.strictObject({ command: z.literal('pin'), generation, pin: secret }),
  z.strictObject({ command: z.literal('enrol'), generation, userName: text, password: secret }),
  z.strictObject({ command: z.literal('release'), generation, documentUuids }),
  z.strictObject({ command: z.literal('print-again'), generation, documentUuid }),
  z.strictObject({ command: z.literal('it-is-there'), generation, documentUuid }),
  z.strictObject({ command: z.literal('delete'), generation, documentUuids }),
  z.strictObject({
    command: z.literal('change'),
    generation,
    documentUuid,
    copies,
    color: z.boolean(),
    sides,
  }),
  z.strictObject({ command: z.literal('language'), generation, language: z.enum(languageCodes) }),
  z.strictObject({ command: z.literal('still-there'), generation }),
  z.strictObject({ command: z.literal('log-out'), generation }),
]);

/** As the page writes it. */
export type Command = z.input<typeof command>;

/** As it was understood: what was typed in secret cannot be printed any more. */
export type Heard = z.output<typeof command>;
