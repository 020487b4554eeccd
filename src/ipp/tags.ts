/**
 * Delimiter tags (RFC 8010 section 3.5.1) and value tags (section 3.5.2) under their registered names. `values.ts`
 * makes the values.
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
