/**
 * The schema of the seed file of a simulated cloud (`platen simulate cloud --seed FILE`). Fields have the names of the
 * specification, and amounts are decimals. `config/platen-cloud-seed.schema.json` is generated from it.
 */
import { z } from 'zod';
import { locationTypes } from '../cloud/records/account-records.ts';
import { millionths } from '../cloud/records/balance-records.ts';
import { formDomain, formTimezone } from '../cloud/calls/account/domain-list.ts';
import { settingsTable } from '../cloud/settings.ts';
import { documentStatuses, jobTypes } from '../cloud/state.ts';

const text = z.string().min(1);
const amount = z
  .number()
  .min(0)
  .max(1_000_000)
  .refine((written) => millionths(written) !== undefined, 'must have six decimals at most');
const count = (least: number, most: number) => z.int().min(least).max(most);
const domains = z.array(formDomain).min(1);

const account = z.strictObject({
  name: text.describe('The name of the customer'),
  domains: domains.describe('The primary domain first'),
  timezone: text
    .refine(
      (zone) => formTimezone.safeParse(zone).success,
      'must be an IANA zone id, for example Europe/Berlin',
    )
    .optional()
    .describe('IANA zone id'),
});

export const seedUser = z.strictObject({
  userName: text,
  fullName: text.optional().describe('Default: the user name'),
  email: z.string().default(''),
  department: z.string().default(''),
  shortId: z.string().default(''),
  password: z.string().default('').describe('Without a password the user cannot log in by password'),
  oneTimePassword: text.optional().describe('Works once, instead of the password'),
  cards: z.array(text).default([]).describe('Card numbers in the form that a terminal sends'),
  pin: text.optional().describe('Needed with the card at a terminal that asks for a PIN'),
  groups: z.array(text).default([]).describe('Names from the list groups'),
  permissions: z
    .union([z.literal(['everyday', 'all']), z.array(text)], 'must be everyday, all or a list')
    .default('everyday')
    .describe(
      "everyday: permissions for a release; all: permissions of an administrator; or a list of the specification's names",
    ),
  quota: amount.optional().describe('The part of the balance that is a quota'),
  wallet: amount.optional().describe('The part of the balance that is money'),
});

export const seedDocument = z.strictObject({
  owner: text.describe('The user name of the owner'),
  name: text.optional().describe('Default: the name of the file'),
  file: text
    .optional()
    .describe('The content: a path relative to the folder of this file. Default: a sample PDF'),
  pages: count(1, 10_000).optional().describe('Default: the number of pages in a PDF, or 1 for other files'),
  colorPages: count(0, 10_000)
    .optional()
    .describe('Default: all pages, or none if the document is grayscale'),
  copies: count(1, 9999).optional(),
  duplex: count(0, 2).optional().describe('0 simplex, 1 long edge, 2 short edge'),
  grayscale: z.boolean().optional(),
  paperSize: text.optional(),
  secure: z.boolean().optional(),
  storageOnline: z.boolean().optional(),
  uuid: z.uuid().toLowerCase().optional().describe('Default: a new random id'),
  status: z
    .enum(documentStatuses)
    .optional()
    .describe('Default: READY. The document stays in this status until a call changes it'),
  jobType: z.enum(jobTypes).optional().describe('Default: PRINT'),
  tags: z
    .array(z.strictObject({ tagType: count(0, 1).describe('0 Department, 1 Group'), name: text }))
    .optional(),
});

const outputPort = z.strictObject({
  name: text,
  deviceSerial: z.string().default(''),
  address: z.string().default('127.0.0.1'),
  vendor: text.default('unknown'),
  description: z.string().default(''),
  printProtocol: count(0, 2).default(1).describe('0 tcp, 1 ipp, 2 spooler'),
  outputType: count(0, 5).default(1).describe('0 raw, 1 PDF, 3 PCL6, 4 PostScript 3, 5 PostScript 2'),
  printerIppUrl: z.string().default(''),
  ipReaderAddress: z.string().default(''),
  logoutTimeout: count(0, 3600).default(60).describe('Seconds'),
  autoRelease: z.boolean().default(false),
  monochrome: z.boolean().default(false),
  sendUsername: z.boolean().default(true),
  active: z.boolean().default(true),
});

const inputPort = z.strictObject({
  name: text,
  portType: count(0, 1).default(0).describe('0 pull queue, 1 push queue'),
  outputPort: text.optional().describe('The name of the output port of a push queue'),
  location: text.optional().describe('The name of a location'),
});

const location = z.strictObject({
  name: text,
  identifiers: z
    .array(z.strictObject({ locationType: z.literal(locationTypes), searchValue: text }))
    .default([]),
});

const prices = z
  .strictObject({
    bwNormalPage: amount,
    bwLargePage: amount,
    colorNormalPage: amount,
    colorLargePage: amount,
  })
  .describe('The prices of one page. Default: the balance is off');

export const seedSchema = z.strictObject({
  account: account.default({ name: 'Example', domains: ['example.org'], timezone: 'Europe/Berlin' }),
  containers: z.array(z.strictObject({ name: text, domains })).default([]),
  groups: z.array(text).default([]).describe('The names of the groups'),
  users: z.array(seedUser).default([]),
  documents: z.array(seedDocument).default([]).describe('The documents that wait'),
  outputPorts: z.array(outputPort).default([]).describe('The ids are 1, 2, 3 and so on, in this order'),
  inputPorts: z.array(inputPort).default([]),
  locations: z.array(location).default([]),
  prices: prices.optional(),
  settings: settingsTable
    .optional()
    .describe('The behaviour of the simulated cloud. The option --set is stronger'),
});

export type SeedFile = z.output<typeof seedSchema>;

export function seedJsonSchema(): string {
  const schema = z.toJSONSchema(seedSchema, { io: 'input' });
  return `${JSON.stringify({ title: 'Seed of platen simulate cloud', ...schema }, undefined, 2)}\n`;
}
