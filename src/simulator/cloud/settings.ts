/**
 * The settings of a simulated cloud: its keys, the settings of the table, and values that a test sets while it runs.
 */
import { z } from 'zod';
import type { Duration } from '../../core/duration.ts';
import { hours, inSeconds, milliseconds, seconds } from '../../core/duration.ts';
import { didYouMean } from '../../core/text/near-word.ts';
import { keysOf } from '../../core/text/schema-keys.ts';
import type { Key } from '../../core/text/schema-keys.ts';
import type { keyAllowances } from './permissions.ts';
import { allPermissions } from './permissions.ts';
import { connectorTypes } from './records/scan-records.ts';

/** How a new registration is approved: by a person, at once, or after so many polls. */
type Approval = 'by-hand' | 'at-once' | { readonly afterPolls: number };

/** BalanceCheckInfo of the spec. */
export interface BalanceCheckInfo {
  readonly balanceEnabled: boolean;
  readonly sufficientBalance: boolean;
  readonly currentBalance: number;
  readonly calculatedCost: number;
}

/** How the service prints at one port. */
export interface Delivery {
  /** `not-ready`: errorCode 1042. */
  readonly printer: 'ready' | 'not-ready';
  /** The time between the call that releases the document and its end. */
  readonly after: Duration;
  /** The end of the document. */
  readonly ends: 'printed' | 'failed' | 'never';
}

export type KeyAllowance = (typeof keyAllowances)[number];

/** The settings of the table. Their lists are read-only. */
type Chosen = {
  readonly [Name in keyof TableSettings]: Kept<TableSettings[Name]>;
};
type Kept<Value> = Value extends (infer One)[] ? readonly One[] : Value;

export interface CloudSettings extends Chosen {
  readonly apiKey: string;
  /** More keys that are accepted. */
  readonly furtherKeys: readonly string[];
  readonly approval: Approval;
  /** The extra permissions of API keys; none by default. */
  readonly keyAllows: readonly KeyAllowance[];
  /** The answer to every balance check. Absent: the price list decides. */
  balance: BalanceCheckInfo | undefined;
  /** By the id of the output port. */
  readonly deliveries: Map<number, Delivery>;
}

/** The settings that a caller may choose. Each has a default. */
export type ChosenSettings = Partial<Omit<CloudSettings, 'balance' | 'deliveries'>>;

/** The chosen settings, with defaults for the others. */
export function settingsOf(chosen: ChosenSettings): CloudSettings {
  const usual = {
    apiKey: 'sample-api-key',
    furtherKeys: [],
    approval: 'by-hand',
    keyAllows: [],
    ...settingsTable.parse({}),
  } as const;
  const given = Object.entries(chosen).filter(
    ([name, value]) => Object.hasOwn(usual, name) && value !== undefined,
  );
  return { ...usual, ...Object.fromEntries(given), balance: undefined, deliveries: new Map() };
}

export const apiKeysOf = ({ apiKey, furtherKeys }: CloudSettings): readonly string[] => [
  apiKey,
  ...furtherKeys,
];

const year = hours(365 * 24);

/** The settings that are a length of time. A user writes them in seconds. */
const spans = z.registry<{ readonly unit: 'seconds' }>();

const span = (meaning: string, usual: Duration, most: Duration = year) =>
  z
    .number()
    .min(0)
    .max(inSeconds(most))
    .default(inSeconds(usual))
    .transform(seconds)
    .describe(meaning)
    .register(spans, { unit: 'seconds' });

/** The settings that cannot change while the cloud runs, each with its reason. */
const fixed = z.registry<{ readonly why: string }>();

const choice = <Word extends string>(first: Word, ...others: readonly Word[]) =>
  z.enum([first, ...others]).default(first);

/**
 * The settings of a simulated cloud that a user may choose: in a seed, by `--set`, or in code. Each has its values,
 * its default and its sentence here. The schema of seeds, the guide and `--set list` are generated from this table.
 */
