/** Arbitrary IPP messages for property tests, and the octets of a real one. */
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import type { Attribute, GroupTag, Message, OutOfBandTag, TextTag, Value } from '../../src/ipp/message.ts';
import { groupTags, outOfBandTags, textTags, valueTags } from '../../src/ipp/message.ts';

export const capturedAnswer = (): Buffer =>
  readFileSync(new URL('fixtures/get-printer-attributes-response.bin', import.meta.url));

const knownTags = new Set<number>(Object.values(valueTags));
const names = <Name extends string>(table: Record<Name, number>, isName: (name: string) => name is Name) =>
  fc.constantFrom(...Object.keys(table).filter(isName));
const int32 = fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff });
const byte = fc.nat(0xff);
const octets = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes));
const text = fc.string({ unit: 'binary', maxLength: 40 });
const keywordName = fc.stringMatching(/^[a-z][a-z0-9._-]{0,30}$/);

const plainValue: fc.Arbitrary<Value> = fc.oneof(
  fc.record({ tag: names(outOfBandTags, (name): name is OutOfBandTag => name in outOfBandTags) }),
  fc.record({ tag: fc.constantFrom('integer', 'enum'), integer: int32 }),
  fc.record({ tag: fc.constant('boolean'), boolean: fc.boolean() }),
  fc.record({ tag: fc.constant('octetString'), octets }),
  fc.record({
    tag: fc.constant('dateTime'),
    dateTime: fc.record({
      year: fc.nat(0xffff),
      month: byte,
      day: byte,
      hour: byte,
      minute: byte,
      second: byte,
      decisecond: byte,
      direction: fc.constantFrom('+', '-'),
      utcHours: byte,
      utcMinutes: byte,
    }),
  }),
  fc.record({
    tag: fc.constant('resolution'),
    crossFeed: int32,
    feed: int32,
    units: fc.integer({ min: -128, max: 127 }),
  }),
  fc.record({ tag: fc.constant('rangeOfInteger'), lower: int32, upper: int32 }),
  fc.record({
    tag: fc.constantFrom('textWithLanguage', 'nameWithLanguage'),
    language: keywordName,
    text,
  }),
  fc.record({ tag: names(textTags, (name): name is TextTag => name in textTags), text }),
  fc.record({
    tag: fc.constant('raw'),
    number: fc.integer({ min: 0x10, max: 0xff }).filter((number) => !knownTags.has(number)),
    octets,
  }),
);

const attributeOf = (value: fc.Arbitrary<Value>): fc.Arbitrary<Attribute> =>
  fc.record({ name: keywordName, values: fc.array(value, { minLength: 1, maxLength: 4 }) });

const valueUpTo = (depth: number): fc.Arbitrary<Value> =>
  depth === 0
    ? plainValue
    : fc.oneof(
        { weight: 4, arbitrary: plainValue },
        {
          weight: 1,
          arbitrary: fc.record({
            tag: fc.constant('begCollection'),
            members: fc.array(attributeOf(valueUpTo(depth - 1)), { maxLength: 4 }),
          }),
        },
      );

export const anyAttribute = attributeOf(valueUpTo(3));

export const anyMessage: fc.Arbitrary<Message> = fc.record({
  version: fc.tuple(byte, byte),
  code: fc.nat(0xffff),
  requestId: int32,
  groups: fc.array(
    fc.record({
      tag: names(groupTags, (name): name is GroupTag => name in groupTags),
      attributes: fc.array(anyAttribute, { maxLength: 6 }),
    }),
    { maxLength: 4 },
  ),
});
