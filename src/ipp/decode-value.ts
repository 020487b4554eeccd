/**
 * Reads one attribute value from its octets (RFC 8010 section 3.9). It never throws: a value that does not have the
 * form of its tag is kept as raw octets.
 */
import type { OctetReader } from './octet-reader.ts';
import { outOfBandTagNames, textTagNames, valueTags } from './message.ts';
import type { DateTime, Value } from './message.ts';

/** The value begins at `from` and ends at the reader's present offset. */
export const decodeValue = (number: number, reader: OctetReader, from: number): Value =>
  typed(number, reader, from) ?? { tag: 'raw', number, octets: reader.octets(from, reader.offset) };

/**
 * The values of fixed length (RFC 8010 section 3.9); other syntaxes are text or octets of any length:
 *
 *                    0           4           8       9
 *                    +-----------+
 *  integer, enum     |  integer  |
 *                    +-----------+-----------+
 *  rangeOfInteger    |   lower   |   upper   |
 *                    +-----------+-----------+-------+
 *  resolution        | crossFeed |   feed    | units |
 *                    +-----------+-----------+-------+
 *  boolean           00 or 01, one octet
 *  out-of-band       no octets
 */
function typed(number: number, reader: OctetReader, from: number): Value | undefined {
  const to = reader.offset;
  const textTag = textTagNames[number];
  if (textTag !== undefined) {
    const text = reader.utf8(from, to);
    return text === undefined ? undefined : { tag: textTag, text };
  }
  const length = to - from;
  switch (number) {
    case valueTags.integer:
      return length === 4 ? { tag: 'integer', integer: reader.int32At(from) } : undefined;
    case valueTags.enum:
      return length === 4 ? { tag: 'enum', integer: reader.int32At(from) } : undefined;
    case valueTags.boolean:
      return length === 1 && reader.uint8At(from) <= 1
        ? { tag: 'boolean', boolean: reader.uint8At(from) === 1 }
        : undefined;
    case valueTags.octetString:
      return { tag: 'octetString', octets: reader.octets(from, to) };
    case valueTags.dateTime: {
      const dateTime = length === 11 ? readDateTime(reader, from) : undefined;
      return dateTime && { tag: 'dateTime', dateTime };
    }
    case valueTags.resolution:
      if (length !== 9) return undefined;
      return {
        tag: 'resolution',
        crossFeed: reader.int32At(from),
        feed: reader.int32At(from + 4),
        units: reader.int8At(from + 8),
      };
    case valueTags.rangeOfInteger:
      return length === 8
        ? { tag: 'rangeOfInteger', lower: reader.int32At(from), upper: reader.int32At(from + 4) }
        : undefined;
    case valueTags.textWithLanguage: {
      const parts = readWithLanguage(reader, from);
      return parts && { tag: 'textWithLanguage', ...parts };
    }
    case valueTags.nameWithLanguage: {
      const parts = readWithLanguage(reader, from);
      return parts && { tag: 'nameWithLanguage', ...parts };
    }
  }
  const outOfBandTag = outOfBandTagNames[number];
  return outOfBandTag !== undefined && length === 0 ? { tag: outOfBandTag } : undefined;
}

/**
 * DateAndTime (RFC 2579), 11 octets. `dir` is the ASCII sign `+` or `-` of the distance from UTC:
 *
 * +---------+-------+-----+------+--------+--------+------------+-----+----------+-------------+
 * |  year   | month | day | hour | minute | second | decisecond | dir | utcHours | utcMinutes  |
 * +---------+-------+-----+------+--------+--------+------------+-----+----------+-------------+
 * 0         2       3     4      5        6        7            8     9          10           11
 */
function readDateTime(reader: OctetReader, from: number): DateTime | undefined {
  const direction = reader.latin1(from + 8, from + 9);
  if (direction !== '+' && direction !== '-') return undefined;
  return {
    year: reader.uint16At(from),
    month: reader.uint8At(from + 2),
    day: reader.uint8At(from + 3),
    hour: reader.uint8At(from + 4),
    minute: reader.uint8At(from + 5),
    second: reader.uint8At(from + 6),
    decisecond: reader.uint8At(from + 7),
    direction,
    utcHours: reader.uint8At(from + 9),
    utcMinutes: reader.uint8At(from + 10),
  };
}

/**
 * textWithLanguage and nameWithLanguage (RFC 8010 section 3.9). Octets after the text are a fault:
 *
 * +------------+--------------------+------------+--------------------+
 * |  length L  | language, L octets |  length T  |   text, T octets   |
 * +------------+--------------------+------------+--------------------+
 * |  2 octets  |                   |  2 octets  |                    |
 */
function readWithLanguage(reader: OctetReader, from: number): { language: string; text: string } | undefined {
  const to = reader.offset;
  if (to - from < 4) return undefined;
  const textAt = from + 2 + reader.uint16At(from);
  if (textAt + 2 > to) return undefined;
  if (textAt + 2 + reader.uint16At(textAt) !== to) return undefined;
  const language = reader.utf8(from + 2, textAt);
  const text = reader.utf8(textAt + 2, to);
  return language === undefined || text === undefined ? undefined : { language, text };
}
