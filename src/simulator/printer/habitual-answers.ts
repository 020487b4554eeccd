/**
 * Answers that a printer gives by habit: in HTTP, before IPP or instead of it, and correct answers that are broken,
 * in their groups or in their octets.
 */
import type { IncomingMessage } from 'node:http';
import type { Group } from '../../ipp/message.ts';
import { groupTags, valueTags } from '../../ipp/message.ts';
import type { PrinterContext } from './context.ts';

/** The path of the printer, if it is not the usual one. */
export const ownPath = (habits: PrinterContext['habits']): string | undefined =>
  habits.value('other-path') ?? habits.value('missing-queue');

export interface WebAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const upgrade: WebAnswer = { status: 426, headers: { upgrade: 'TLS/1.2', connection: 'upgrade' } };

/** The answer before the request is read; `undefined` if IPP is to answer. */
export function saidByWeb({ habits, settings }: PrinterContext, { url }: IncomingMessage) {
  const { host, pathname } = new URL(settings.uri);
  const missing = habits.number('no-printer');
  const page = habits.value('web-page');
  const target = targets(host)[habits.value('sends-elsewhere') ?? ''];
  if (habits.value('wants-tls') === 'all') return upgrade;
  if (target !== undefined) return { status: 307, headers: { location: target } };
  if (missing !== undefined) return { status: missing };
  if (page !== undefined) return pages[page];
  return habits.has('other-path') && !url?.startsWith(pathname) ? { status: 404 } : undefined;
}

/** Whether the address is an unknown queue. CUPS answers this in IPP before it reads more of the request. */
export const isElsewhere = ({ habits, settings }: PrinterContext, { url }: IncomingMessage): boolean =>
  habits.has('missing-queue') && !url?.startsWith(new URL(settings.uri).pathname);

/** The HTTP answer to a document, if there is one. */
export const saidToDocument = ({ habits }: PrinterContext): WebAnswer | undefined =>
  habits.value('wants-tls') === 'documents' ? upgrade : undefined;

/** The HTTP answer to this operation. With `closes`, the connection ends without an answer. */
export function saidToQuestion(
  { habits }: PrinterContext,
  operation: string | undefined,
): WebAnswer | 'closes' | undefined {
  const refusals: Readonly<Record<string, string | undefined>> = {
    'Get-Job-Attributes': habits.value('refuses-job-questions'),
    'Validate-Job': habits.value('refuses-validation'),
  };
  const how = refusals[operation ?? ''] ?? '';
  if (how === 'closes') return how;
  return how.startsWith('http-') ? { status: Number(how.slice('http-'.length)) } : pages[how];
}

const targets = (host: string): Readonly<Record<string, string>> => ({
  tls: `https://${host}/`,
  path: '/ipp/faxout',
  host: 'http://192.0.2.1:631/ipp/print',
});

const pages: Readonly<Record<string, WebAnswer>> = {
  html: {
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: '<!DOCTYPE html><title>Home</title><p>Welcome.',
  },
  nothing: { status: 200 },
};

type Kind = string | undefined;

/** Breaks the groups of a correct answer as the habit says. */
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
