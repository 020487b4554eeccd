/**
 * What a page may say to its terminal (`POST /t/<id>/commands`): the whole set of verbs (INVARIANTS.md T03), each with
 * the generation of the frame it answers (D2). What is parsed here is a person's word, and goes to the terminal as it is.
 */
import * as z from 'zod';
import { Secret } from '../core/secret.ts';
import { documentLimits } from '../domain/document.ts';
import { languageCodes } from '../domain/language.ts';
import type { PersonsWord } from '../domain/terminal/persons-word.ts';

const generation = z.int().nonnegative();
const text = z.string().min(1).max(1024);
const secret = text.transform((typed) => new Secret(typed));
const documentUuid = z.string().regex(/^[A-Za-z0-9._-]{1,128}$/);
/** More than a body has room for; a longer choice is said in parts, each of which counts. */
const documentUuids = z.array(documentUuid).min(1).max(500).readonly();
const sides = z.enum(['one-sided', 'two-sided-long-edge', 'two-sided-short-edge']).optional();
const page = z.int().min(1).max(documentLimits.pages);
const copies = z.int().min(1).max(documentLimits.copies);

/** The verb of the body is the type of the word. */
const asWord = <Body extends { readonly command: string }>({
  command: type,
  ...said
}: Body): Omit<Body, 'command'> & { readonly type: Body['command'] } => ({ ...said, type });

const logIn = { command: z.literal('log-in'), generation };
const typedLogin = <Credentials>(at: number, credentials: Credentials) => ({
  type: 'log-in' as const,
  generation: at,
  credentials,
});
const ways = z.discriminatedUnion('way', [
  z
    .strictObject({ ...logIn, way: z.literal('short-id'), shortId: secret })
    .transform(({ way: kind, generation: at, shortId }) => typedLogin(at, { kind, shortId })),
  z
    .strictObject({ ...logIn, way: z.literal('password'), userName: text, password: secret })
    .transform(({ way: kind, generation: at, ...typed }) =>
      typedLogin(at, { kind, userName: typed.userName, password: typed.password }),
    ),
  z
    .strictObject({ ...logIn, way: z.literal('name'), userName: text })
    .transform(({ way: kind, generation: at, userName }) => typedLogin(at, { kind, userName })),
  z
    .strictObject({ ...logIn, way: z.literal('email'), email: text })
    .transform(({ way: kind, generation: at, email }) => typedLogin(at, { kind, email })),
]);

export const command = z.discriminatedUnion('command', [
  ways,
  z.strictObject({ command: z.literal('pin'), generation, pin: secret }).transform(asWord),
  z
    .strictObject({ command: z.literal('enrol'), generation, userName: text, password: secret })
    .transform(asWord),
  z.strictObject({ command: z.literal('release'), generation, documentUuids }).transform(asWord),
  z.strictObject({ command: z.literal('print-again'), generation, documentUuid }).transform(asWord),
  z
    .strictObject({ command: z.literal('print-missing'), generation, documentUuid, from: page, to: page })
    .transform(asWord),
  z.strictObject({ command: z.literal('it-is-there'), generation, documentUuid }).transform(asWord),
  z.strictObject({ command: z.literal('preview'), generation, documentUuid, page }).transform(asWord),
  z.strictObject({ command: z.literal('end-preview'), generation }).transform(asWord),
  z.strictObject({ command: z.literal('look-again'), generation }).transform(asWord),
  z.strictObject({ command: z.literal('delete'), generation, documentUuids }).transform(asWord),
  z
    .strictObject({
      command: z.literal('change'),
      generation,
      documentUuid,
      copies,
      color: z.boolean(),
      sides,
    })
    .transform(asWord),
  z.strictObject({ command: z.literal('printer'), generation, printer: text }).transform(asWord),
  z
    .strictObject({ command: z.literal('language'), generation, language: z.enum(languageCodes) })
    .transform(asWord),
  z
    .strictObject({
      command: z.literal('keep-defaults'),
      generation,
      grey: z.boolean(),
      twoSided: z.boolean(),
    })
    .transform(asWord),
  z.strictObject({ command: z.literal('forget-defaults'), generation }).transform(asWord),
  z.strictObject({ command: z.literal('open-stick'), generation }).transform(asWord),
  z
    .strictObject({
      command: z.literal('bring-file'),
      generation,
      file: z.int().min(0).max(1000),
      edition: z.int().nonnegative(),
    })
    .transform(asWord),
  z.strictObject({ command: z.literal('close-stick'), generation }).transform(asWord),
  z.strictObject({ command: z.literal('open-account'), generation }).transform(asWord),
  z.strictObject({ command: z.literal('close-account'), generation }).transform(asWord),
  z
    .strictObject({
      command: z.literal('drop-card'),
      generation,
      card: z.int().min(0).max(1000),
      edition: z.int().nonnegative(),
    })
    .transform(asWord),
  z.strictObject({ command: z.literal('register-card'), generation }).transform(asWord),
  z.strictObject({ command: z.literal('new-short-id'), generation }).transform(asWord),
  z.strictObject({ command: z.literal('prove'), generation, password: secret }).transform(asWord),
  z.strictObject({ command: z.literal('step-back'), generation }).transform(asWord),
  z.strictObject({ command: z.literal('still-there'), generation }).transform(asWord),
  z.strictObject({ command: z.literal('log-out'), generation }).transform(asWord),
]) satisfies z.ZodType<PersonsWord>;

/** As the page writes it. */
export type Command = z.input<typeof command>;
