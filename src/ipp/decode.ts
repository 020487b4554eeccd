/**
 * Reads one IPP message (RFC 8010 section 3.1) from octets. Checks the framing only; what an operation means is not
 * looked at, and a value whose octets do not fit its tag is kept raw. Throws `DecodeError` with the octet's offset;
 * its `truncated` tells a receiver that more octets may help. Caps are those of `octet-reader.ts`.
 */
import { decodeValue } from './decode-value.ts';
import type { Attribute, Group, Message, Value } from './message.ts';
import { DecodeError, limits, OctetReader } from './octet-reader.ts';
import { endOfAttributes, groupTagNames, valueTags } from './tags.ts';

/** The smallest value tag; everything below delimits groups (section 3.5). */
const firstValueTag = 0x10;

export function decodeMessage(octets: Uint8Array): { message: Message; rest: Buffer } {
  const reader = new OctetReader(octets);
  const version = [reader.uint8('version-number', '3.4'), reader.uint8('version-number', '3.4')] as const;
  const code = reader.uint16('operation-id or status-code', '3.4');
  const requestId = reader.int32('request-id', '3.4');
  const groups = new GroupReader(reader).readAll();
  return { message: { version, code, requestId, groups }, rest: reader.rest };
}

interface OpenAttribute extends Attribute {
  readonly values: Value[];
}

interface OpenGroup extends Group {
  readonly attributes: OpenAttribute[];
}

class GroupReader {
  readonly #reader: OctetReader;
  readonly #groups: OpenGroup[] = [];
  #attributes = 0;
  #values = 0;

  constructor(reader: OctetReader) {
    this.#reader = reader;
  }

  readAll(): readonly Group[] {
    for (;;) {
      const offset = this.#reader.offset;
      const tag = this.#reader.uint8('a tag', '3.5');
      if (tag === endOfAttributes) return this.#groups;
      if (tag < firstValueTag) this.#openGroup(tag, offset);
      else this.#addValue(tag, offset);
    }
  }

  #openGroup(number: number, offset: number): void {
    const tag = groupTagNames[number];
    if (tag === undefined) {
      throw new DecodeError(`the delimiter tag ${hex(number)} is reserved`, { offset, section: '3.5.1' });
    }
    this.#groups.push({ tag, attributes: [] });
  }

  /** Sections 3.1.4 and 3.1.5: a value without a name is a further one of the attribute before it. */
  #addValue(tag: number, offset: number): void {
    const attributes = this.#groups.at(-1)?.attributes;
    if (attributes === undefined) {
      throw new DecodeError('an attribute before any group', { offset, section: '3.1.2' });
    }
    const name = this.#reader.latin1Field('name', '3.1.4');
    const value = this.#readValue(tag, offset, 0);
    if (name !== '') {
      this.#countAttribute(offset);
      attributes.push({ name, values: [value] });
      return;
    }
    const attribute = attributes.at(-1);
    if (attribute === undefined) {
      throw new DecodeError('an additional value without an attribute', { offset, section: '3.1.5' });
    }
    attribute.values.push(value);
  }

  /** The value of this tag, which stands at `offset`. */
  #readValue(tag: number, offset: number, depth: number): Value {
    this.#countValue(offset);
    const from = this.#reader.field('value', '3.1.4');
    if (tag === valueTags.begCollection) {
      return { tag: 'begCollection', members: this.#readMembers(offset, depth + 1) };
    }
    if (tag === valueTags.endCollection || tag === valueTags.memberAttrName) {
      throw new DecodeError(`the tag ${hex(tag)} outside a collection`, { offset, section: '3.1.6' });
    }
    return decodeValue(tag, this.#reader, from);
  }

  /** Section 3.1.6 and 3.1.7. Octets in the value of begCollection or endCollection mean nothing. */
  #readMembers(start: number, depth: number): readonly Attribute[] {
    if (depth > limits.collectionDepth) {
      throw new DecodeError(`collections nested more than ${limits.collectionDepth} deep`, {
        offset: start,
        section: '3.1.6',
      });
    }
    const members: OpenAttribute[] = [];
    for (;;) {
      const offset = this.#reader.offset;
      const tag = this.#readMemberTag();
      if (tag === valueTags.endCollection) {
        this.#reader.field('value', '3.1.4');
        return members;
      }
      if (tag === valueTags.memberAttrName) {
        members.push(this.#readMember(offset, depth));
      } else {
        const member = members.at(-1);
        if (member === undefined) {
          throw new DecodeError('a value before the name of its member', { offset, section: '3.1.7' });
        }
        member.values.push(this.#readValue(tag, offset, depth));
      }
    }
  }

  /** A tag and a name of length 0: so begins all that stands in a collection. */
  #readMemberTag(): number {
    const offset = this.#reader.offset;
    const tag = this.#reader.uint8('a tag', '3.1.7');
    if (tag < firstValueTag) {
      throw new DecodeError('a collection without its end', { offset, section: '3.1.6' });
    }
    const name = this.#reader.field('name', '3.1.4');
    if (this.#reader.offset > name) {
      throw new DecodeError('a named attribute within a collection', { offset, section: '3.1.7' });
    }
    return tag;
  }

  /** Its name, which stands at `offset` as a value of its own, and its first value. */
  #readMember(offset: number, depth: number): OpenAttribute {
    const name = this.#reader.latin1Field('value', '3.1.4');
    if (name === '') throw new DecodeError('a member without a name', { offset, section: '3.1.7' });
    const valueAt = this.#reader.offset;
    const tag = this.#readMemberTag();
    if (tag === valueTags.endCollection || tag === valueTags.memberAttrName) {
      throw new DecodeError('a member without a value', { offset: valueAt, section: '3.1.7' });
    }
    return { name, values: [this.#readValue(tag, valueAt, depth)] };
  }

  #countAttribute(offset: number): void {
    this.#attributes += 1;
    if (this.#attributes > limits.attributes) {
      throw new DecodeError(`more than ${limits.attributes} attributes`, { offset, section: '3.1.2' });
    }
  }

  #countValue(offset: number): void {
    this.#values += 1;
    if (this.#values > limits.values) {
      throw new DecodeError(`more than ${limits.values} values`, { offset, section: '3.1' });
    }
  }
}

const hex = (number: number): string => `0x${number.toString(16).padStart(2, '0')}`;
