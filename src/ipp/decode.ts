/**
 * Reads one IPP message (RFC 8010 section 3.1) from octets; `encode.ts` draws the format, and `octet-reader.ts` has the
 * caps. Only the framing is checked, not the meaning of the operation, and a value whose octets do not fit its tag is
 * kept raw. A `DecodeError` names the offset, and its `truncated` tells the receiver that more octets may help. In an
 * answer, a broken part is skipped if the next part can be found; the caller then finds it missing.
 */
import { decodeValue } from './decode-value.ts';
import type { Attribute, Group, Message, Value } from './message.ts';
import { DecodeError, limits, OctetReader } from './octet-reader.ts';
import { endOfAttributes, groupTagNames, valueTags } from './message.ts';

/** The smallest value tag; lower tags delimit groups (RFC 8010 section 3.5). */
const firstValueTag = 0x10;

export function decodeMessage(octets: Uint8Array): { message: Message; rest: Buffer } {
  const reader = new OctetReader(octets);
  return { message: readMessage(reader, refuse), rest: reader.rest };
}

/** Decodes the complete answer of a printer; broken parts are skipped and listed. */
export function decodeAnswer(octets: Uint8Array): { message: Message; skipped: readonly DecodeError[] } {
  const skipped: DecodeError[] = [];
  const skip = (fault: DecodeError) => {
    if (skipped.length === limits.skipped) throw fault;
    skipped.push(fault);
  };
  return { message: readMessage(new OctetReader(octets), skip), skipped };
}

/** Called for a part that breaks the rules: it throws, or it returns and the part is skipped. */
type OnFault = (fault: DecodeError) => void;

const refuse: OnFault = (fault) => {
  throw fault;
};

function readMessage(reader: OctetReader, onFault: OnFault): Message {
  const version = [reader.uint8('version-number', '3.4'), reader.uint8('version-number', '3.4')] as const;
  const code = reader.uint16('operation-id or status-code', '3.4');
  const requestId = reader.int32('request-id', '3.4');
  return { version, code, requestId, groups: new GroupReader(reader, onFault).readAll() };
}

interface OpenAttribute extends Attribute {
  readonly values: Value[];
}

interface OpenGroup extends Group {
  readonly attributes: OpenAttribute[];
}

class GroupReader {
  readonly #reader: OctetReader;
  readonly #onFault: OnFault;
  readonly #groups: OpenGroup[] = [];
  /** The attributes of the group that is being read, which may be a group that is skipped. */
  #open: OpenAttribute[] | undefined;
  /** The attribute that the next value without a name belongs to; `undefined` if that attribute is not kept. */
  #last: OpenAttribute | undefined;
  #attributes = 0;
  #values = 0;

  constructor(reader: OctetReader, onFault: OnFault) {
    this.#reader = reader;
    this.#onFault = onFault;
  }

  readAll(): readonly Group[] {
    for (;;) {
      const offset = this.#reader.offset;
      if (this.#onFault !== refuse && this.#reader.isAtEnd && this.#groups.length > 0) {
        this.#fault('the octets end without end-of-attributes', offset, '3.5.1');
        return this.#groups;
      }
      const tag = this.#reader.uint8('a tag', '3.5');
      if (tag === endOfAttributes) return this.#groups;
      if (tag < firstValueTag) this.#openGroup(tag, offset);
      else this.#addValue(tag, offset);
    }
  }

  #fault(what: string, offset: number, section: string): void {
    this.#onFault(new DecodeError(what, { offset, section }));
  }

  #openGroup(number: number, offset: number): void {
    const tag = groupTagNames[number];
    this.#open = [];
    this.#last = undefined;
    if (tag === undefined) this.#fault(`the delimiter tag ${hex(number)} is reserved`, offset, '3.5.1');
    else this.#groups.push({ tag, attributes: this.#open });
  }

  /** RFC 8010 sections 3.1.4 and 3.1.5: a value without a name is a further value of the attribute before it. */
  #addValue(tag: number, offset: number): void {
    if (this.#open === undefined) {
      this.#fault('an attribute before any group', offset, '3.1.2');
      this.#open = [];
    }
    const name = this.#reader.latin1Field('name', '3.1.4');
    if (tag === valueTags.endCollection || tag === valueTags.memberAttrName)
      return this.#skipStray(tag, offset);
    const value = this.#readValue(tag, offset, 0);
    if (name !== '') {
      this.#countAttribute(offset);
      this.#last = value && { name, values: [value] };
      if (this.#last) this.#open.push(this.#last);
    } else if (this.#last === undefined) {
      this.#fault('an additional value without an attribute', offset, '3.1.5');
    } else if (value) this.#last.values.push(value);
    else this.#forgetLast();
  }

  /**
   * Some values of the attribute are unknown. The attribute goes, because a reader could not see that its list is cut.
   */
  #forgetLast(): void {
    this.#open?.pop();
    this.#last = undefined;
  }

  /** The values without a name that follow belong to no known attribute. */
  #skipStray(tag: number, offset: number): void {
    this.#reader.field('value', '3.1.4');
    this.#fault(`the tag ${hex(tag)} outside a collection`, offset, '3.1.6');
    this.#last = undefined;
  }

  /** Reads the value of the tag at `offset`; `undefined` for a collection that is skipped. */
  #readValue(tag: number, offset: number, depth: number): Value | undefined {
    this.#countValue(offset);
    const from = this.#reader.field('value', '3.1.4');
    if (tag !== valueTags.begCollection) return decodeValue(tag, this.#reader, from);
    const members = this.#readMembers(offset, depth + 1);
    return members && { tag: 'begCollection', members };
  }

  /**
   * The members of a collection (RFC 8010 sections 3.1.6 and 3.1.7); `encode.ts` draws the format. Octets in the value
   * of begCollection or endCollection mean nothing. `undefined`: the end is missing, so the owner of each member is
   * unknown.
   */
  #readMembers(start: number, depth: number): readonly Attribute[] | undefined {
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
      if (tag === undefined) return undefined;
      if (tag === valueTags.endCollection || tag === valueTags.memberAttrName) {
        if (members.at(-1)?.values.length === 0) {
          this.#fault('a member without a value', offset, '3.1.7');
          members.pop();
        }
        const name = this.#reader.latin1Field('value', '3.1.4');
        if (tag === valueTags.endCollection) return members.filter((one) => one.name !== '');
        if (name === '') this.#fault('a member without a name', offset, '3.1.7');
        members.push({ name, values: [] });
        continue;
      }
      const member = members.at(-1);
      if (member === undefined) this.#fault('a value before the name of its member', offset, '3.1.7');
      const value = this.#readValue(tag, offset, depth);
      if (value) member?.values.push(value);
    }
  }

  /**
   * Reads a tag and a name of length 0, the beginning of every part of a collection. `undefined`: something else is
   * there, and it is read again.
   */
  #readMemberTag(): number | undefined {
    const offset = this.#reader.offset;
    const tag = this.#reader.uint8('a tag', '3.1.7');
    if (tag < firstValueTag) {
      this.#fault('a collection without its end', offset, '3.1.6');
      this.#reader.goBack(offset);
      return undefined;
    }
    const name = this.#reader.field('name', '3.1.4');
    if (this.#reader.offset > name) {
      this.#fault('a named attribute within a collection', offset, '3.1.7');
      this.#reader.goBack(offset);
      return undefined;
    }
    return tag;
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
