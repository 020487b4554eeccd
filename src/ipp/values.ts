/** Makes attribute values (RFC 8010 section 3.9, RFC 8011 section 5.1). */
import type { Attribute, Value } from './message.ts';

export const resolutionUnits = { 'dots-per-inch': 3, 'dots-per-centimeter': 4 } as const;

export const integer = (number: number): Value => ({ tag: 'integer', integer: number });
export const enumValue = (number: number): Value => ({ tag: 'enum', integer: number });
export const boolean = (truth: boolean): Value => ({ tag: 'boolean', boolean: truth });
export const octetString = (octets: Buffer): Value => ({ tag: 'octetString', octets });
export const resolution = (
  crossFeed: number,
  feed: number,
  units: keyof typeof resolutionUnits = 'dots-per-inch',
): Value => ({ tag: 'resolution', crossFeed, feed, units: resolutionUnits[units] });
export const rangeOfInteger = (lower: number, upper: number): Value => ({
  tag: 'rangeOfInteger',
  lower,
  upper,
});
/** DateAndTime (RFC 2579) of an instant such as 2026-11-29T09:45:04.000Z. */
export const dateTime = (instant: string): Value => {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = instant.split(/\D/).map(Number);
  const date = { year, month, day, hour, minute, second, decisecond: 0 };
  return { tag: 'dateTime', dateTime: { ...date, direction: '+', utcHours: 0, utcMinutes: 0 } };
};
export const collection = (members: readonly Attribute[]): Value => ({ tag: 'begCollection', members });

export const textWithoutLanguage = (text: string): Value => ({ tag: 'textWithoutLanguage', text });
export const nameWithoutLanguage = (text: string): Value => ({ tag: 'nameWithoutLanguage', text });
export const keyword = (text: string): Value => ({ tag: 'keyword', text });
export const uri = (text: string): Value => ({ tag: 'uri', text });
export const charset = (text: string): Value => ({ tag: 'charset', text });
export const naturalLanguage = (text: string): Value => ({ tag: 'naturalLanguage', text });
export const mimeMediaType = (text: string): Value => ({ tag: 'mimeMediaType', text });
export const nameWithLanguage = (language: string, text: string): Value => ({
  tag: 'nameWithLanguage',
  language,
  text,
});
export const noValue: Value = { tag: 'no-value' };
export const unsupported: Value = { tag: 'unsupported' };
