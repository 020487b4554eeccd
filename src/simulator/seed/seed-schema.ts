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
  name: text.describe('Of the customer'),
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
  fullName: text.optional().describe('The user name unless said'),
  email: z.string().default(''),
  department: z.string().default(''),
  shortId: z.string().default(''),
  password: z.string().default('').describe('Without one nobody logs in by password'),
  oneTimePassword: text.optional().describe('Opens the account once, in place of the password'),
  cards: z.array(text).default([]).describe('Card numbers as a terminal sends them'),
  pin: text.optional().describe('Has to come with the card where a terminal asks for one'),
  groups: z.array(text).default([]).describe('Names of groups'),
  permissions: z
    .union([z.literal(['everyday', 'all']), z.array(text)], 'must be everyday, all or a list')
    .default('everyday')
    .describe("everyday: what a release needs; all: an administrator; or the specification's words"),
  quota: amount.optional().describe('Of the balance'),
  wallet: amount.optional().describe('Of the balance'),
});

export const seedDocument = z.strictObject({
  owner: text.describe('The user name'),
  name: text.optional().describe('The name of the file unless said'),
  file: text.optional().describe('What it holds, from the folder of this file; absent: a sample PDF'),
  pages: count(1, 10_000).optional().describe('Counted in a PDF unless said, else 1'),
  colorPages: count(0, 10_000).optional().describe('All unless said'),
  copies: count(1, 9999).optional(),
  duplex: count(0, 2).optional().describe('0 simplex, 1 long edge, 2 short edge'),
  grayscale: z.boolean().optional(),
  paperSize: text.optional(),
  secure: z.boolean().optional(),
  storageOnline: z.boolean().optional(),
  uuid: z.uuid().toLowerCase().optional().describe('Absent: another one each time'),
  status: z
    .enum(documentStatuses)
    .optional()
    .describe('READY unless said; a document that a seed names stays in its status until a call changes it'),
  jobType: z.enum(jobTypes).optional().describe('PRINT unless said'),
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
  outputPort: text.optional().describe('Of a push queue: the name of its output port'),
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
  .describe('Of one page; absent: balance is off');

export const seedSchema = z.strictObject({
  account: account.default({ name: 'Example', domains: ['example.org'], timezone: 'Europe/Berlin' }),
  containers: z.array(z.strictObject({ name: text, domains })).default([]),
  groups: z.array(text).default([]).describe('Their names'),
  users: z.array(seedUser).default([]),
  documents: z.array(seedDocument).default([]).describe('Those that wait'),
  outputPorts: z.array(outputPort).default([]).describe('Their ids count from 1 in this order'),
  inputPorts: z.array(inputPort).default([]),
  locations: z.array(location).default([]),
  prices: prices.optional(),
  settings: settingsTable
    .optional()
    .describe('How the cloud behaves; --set on the command line goes before it'),
});

export type SeedFile = z.output<typeof seedSchema>;

export function seedJsonSchema(): string {
  const schema = z.toJSONSchema(seedSchema, { io: 'input' });
  return `${JSON.stringify({ title: 'Seed of platen simulate cloud', ...schema }, undefined, 2)}\n`;
}
