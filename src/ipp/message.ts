/**
 * An IPP message (RFC 8010 section 3.1), its tags, and typed getters for its attributes. If an attribute comes twice
 * in a group, the first one counts. A getter gives `undefined` or an empty list if its attribute is missing or has
 * another syntax.
 */

export interface Attribute {
  readonly name: string;
  readonly values: readonly Value[];
}

export interface Group {
  readonly tag: GroupTag;
  readonly attributes: readonly Attribute[];
}

export interface Message {
  /** Major and minor: `[2, 0]`. */
  readonly version: readonly [number, number];
  /** The operation-id of a request or the status-code of a response. */
  readonly code: number;
  readonly requestId: number;
  readonly groups: readonly Group[];
}

/** DateAndTime (RFC 2579). */
export interface DateTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly decisecond: number;
  readonly direction: '+' | '-';
  readonly utcHours: number;
  readonly utcMinutes: number;
}

/**
 * A value by its syntax (RFC 8010 section 3.9, RFC 8011 section 5.1). It keeps everything that is needed to write the
 * same octets again.
 */
export type Value =
  | { readonly tag: OutOfBandTag }
  | { readonly tag: 'integer' | 'enum'; readonly integer: number }
  | { readonly tag: 'boolean'; readonly boolean: boolean }
  | { readonly tag: 'octetString'; readonly octets: Buffer }
  | { readonly tag: 'dateTime'; readonly dateTime: DateTime }
  | { readonly tag: 'resolution'; readonly crossFeed: number; readonly feed: number; readonly units: number }
  | { readonly tag: 'rangeOfInteger'; readonly lower: number; readonly upper: number }
  | { readonly tag: 'begCollection'; readonly members: readonly Attribute[] }
  | {
      readonly tag: 'textWithLanguage' | 'nameWithLanguage';
      readonly language: string;
      readonly text: string;
    }
  | { readonly tag: TextTag; readonly text: string }
  | RawValue;

/**
 * A value of an unknown tag, or a value whose octets do not have the form of its tag. Examples are an integer of three
 * octets and text that is not UTF-8. The typed getters do not see it.
 */
export interface RawValue {
  readonly tag: 'raw';
  readonly number: number;
  readonly octets: Buffer;
}

export const attribute = (name: string, ...values: readonly Value[]): Attribute => ({ name, values });

/**
 * The attributes of all groups of this tag, or none. Some printers send an empty group first, or split a group into
 * parts. If the groups describe several jobs, only the first job counts.
 */
export function group(message: Message, tag: GroupTag): readonly Attribute[] {
  const found = groups(message, tag).filter(({ attributes }) => attributes.length > 0);
  if (found.length < 2) return found[0]?.attributes ?? [];
  const ids = found.map(({ attributes }) => integer(attributes, 'job-id'));
  const first = ids.find((id) => id !== undefined);
  return found.flatMap(({ attributes }, at) =>
    ids[at] === undefined || ids[at] === first ? attributes : [],
  );
}

const ofEveryAnswer: ReadonlySet<string> = new Set([
  'attributes-charset',
  'attributes-natural-language',
  'status-message',
  'detailed-status-message',
]);

/**
 * The attributes of the single job or printer that an answer is about. Some printers put them in the wrong group; they
 * are found there too.
 */
export function subject(
  message: Message,
  tag: 'job-attributes' | 'printer-attributes',
): readonly Attribute[] {
  const own = group(message, tag);
  const elsewhere = message.groups.filter((one) => one.tag !== tag && one.tag !== 'unsupported-attributes');
  const misplaced = elsewhere.flatMap(({ attributes }) =>
    attributes.filter(({ name }) => !ofEveryAnswer.has(name)),
  );
  return misplaced.length === 0 ? own : [...own, ...misplaced];
}

/** All groups of this tag: a Get-Jobs answer has one `job-attributes` group for each job. */
export const groups = (message: Message, tag: GroupTag): readonly Group[] =>
  message.groups.filter((one) => one.tag === tag);

export const valuesOf = (attributes: readonly Attribute[], name: string): readonly Value[] =>
  attributes.find((one) => one.name === name)?.values ?? [];

/** Keywords, names, texts, URIs and media types; of a value with a language, the text. */
export const strings = (attributes: readonly Attribute[], name: string): readonly string[] =>
  valuesOf(attributes, name).flatMap((value) => ('text' in value ? [value.text] : []));

export const string = (attributes: readonly Attribute[], name: string): string | undefined =>
  strings(attributes, name)[0];

/** RFC 8011 section 5.1.4. */
const keywordForm = /^[a-z][a-z0-9._-]{0,254}$/;
export const isKeyword = (text: string): boolean => keywordForm.test(text);

