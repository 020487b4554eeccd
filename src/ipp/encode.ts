/**
 * Writes an IPP message as octets (RFC 8010 section 3). Whether the attributes make sense for the operation is not
 * looked at. Throws `RangeError` for what has no encoding: that is a mistake of the caller.
 */
import type { Attribute, Message } from './message.ts';
import { endOfAttributes, groupTags, valueTags } from './tags.ts';
import type { DateTime, Value } from './values.ts';

/** A length is a SIGNED-SHORT (section 3.4). */
const longestField = 0x7fff;
const nothing = Buffer.alloc(0);

export function encodeMessage(message: Message): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt8(message.version[0], 0);
  header.writeUInt8(message.version[1], 1);
  header.writeUInt16BE(message.code, 2);
  header.writeInt32BE(message.requestId, 4);
  const parts = [header];
  for (const group of message.groups) {
    parts.push(Buffer.of(groupTags[group.tag]));
    for (const attribute of group.attributes) writeAttribute(attribute, parts);
  }
  parts.push(Buffer.of(endOfAttributes));
  return Buffer.concat(parts);
}

/** Section 3.1.4, and 3.1.5 for the values after the first: those have a name of length 0. */
function writeAttribute({ name, values }: Attribute, parts: Buffer[]): void {
  checkAttribute(name, values);
  values.forEach((value, index) => writeValue(index === 0 ? latin1(name) : nothing, value, parts));
}

function writeValue(name: Buffer, value: Value, parts: Buffer[]): void {
  if (value.tag === 'raw') {
    writeField(rawTag(value.number), name, value.octets, parts);
  } else if (value.tag === 'begCollection') {
    writeField(valueTags.begCollection, name, nothing, parts);
    for (const member of value.members) writeMember(member, parts);
    writeField(valueTags.endCollection, nothing, nothing, parts);
  } else {
    writeField(valueTags[value.tag], name, octetsOf(value), parts);
  }
}

/** Section 3.1.7: a member's name is a value of its own, its values have names of length 0. */
function writeMember({ name, values }: Attribute, parts: Buffer[]): void {
  checkAttribute(name, values);
  writeField(valueTags.memberAttrName, nothing, latin1(name), parts);
  for (const value of values) writeValue(nothing, value, parts);
}

function writeField(tag: number, name: Buffer, value: Buffer, parts: Buffer[]): void {
  parts.push(Buffer.of(tag), counted(name), counted(value));
}

function octetsOf(value: Exclude<Value, { tag: 'raw' | 'begCollection' }>): Buffer {
  if ('language' in value) {
    return Buffer.concat([counted(Buffer.from(value.language)), counted(Buffer.from(value.text))]);
  }
  if ('text' in value) return Buffer.from(value.text);
  if ('integer' in value) return int32(value.integer);
  if ('boolean' in value) return Buffer.of(value.boolean ? 1 : 0);
  if ('octets' in value) return value.octets;
  if ('dateTime' in value) return dateAndTime(value.dateTime);
  if ('lower' in value) return Buffer.concat([int32(value.lower), int32(value.upper)]);
  if ('units' in value) {
    return Buffer.concat([int32(value.crossFeed), int32(value.feed), int8(value.units)]);
  }
  return nothing;
}

/** RFC 2579, DateAndTime. */
function dateAndTime(moment: DateTime): Buffer {
  const octets = Buffer.alloc(11);
  octets.writeUInt16BE(moment.year, 0);
  const { month, day, hour, minute, second, decisecond } = moment;
  [month, day, hour, minute, second, decisecond].forEach((field, index) =>
    octets.writeUInt8(field, 2 + index),
  );
  octets.write(moment.direction, 8, 'latin1');
  octets.writeUInt8(moment.utcHours, 9);
  octets.writeUInt8(moment.utcMinutes, 10);
  return octets;
}

function int32(number: number): Buffer {
  const octets = Buffer.alloc(4);
  octets.writeInt32BE(number);
  return octets;
}

function int8(number: number): Buffer {
  const octets = Buffer.alloc(1);
  octets.writeInt8(number);
  return octets;
}

/** The octets with their length before them. */
function counted(octets: Buffer): Buffer {
  if (octets.length > longestField) {
    throw new RangeError(
      `a field of ${octets.length} octets is longer than ${longestField} (RFC 8010 section 3.4)`,
    );
  }
  const length = Buffer.alloc(2);
  length.writeUInt16BE(octets.length);
  return Buffer.concat([length, octets]);
}

/** Attribute names are US-ASCII keywords; as Latin-1 every octet a printer may have sent comes back unchanged. */
function latin1(name: string): Buffer {
  if (/[^\u0000-\u00ff]/.test(name)) throw new RangeError(`the attribute name ${name} is not a keyword`);
  return Buffer.from(name, 'latin1');
}

function rawTag(number: number): number {
  const { begCollection, endCollection, memberAttrName } = valueTags;
  if (
    number < 0x10 ||
    number > 0xff ||
    [begCollection, endCollection, memberAttrName].some((one) => one === number)
  ) {
    throw new RangeError(`0x${number.toString(16)} is not the tag of a value (RFC 8010 section 3.5.2)`);
  }
  return number;
}

function checkAttribute(name: string, values: readonly Value[]): void {
  if (name === '') throw new RangeError('an attribute without a name (RFC 8010 section 3.1.4)');
  if (values.length === 0)
    throw new RangeError(`the attribute ${name} has no value (RFC 8010 section 3.1.4)`);
}
