/**
 * Words in another language: a catalogue of gettext (its manual, "PO Files"), which translators' programs read
 * and write. A message is known by its key (`msgctxt`); `msgid` is what the English says. Which forms a plural has, and in
 * what order, says the head: `X-Plural-Rules`, by the names that Intl.PluralRules has for them.
 */
import type { Message } from '../src/phrases/sentence.ts';

export type Words = Readonly<Record<string, Message>>;

interface Entry {
  /** The comments above it, its flags among them. */
  readonly comments: readonly string[];
  /** By keyword: `msgctxt`, `msgid`, `msgstr[0]`. */
  readonly texts: ReadonlyMap<string, string>;
}

const line = /^(?:(?<keyword>msg\w+(?:\[\d+\])?)\s+)?(?<text>"(?:[^"\\]|\\.)*")$/;

/** Throws where a line is none of a catalogue. */
function entriesOf(po: string): readonly Entry[] {
  return po.split(/\n{2,}/).flatMap((block) => {
    const comments: string[] = [];
    const texts = new Map<string, string>();
    let last = '';
    for (const row of block.split('\n').map((one) => one.trim())) {
      if (row.startsWith('#')) comments.push(row);
      if (row === '' || row.startsWith('#')) continue;
      const { keyword, text = '' } = line.exec(row)?.groups ?? {};
      if (text === '') throw new Error(`this is no line of a catalogue: ${row}`);
      last = keyword ?? last;
      texts.set(last, (texts.get(last) ?? '') + (JSON.parse(text) as string));
    }
    return texts.size > 0 ? [{ comments, texts }] : [];
  });
}

const isHead = ({ texts }: Entry): boolean => !texts.has('msgctxt');
const isFuzzy = ({ comments }: Entry): boolean => comments.some((one) => /^#,.*\bfuzzy\b/.test(one));
const keyOf = ({ texts }: Entry): string => texts.get('msgctxt') ?? '';

function rulesOf(entries: readonly Entry[]): readonly Intl.LDMLPluralRule[] {
  const head = entries.find(isHead)?.texts.get('msgstr') ?? '';
  const rules = /^X-Plural-Rules: (.+)$/m.exec(head)?.[1]?.split(' ') ?? [];
  if (rules.at(-1) !== 'other') throw new Error('the head has no X-Plural-Rules that ends in other');
  return rules as Intl.LDMLPluralRule[];
}

const asIds = (english: Message): readonly [keyword: string, text: string][] =>
  typeof english === 'string'
    ? [['msgid', english]]
    : [
        ['msgid', english.one ?? ''],
        ['msgid_plural', english.other],
      ];

const isOfSame = ({ texts }: Entry, english: Message): boolean =>
  asIds(english).every(([keyword, text]) => texts.get(keyword) === text) &&
  texts.has('msgid_plural') === (typeof english !== 'string');

/** All that the English has. Throws a sentence for what is missing, left over, or said of another English. */
export function messagesIn(po: string, english: Words): Words {
  const entries = entriesOf(po);
  const rules = rulesOf(entries);
  const known = new Map(entries.filter((one) => !isHead(one)).map((one) => [keyOf(one), one]));
  const wrong: string[] = [...known.keys()]
    .filter((key) => !(key in english))
    .map((key) => `${key}: unknown`);
  const messages: Record<string, Message> = {};
  for (const [key, said] of Object.entries(english)) {
    const entry = known.get(key);
    const message = entry && messageOf(entry, rules);
    if (!entry || message === undefined) wrong.push(`${key}: missing`);
    else if (isFuzzy(entry) || !isOfSame(entry, said)) wrong.push(`${key}: the English has changed`);
    else messages[key] = message;
  }
  if (wrong.length > 0) throw new Error(wrong.join('; '));
  return messages;
}

function messageOf({ texts }: Entry, rules: readonly Intl.LDMLPluralRule[]): Message | undefined {
  if (!texts.has('msgid_plural')) return texts.get('msgstr') || undefined;
  const forms = rules.map((rule, at) => [rule, texts.get(`msgstr[${at}]`) ?? ''] as const);
  return forms.some(([, form]) => form === '') ? undefined : (Object.fromEntries(forms) as Message);
}

/** The same catalogue with an entry for each key of the English, in that order: empty where it is new, fuzzy where it changed. */
export function renewed(po: string, english: Words): string {
  const entries = entriesOf(po);
  const rules = rulesOf(entries);
  const known = new Map(entries.map((one) => [keyOf(one), one]));
  const head = entries.filter(isHead).map(written);
  const others = Object.entries(english).map(([key, said]) => {
    const before = known.get(key);
    const comments = before?.comments.filter((one) => !one.startsWith('#,')) ?? [];
    const isOld = before !== undefined && (isFuzzy(before) || !isOfSame(before, said));
    const names = typeof said === 'string' ? ['msgstr'] : rules.map((_, at) => `msgstr[${at}]`);
    const first = before?.texts.get('msgstr') ?? before?.texts.get('msgstr[0]') ?? '';
    const texts = new Map([['msgctxt', key], ...asIds(said)]);
    for (const name of names) texts.set(name, before?.texts.get(name) ?? first);
    return written({ comments: [...comments, ...(isOld && first !== '' ? ['#, fuzzy'] : [])], texts });
  });
  return `${[...head, ...others].join('\n\n')}\n`;
}

const written = ({ comments, texts }: Entry): string =>
  [...comments, ...[...texts].map(([keyword, text]) => `${keyword} ${quoted(text)}`)].join('\n');

/** The head has a line for each of its own. */
const quoted = (text: string): string => {
  const lines = text.split(/(?<=\n)/);
  return lines.length === 1
    ? JSON.stringify(text)
    : ['""', ...lines.map((one) => JSON.stringify(one))].join('\n');
};
