/** Reads one value from its octets (RFC 8010 section 3.9). Never throws: what has not the form of its tag stays raw. */
import { isUtf8 } from 'node:buffer';
import { isOutOfBand, isText, valueTagNames } from './tags.ts';
import type { DateTime, Value } from './values.ts';

export function decodeValue(number: number, octets: Buffer): Value {
  return typed(number, octets) ?? { tag: 'raw', number, octets: Buffer.from(octets) };
}

function typed(number: number, octets: Buffer): Value | undefined {
  const tag = valueTagNames.get(number);
  if (tag === undefined) return undefined;
  if (isOutOfBand(tag)) return octets.length === 0 ? { tag } : undefined;
  if (isText(tag)) return isUtf8(octets) ? { tag, text: octets.toString('utf8') } : undefined;
  switch (tag) {
    case 'integer':
    case 'enum':
      return octets.length === 4 ? { tag, integer: octets.readInt32BE() } : undefined;
    case 'boolean':
      return octets.length === 1 && octets.readUInt8() <= 1
        ? { tag, boolean: octets.readUInt8() === 1 }
        : undefined;
    case 'octetString':
      return { tag, octets: Buffer.from(octets) };
    case 'dateTime': {
      const dateTime = readDateTime(octets);
      return dateTime && { tag, dateTime };
    }
    case 'resolution':
      return octets.length === 9
        ? { tag, crossFeed: octets.readInt32BE(), feed: octets.readInt32BE(4), units: octets.readInt8(8) }
        : undefined;
    case 'rangeOfInteger':
      return octets.length === 8
        ? { tag, lower: octets.readInt32BE(), upper: octets.readInt32BE(4) }
        : undefined;
    case 'textWithLanguage':
    case 'nameWithLanguage': {
      const parts = readWithLanguage(octets);
      return parts && { tag, ...parts };
    }
    case 'begCollection':
    case 'endCollection':
    case 'memberAttrName':
      break;
  }
  return undefined;
}

/** RFC 2579, DateAndTime. */
function readDateTime(octets: Buffer): DateTime | undefined {
  if (octets.length !== 11) return undefined;
  const direction = octets.toString('latin1', 8, 9);
  if (direction !== '+' && direction !== '-') return undefined;
  return {
    year: octets.readUInt16BE(0),
    month: octets.readUInt8(2),
    day: octets.readUInt8(3),
    hour: octets.readUInt8(4),
    minute: octets.readUInt8(5),
    second: octets.readUInt8(6),
    decisecond: octets.readUInt8(7),
    direction,
    utcHours: octets.readUInt8(9),
    utcMinutes: octets.readUInt8(10),
  };
}

/** A language and a text, each with its length before it, and nothing after them. */
function readWithLanguage(octets: Buffer): { language: string; text: string } | undefined {
  if (octets.length < 4) return undefined;
  const textAt = 2 + octets.readUInt16BE();
  if (textAt + 2 > octets.length) return undefined;
  if (textAt + 2 + octets.readUInt16BE(textAt) !== octets.length) return undefined;
  const language = octets.subarray(2, textAt);
  const text = octets.subarray(textAt + 2);
  if (!isUtf8(language) || !isUtf8(text)) return undefined;
  return { language: language.toString('utf8'), text: text.toString('utf8') };
}