/** Only values in the form of a keyword. Such words are safe to show and keep, even if the sender is not trusted. */
export const keywords = (attributes: readonly Attribute[], name: string): readonly string[] =>
  strings(attributes, name).filter(isKeyword);

/** Integers and enums. */
export const integers = (attributes: readonly Attribute[], name: string): readonly number[] =>
  valuesOf(attributes, name).flatMap((value) => ('integer' in value ? [value.integer] : []));

export const integer = (attributes: readonly Attribute[], name: string): number | undefined =>
  integers(attributes, name)[0];

export function boolean(attributes: readonly Attribute[], name: string): boolean | undefined {
  const value = valuesOf(attributes, name).find((one) => one.tag === 'boolean');
  return value?.boolean;
}

/** A range. A single integer becomes a range of one, because printers write `copies-supported` either way. */
export function range(
  attributes: readonly Attribute[],
  name: string,
): { readonly lower: number; readonly upper: number } | undefined {
  for (const value of valuesOf(attributes, name)) {
    if (value.tag === 'rangeOfInteger') return { lower: value.lower, upper: value.upper };
    if (value.tag === 'integer') return { lower: value.integer, upper: value.integer };
  }
  return undefined;
}

export const collections = (
  attributes: readonly Attribute[],
  name: string,
): readonly (readonly Attribute[])[] =>
  valuesOf(attributes, name).flatMap((value) => (value.tag === 'begCollection' ? [value.members] : []));

/**
 * Delimiter tags (RFC 8010 section 3.5.1); value tags (section 3.5.2) follow, under their registered names.
 * `values.ts` makes the values.
 */
export const endOfAttributes = 0x03;

/** The `reserved-…` tags have no meaning yet. Such a group is read and kept, and no getter asks for it. */
export const groupTags = {
  'operation-attributes': 0x01,
  'job-attributes': 0x02,
  'printer-attributes': 0x04,
  'unsupported-attributes': 0x05,
  'subscription-attributes': 0x06,
  'event-notification-attributes': 0x07,
  'resource-attributes': 0x08,
  'document-attributes': 0x09,
  'system-attributes': 0x0a,
  'reserved-0x0b': 0x0b,
  'reserved-0x0c': 0x0c,
  'reserved-0x0d': 0x0d,
  'reserved-0x0e': 0x0e,
  'reserved-0x0f': 0x0f,
} as const;
export type GroupTag = keyof typeof groupTags;

/** Section 3.5.2, "out-of-band" values: the tag alone is the value. */
export const outOfBandTags = {
  unsupported: 0x10,
  unknown: 0x12,
  'no-value': 0x13,
  'not-settable': 0x15,
  'delete-attribute': 0x16,
  'admin-define': 0x17,
} as const;
export type OutOfBandTag = keyof typeof outOfBandTags;

/** Values that consist of characters only. */
export const textTags = {
  textWithoutLanguage: 0x41,
  nameWithoutLanguage: 0x42,
  keyword: 0x44,
  uri: 0x45,
  uriScheme: 0x46,
  charset: 0x47,
  naturalLanguage: 0x48,
  mimeMediaType: 0x49,
} as const;
export type TextTag = keyof typeof textTags;

export const valueTags = {
  ...outOfBandTags,
  integer: 0x21,
  boolean: 0x22,
  enum: 0x23,
  octetString: 0x30,
  dateTime: 0x31,
  resolution: 0x32,
  rangeOfInteger: 0x33,
  begCollection: 0x34,
  textWithLanguage: 0x35,
  nameWithLanguage: 0x36,
  endCollection: 0x37,
  ...textTags,
  memberAttrName: 0x4a,
} as const;
/** A map, because it is read for every value of a message: it is twice as fast as the object. */
export const valueTagNumbers: ReadonlyMap<string, number> = new Map(Object.entries(valueTags));

const isGroupTag = (name: string): name is GroupTag => name in groupTags;
const isOutOfBandTag = (name: string): name is OutOfBandTag => name in outOfBandTags;
const isTextTag = (name: string): name is TextTag => name in textTags;

/** An array, because it is read for every value of a message. */
function namesByNumber<Name extends string>(
  table: Readonly<Record<Name, number>>,
  isName: (name: string) => name is Name,
): readonly (Name | undefined)[] {
  const names = Array.from<Name | undefined>({ length: 0x100 });
  for (const name of Object.keys(table).filter(isName)) names[table[name]] = name;
  return names;
}

export const groupTagNames = namesByNumber(groupTags, isGroupTag);
export const outOfBandTagNames = namesByNumber(outOfBandTags, isOutOfBandTag);
export const textTagNames = namesByNumber(textTags, isTextTag);
