/**
 * The answers that `platen init` needs, from flags and from `--answers FILE`. A flag is stronger than the file. Missing
 * answers come from the present configuration or from a person.
 */
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { ConfigInvalid, lineOf, mistakesOf } from '../../config/mistakes.ts';
import { parsedYaml } from '../../config/yaml-text.ts';
import type { Reader } from './file.ts';
import { givenText } from './printers/given-file.ts';
import { printersIn } from './printers/printer-list.ts';
import type { InitOptions, PrinterAnswer, ReaderAnswer } from './options.ts';

export interface Answers {
  readonly baseUrl?: string | undefined;
  readonly authUrl?: string | undefined;
  /** `-`: standard input. */
  readonly apiKeyFile?: string | undefined;
  /** The text for the administrator who approves the device. */
  readonly description?: string | undefined;
  readonly printers: readonly PrinterAnswer[];
  readonly readers: readonly ReaderAnswer[];
  readonly testPage?: boolean | undefined;
  /** Minutes; false: no wait. Absent: ten minutes, or no limit if a person watches. */
  readonly wait?: number | false | undefined;
}

const text = z.string().min(1);
const answersFile = z.strictObject({
  baseUrl: text.optional(),
  authUrl: text.optional(),
  apiKeyFile: text.optional(),
  description: text.max(255).optional(),
  printers: z
    .array(z.strictObject({ id: text, uri: text, serialNumber: text.optional(), reader: text.optional() }))
    .default([]),
  testPage: z.boolean().optional(),
  wait: z
    .union([z.literal(false), z.number()], 'must be false or a number of minutes')
    .refine((wait) => wait === false || wait > 0, 'must be above 0, or false if the command must not wait')
    .optional(),
});

/**
 * A flag is stronger than the list of printers, and the list is stronger than the answers. Throws `ConfigInvalid` with
 * all mistakes of a file.
 */
export function answersOf(flags: InitOptions, fileReader: Reader): Answers {
  const { printers, ...fromFile } =
    flags.answers === undefined ? { printers: [] } : readAnswers(flags.answers, fileReader);
  const list =
    flags.from === undefined ? undefined : printersIn(flags.from, givenText(flags.from, fileReader));
  const named = [...(flags.printer ?? [])];
  const listed = list?.printers.filter(({ id }) => !named.some((one) => one.id === id)) ?? [];
  const before = [...listed, ...named];
  const isNamed = (id: string) => before.some((one) => one.id === id);
  const { baseUrl, authUrl, apiKeyFile, description, testPage, wait } = flags;
  return {
    baseUrl: baseUrl ?? fromFile.baseUrl,
    authUrl: authUrl ?? fromFile.authUrl,
    apiKeyFile: apiKeyFile ?? fromFile.apiKeyFile,
    description: description ?? fromFile.description,
    printers: [...printers.filter(({ id }) => !isNamed(id)), ...before],
    readers: [
      ...printers.flatMap(({ id, reader }) => (reader === undefined ? [] : [{ terminal: id, reader }])),
      ...(list?.readers ?? []),
      ...(flags.reader ?? []),
    ],
    testPage: testPage ?? fromFile.testPage,
    wait: typeof wait === 'number' || wait === false ? wait : fromFile.wait,
  };
}

/** The path of the key file is relative to the file of the answers. */
function readAnswers(file: string, reader: Reader): z.output<typeof answersFile> {
  const read = givenText(file, reader);
  const { document, counter, data = {} } = parsedYaml(file, read);
  const checked = answersFile.safeParse(data, { reportInput: true });
  if (!checked.success) {
    const mistakes = checked.error.issues.flatMap((issue) => mistakesOf(issue));
    throw new ConfigInvalid(
      file,
      mistakes.map((one) => {
        const line = lineOf(document, counter, one.path);
        return line === undefined ? one : { ...one, line };
      }),
    );
  }
  const { apiKeyFile } = checked.data;
  if (apiKeyFile === undefined || apiKeyFile === '-') return checked.data;
  return { ...checked.data, apiKeyFile: resolve(dirname(file), apiKeyFile) };
}

/**
 * The OAuth address of a service whose API has this address: port 7400 if the API has 7300, as on a gateway
 * (src/cloud/README.md 10); otherwise the same address. `undefined` if it is no address.
 */
export function authUrlFor(baseUrl: string): string | undefined {
  if (!URL.canParse(baseUrl)) return undefined;
  const { protocol, hostname, host, port } = new URL(baseUrl);
  return `${protocol}//${port === '7300' ? `${hostname}:7400` : host}`;
}

/** Possible OAuth addresses, the most probable first. */
export function authUrlsFor(baseUrl: string): readonly string[] {
  if (!URL.canParse(baseUrl)) return [];
  const { protocol, hostname, host } = new URL(baseUrl);
  const all = [authUrlFor(baseUrl) ?? baseUrl, `${protocol}//${hostname}:7400`, `${protocol}//${host}`];
  return [...new Set(all)];
}
