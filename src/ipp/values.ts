/**
 * Attribute values by their syntax (RFC 8010 section 3.9, RFC 8011 section 5.1), and short makers for them.
 * A value keeps all that is needed to write the same octets again.
 */
import type { Attribute } from './message.ts';
import type { OutOfBandTag, TextTag } from './tags.ts';

/** RFC 2579 DateAndTime, field by field. */
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

export const resolutionUnits = { 'dots-per-inch': 3, 'dots-per-centimeter': 4 } as const;

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
 * A value of an unknown tag, or one whose octets do not have the form of its tag (an integer of three octets, text
 * that is not UTF-8). The typed getters of `message.ts` do not see it.
 */
export interface RawValue {
  readonly tag: 'raw';
  readonly number: number;
  readonly octets: Buffer;
}

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
