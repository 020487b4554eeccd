/**
 * Writes an IPP message as octets (RFC 8010 section 3). It does not check that the attributes make sense for the
 * operation. It throws `RangeError` for a value that has no encoding, because that is a mistake of the caller.
 */
import type { Attribute, DateTime, Message, Value } from './message.ts';
import { OctetWriter } from './octet-writer.ts';
import { endOfAttributes, groupTags, valueTagNumbers, valueTags } from './message.ts';

/**
 * Section 3.1.1 and 3.1.2:
 *
 * +------------------------------------+
 * |   version-number (major, minor)    |  2 octets
 * +------------------------------------+
 * |   operation-id (request) or        |  2 octets
 * |   status-code (response)           |
 * +------------------------------------+
 * |   request-id                       |  4 octets
 * +------------------------------------+
 * |   begin-attribute-group-tag        |  1 octet   \
 * +------------------------------------+            |  for each group
 * |   attributes                       |  n octets  /
 * +------------------------------------+
 * |   end-of-attributes-tag (0x03)     |  1 octet
 * +------------------------------------+
 * |   document data                    |  q octets, not written here
 * +------------------------------------+
 */
export function encodeMessage(message: Message): Buffer {
  const to = new OctetWriter();
  to.uint8(message.version[0]);
  to.uint8(message.version[1]);
  to.uint16(message.code);
  to.int32(message.requestId);
  for (const group of message.groups) {
    to.uint8(groupTags[group.tag]);
    for (const attribute of group.attributes) writeAttribute(attribute, to);
  }
  to.uint8(endOfAttributes);
  return to.finish();
}

/**
 * Sections 3.1.4 and 3.1.5: the first value carries the name, each further value has a name of length 0. Names are
 * US-ASCII keywords. They are written as Latin-1, so that every octet from a printer comes back unchanged.
 */
function writeAttribute({ name, values }: Attribute, to: OctetWriter): void {
  checkAttribute(name, values);
  let nameOrNothing = name;
  for (const value of values) {
    writeValue(nameOrNothing, value, to);
    nameOrNothing = '';
  }
}

/**
 * Section 3.1.4. The name is empty for a further value (section 3.1.5):
 *
 * +--------------+------------------+----------------+-------------------+----------------+
 * |  value-tag   |  name-length N   |      name      |  value-length V   |     value      |
 * +--------------+------------------+----------------+-------------------+----------------+
 * |   1 octet    |     2 octets     |    N octets    |     2 octets      |    V octets    |
 */
function writeValue(name: string, value: Value, to: OctetWriter): void {
  const { tag } = value;
  to.uint8(tag === 'raw' ? rawTag(value.number) : namedTag(tag));
  to.latin1(name);
  switch (tag) {
    case 'textWithoutLanguage':
    case 'nameWithoutLanguage':
    case 'keyword':
    case 'uri':
    case 'uriScheme':
    case 'charset':
    case 'naturalLanguage':
    case 'mimeMediaType':
      to.text(value.text);
      break;
    case 'integer':
    case 'enum':
      to.uint16(4);
      to.int32(value.integer);
      break;
    case 'boolean':
      to.uint16(1);
      to.uint8(value.boolean ? 1 : 0);
      break;
    case 'begCollection':
      writeMembers(value.members, to);
      break;
    case 'octetString':
    case 'raw':
      to.octets(value.octets);
      break;
    case 'dateTime':
      to.counted(() => writeDateAndTime(value.dateTime, to));
      break;
    case 'rangeOfInteger':
      to.uint16(8);
      to.int32(value.lower);
      to.int32(value.upper);
      break;
    case 'resolution':
      to.uint16(9);
      to.int32(value.crossFeed);
      to.int32(value.feed);
      to.int8(value.units);
      break;
    case 'textWithLanguage':
    case 'nameWithLanguage':
      to.counted(() => {
        to.text(value.language);
        to.text(value.text);
      });
      break;
    default:
      // Section 3.5.2: an out-of-band value consists of its tag only.
      to.uint16(0);
  }
}

/**
 * Section 3.1.6: the rest of a collection, after its tag and name. Neither the end nor a member has a name:
 *
 * +-----------------------------+
 * |  value-length (0x0000)      |  2 octets, of begCollection
 * +-----------------------------+
 * |  members                    |  n octets
 * +-----------------------------+
 * |  endCollection tag (0x37)   |  1 octet
 * +-----------------------------+
 * |  name-length (0x0000)       |  2 octets
 * +-----------------------------+
 * |  value-length (0x0000)      |  2 octets
 * +-----------------------------+
 */
function writeMembers(members: readonly Attribute[], to: OctetWriter): void {
  to.uint16(0);
  for (const member of members) writeMember(member, to);
  to.uint8(valueTags.endCollection);
  to.uint16(0);
  to.uint16(0);
}

/**
 * Section 3.1.7: the name of a member is the value of an attribute without a name; its values follow, without names:
 *
 * +-------------+---------------+----------------+-------------+
 * |    0x4a     |    0x0000     |  length N      |  member     |  memberAttrName
 * |             |  name-length  |                |  name       |
 * +-------------+---------------+----------------+-------------+
 * |  value-tag  |    0x0000     |  length V      |  value      |  for each value
 * |             |  name-length  |                |             |
 * +-------------+---------------+----------------+-------------+
 *     1 octet       2 octets         2 octets      N, V octets
 */
function writeMember({ name, values }: Attribute, to: OctetWriter): void {
  checkAttribute(name, values);
  to.uint8(valueTags.memberAttrName);
  to.uint16(0);
  to.latin1(name);
  for (const value of values) writeValue('', value, to);
}

/** DateAndTime (RFC 2579); `decode-value.ts` draws it. */
function writeDateAndTime(moment: DateTime, to: OctetWriter): void {
  const { month, day, hour, minute, second, decisecond } = moment;
  to.uint16(moment.year);
  for (const field of [month, day, hour, minute, second, decisecond]) to.uint8(field);
  to.uint8(moment.direction.charCodeAt(0));
  to.uint8(moment.utcHours);
  to.uint8(moment.utcMinutes);
}

function namedTag(name: string): number {
  const number = valueTagNumbers.get(name);
  if (number === undefined) throw new RangeError(`${name} is not a tag (RFC 8010 section 3.5.2)`);
  return number;
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
