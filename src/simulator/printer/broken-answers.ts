/** Breaks a correct answer as the habit says: its groups, or its octets. */
import type { Group } from '../../ipp/message.ts';
import { groupTags, valueTags } from '../../ipp/tags.ts';

type Kind = string | undefined;

export function brokenGroups(kind: Kind, groups: readonly Group[]): readonly Group[] {
  return groups.flatMap((group): readonly Group[] => {
    const { tag, attributes } = group;
    if (tag === 'operation-attributes' || tag === 'unsupported-attributes') return [group];
    if (kind === 'empty-group') return [{ tag, attributes: [] }, group];
    if (kind === 'wrong-group') return [{ tag: 'document-attributes', attributes }];
    if (kind !== 'split-groups') return [group];
    return [0, 1].map((part) => ({ tag, attributes: attributes.filter((_, at) => at % 2 === part) }));
  });
}

const field = (tag: number, name: string, value = ''): Buffer =>
  Buffer.concat([
    Buffer.of(tag, 0, name.length),
    Buffer.from(name),
    Buffer.of(0, value.length),
    Buffer.from(value),
  ]);

const begin = field(valueTags.begCollection, 'x-paper-col');
const member = field(valueTags.memberAttrName, '', 'x-size');
const end = field(valueTags.endCollection, '');

const parts: Readonly<Record<string, Buffer>> = {
  'no-value': Buffer.concat([begin, member, end]),
  'no-end': Buffer.concat([begin, member, field(valueTags.keyword, '', 'a4')]),
  'stray-member': Buffer.concat([member, field(valueTags.keyword, '', 'a4')]),
};

/** The length of the head: version, status and request-id. */
const head = 8;

/** The broken part is in a group of its own, before the others. */
export function brokenOctets(kind: Kind, whole: Buffer): Buffer {
  if (kind === 'no-last-tag') return whole.subarray(0, -1);
  const part = kind === undefined ? undefined : parts[kind];
  if (part === undefined) return whole;
  const group = Buffer.of(groupTags['printer-attributes']);
  return Buffer.concat([whole.subarray(0, head), group, part, whole.subarray(head)]);
}