export const settingsTable = z.strictObject({
  deviceTokenLife: span('Seconds that an access token of a device is valid', hours(1)),
  userTokenLife: span('Seconds that an access token of a person is valid', hours(1)),
  refreshTokenLife: span('Seconds that a refresh token is valid', hours(90 * 24)),
  deviceCodeLife: span('Seconds that a device code is valid', hours(72)),
  refreshGrace: span(
    'Seconds after its use in which a client may use a refresh token again, if the answer was lost',
    milliseconds(0),
  ),
  conversionTime: span(
    'Seconds that an office file is RECEIVED, and then AWAITING_CONVERSION, and then CONVERTING. Above 300, each lasts 300 seconds, and the conversion fails',
    seconds(1),
    hours(1),
  ),
  role: choice('primary', 'secondary', 'gateway')
    .describe(
      'Only a primary server has access controls and the authorization code flow; a gateway has no certificates',
    )
    .register(fixed, { why: 'a server does not change its role while it runs' }),
  advancedPermissions: z
    .union([z.literal(['all', 'none']), z.array(z.enum(allPermissions))])
    .default('all')
    .describe('The advanced permissions of the API keys'),
  newcomers: choice('nothing', 'everyday').describe('The permissions of a user that a call creates'),
  callsPerSecond: z
    .number()
    .min(0)
    .max(10_000)
    .default(0)
    .describe(
      'Calls per second that the cloud bears on average. It answers more calls with 429 and Retry-After. 0: any number',
    ),
  callsAtOnce: z
    .int()
    .min(1)
    .max(10_000)
    .default(100)
    .describe('Calls at the same time that the cloud bears after a quiet time, if callsPerSecond is not 0'),
  listShape: choice('bare', 'paged')
    .describe('A list that has no envelope in the specification is a bare list or a PagedResult')
    .register(fixed, { why: 'a page token that was given out belongs to the pages of one shape' }),
  pageSize: z
    .int()
    .min(1)
    .max(10_000)
    .default(50)
    .describe('Entries on one page of a PagedResult, if the specification has no number'),
  readsFor: choice('terminals', 'terminals-only', 'devices-and-users', 'users').describe(
    "The reads of a device token, if the specification asks for a person's permission: terminals answers all and notes those that no terminal needs; terminals-only refuses and notes these; devices-and-users answers all; users refuses all, without a note",
  ),
  statusLists: choice('either', 'repeated').describe(
    'Whether several values of status may also come as one value with commas',
  ),
  versionFor: choice('keys', 'tokens').describe(
    'Whether GET /version needs only the API key, or also a token',
  ),
  parts: choice('by-etag', 'by-date', 'none').describe(
    'Whether the cloud gives a part of a document, and which header names its bytes',
  ),
  userCodes: choice('none', 'given').describe('Whether a registration gets a user code (RFC 8628)'),
  oauthForms: choice('both', 'newer').describe('Whether OAuth calls are also taken by GET, the older form'),
  balances: choice('offered', 'missing').describe(
    'Whether the account has balances; if not, their calls are answered 405',
  ),
  wrongRecords: choice('refused', 'kept').describe(
    'Whether a record with a wrong day, port or user is refused or kept; it is a deviation in both cases',
  ),
  charging: choice('releases', 'history', 'nothing').describe(
    'The jobs that cost their owner money: all jobs, only jobs that clients record, or none',
  ),
  scanning: choice('shown', 'hidden').describe(
    'Whether the account has scan connectors, workflows and access',
  ),
  hiddenConnectors: z
    .array(z.enum(connectorTypes))
    .default([])
    .describe('Types of scan connectors that the account may not make'),
});

export type TableSettings = z.output<typeof settingsTable>;
type SettingName = keyof TableSettings;

const isSetting = (name: string): name is SettingName => Object.hasOwn(settingsTable.shape, name);
const names = Object.keys(settingsTable.shape);

/** Each setting with its values, default and sentence. */
export const settingKeys = (): readonly Key[] =>
  keysOf(z.toJSONSchema(settingsTable, { io: 'input' })).filter(({ path }) => isSetting(path));

/** Reads `NAME=VALUE` texts, each name once. Throws `RangeError` with the allowed values. */
export function settingsIn(texts: readonly string[]): Partial<TableSettings> {
  const given: Record<string, unknown> = {};
  for (const text of texts) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined) throw new RangeError(`${text}: write it as NAME=VALUE`);
    if (!isSetting(name)) throw new RangeError(unknownSetting(name));
    if (Object.hasOwn(given, name)) throw new RangeError(`${name} is given twice`);
    given[name] = valueIn(name, value);
  }
  return given;
}

function valueIn(name: SettingName, text: string): unknown {
  const schema = settingsTable.shape[name];
  const found = readings(text)
    .map((reading) => schema.safeParse(reading))
    .find(({ success }) => success);
  if (!found) throw new RangeError(`${name} ${wrongValue(name, firstWrong(name, text))}`);
  return found.data;
}

/** In a list, the first word that is not allowed. */
function firstWrong(name: SettingName, text: string): string {
  const words = settingKeys().find(({ path }) => path === name)?.words ?? [];
  const given = text.split(',');
  return given.find((word) => !words.includes(word)) ?? text;
}

/** A text can mean itself, a number or word of JSON, or a list. */
export const readings = (text: string): readonly unknown[] => [
  text,
  ...(/^(?:(?:0|[1-9]\d{0,14})(?:\.\d+)?|true|false)$/.test(text) ? [JSON.parse(text) as unknown] : []),
  text.split(',').filter((part) => part !== ''),
];

export function unknownSetting(name: string): string {
  const near = didYouMean(name, names) || '.';
  return `${name} is no setting${near} The settings are ${names.join(', ')}`;
}

/** Names the allowed values and the nearest word. */
export function wrongValue(name: string, given: unknown): string {
  const key = settingKeys().find(({ path }) => path === name);
  return `must be ${key?.values ?? 'another value'}${didYouMean(String(given), key?.words ?? [])}`;
}

/**
 * Checks that the given settings may change while the cloud runs. Throws `RangeError` with the setting and the reason.
 */
export function inFlight(given: Partial<TableSettings>): Partial<TableSettings> {
  const settings = Object.keys(given).filter(isSetting);
  if (settings.length === 0)
    throw new RangeError('no setting is given; GET /simulator/settings shows them all');
  for (const name of settings) {
    const { why } = fixed.get(settingsTable.shape[name]) ?? {};
    if (why !== undefined) throw new RangeError(`${name} is set at the start only: ${why}`);
  }
  return given;
}

/** In the form that a user writes. */
export const settingsOutside = (
  settings: Readonly<Record<SettingName, unknown>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(settingsTable.shape).map(([name, schema]) => {
      const value = isSetting(name) ? settings[name] : undefined;
      return [name, spans.has(schema) ? inSeconds(milliseconds(Number(value))) : value];
    }),
  );
