/**
 * Lays out the screen, 24 lines of at most 80 columns, from the view and the typed text. Pure. Names come last in their
 * lines, so that a name written from right to left does not move other text.
 */
import type { TypedWay } from '../domain/login.ts';
import type { PrintTotal } from '../domain/print-total.ts';
import { totalOf } from '../domain/print-total.ts';
import type { DocumentView, DoubtView, TerminalView } from '../domain/terminal/terminal-view.ts';
import { announcementOf } from '../phrases/announcement.ts';
import type { SentenceKey } from '../phrases/message.ts';
import { columnsOf, cutMark, cutTo, endOf, fill, plain, wrap } from './columns.ts';
import type { Dialogue, Note } from './dialogue.ts';
import { documentsOf, isChoosing, meantBy, pagesOf, perPage } from './dialogue.ts';
import type { FieldName, Form, Numbered } from './typed-input.ts';
import { shownLines } from './typed-input.ts';
import type { prompted } from './languages/en.ts';
import type { PromptWords } from './prompt-words.ts';

const screenSize = { rows: 24, columns: 80 } as const;

export interface Screen {
  /** The generation of the view. Text of another generation must not remain beside it (I3). */
  readonly generation: number;
  readonly lines: readonly string[];
  /** Counted from 0; set if the person can type. */
  readonly cursor: { readonly row: number; readonly column: number } | undefined;
}

/** The rows of text that every screen has at the same place. */
const rows = { title: 0, sentence: 2, person: 5, body: 7, page: 20, note: 21, line: 22, keys: 23 } as const;
const indent = ' ';
const textColumns = screenSize.columns - 2 * indent.length;

interface Part {
  readonly row: number;
  readonly text: string;
  readonly hasCursor?: boolean;
}

export function screenOf(
  view: TerminalView,
  { dialogue, words }: { readonly dialogue: Dialogue; readonly words: PromptWords },
): Screen {
  const parts = [...headOf(view, words), ...bodyOf(view, { dialogue, words })];
  const lines = Array.from({ length: screenSize.rows }, (_, row) => {
    const text = parts.find((part) => part.row === row)?.text ?? '';
    return text === '' ? '' : indent + cutTo(textColumns, plain(text));
  });
  const typed = parts.find((part) => part.hasCursor);
  const cursor = typed && { row: typed.row, column: indent.length + columnsOf(typed.text) };
  return { generation: view.generation, lines, cursor };
}

function headOf(view: TerminalView, words: PromptWords): Part[] {
  const { endsInSeconds } = view;
  const ending = endsInSeconds === undefined ? '' : words.say('endsIn', { n: endsInSeconds });
  const title = fill(textColumns - columnsOf(ending), words.phrases.say('title')) + ending;
  return [
    { row: rows.title, text: title },
    ...wrap(plain(sentenceOf(view, words)), { columns: textColumns, lines: 3 }).map((text, index) => ({
      row: rows.sentence + index,
      text,
    })),
    { row: rows.person, text: personOf(view, words) },
  ];
}

/** The English sentence of the view says more than the phrases, so English uses it. */
function sentenceOf(view: TerminalView, { phrases }: PromptWords): string {
  if (phrases.language.code !== 'en') return announcementOf(view, { phrases, code: (code) => code });
  return view.notHere ? `${phrases.say('notHere')} ${view.sentence}` : view.sentence;
}

function personOf({ fullName, balance }: TerminalView, { phrases }: PromptWords): string {
  const left = balance && phrases.say('balance', { amount: phrases.amount(balance.balance) });
  return [left, fullName].filter((part) => part !== undefined).join('   ');
}

const wayWords: Readonly<Record<TypedWay, SentenceKey>> = {
  'short-id': 'wayShortId',
  password: 'wayPassword',
  name: 'wayName',
  email: 'wayEmail',
};

function bodyOf(
  view: TerminalView,
  { dialogue, words }: { readonly dialogue: Dialogue; readonly words: PromptWords },
): Part[] {
  if (dialogue.form) return formOf(dialogue.form, words);
  if (isChoosing(view)) return listOf(view, { dialogue, words });
  if (view.offers && view.offers.length > 0) {
    return [
      { row: rows.body, text: words.say('orType') },
      ...view.offers.map((way, index) => ({
        row: rows.body + 2 + index,
        text: `${index + 1}  ${words.phrases.say(wayWords[way])}`,
      })),
      { row: rows.keys, text: words.say('keysWays') },
    ];
  }
  const canLeave = view.state === 'authenticating' || view.state === 'listing';
  return canLeave ? [{ row: rows.keys, text: words.say('keysWait') }] : [];
}

function formOf(form: Form, words: PromptWords): Part[] {
  const lines = shownLines(form).map(({ field, text }) => fieldLine(field, { text, words }));
  return [
    ...lines.map((text, index) => ({
      row: rows.body + 2 * index,
      text,
      hasCursor: index === lines.length - 1,
    })),
    { row: rows.keys, text: words.say('keysField') },
  ];
}

/** If the line is too long, its end is shown, because the person types there. */
function fieldLine(
  field: FieldName,
  { text, words }: { readonly text: string; readonly words: PromptWords },
): string {
  const name = `${words.phrases.say(field)}: `;
  return name + endOf(textColumns - columnsOf(name) - 1, plain(text));
}

function listOf(
  view: TerminalView,
  { dialogue, words }: { readonly dialogue: Dialogue; readonly words: PromptWords },
): Part[] {
  const { say } = words;
  const documents = documentsOf(dialogue, view);
  const pages = pagesOf(documents);
  const shown = documents.slice(dialogue.page * perPage, (dialogue.page + 1) * perPage);
  const withCosts = documents.some(({ cost }) => cost !== undefined);
  const doubt = documents.find(({ uuid }) => uuid === dialogue.doubt);
  const pick = dialogue.pick === 'a' ? say('everything') : dialogue.pick;
  const paging = `${say('pageOf', { n: dialogue.page + 1, of: pages })}   ${say('keysPaging')}`;
  return [
    ...(documents.length === 0 ? [] : [{ row: rows.body, text: headerOf(words, { withCosts }) }]),
    ...shown.map((document, index) => ({
      row: rows.body + 1 + index,
      text: documentLine(document, { words, withCosts }),
    })),
    { row: rows.page, text: pages > 1 ? paging : '' },
    {
      row: rows.note,
      text: doubt
        ? doubtText(doubt.number, doubtOf(view, doubt.uuid), words)
        : statusOf(view, { dialogue, words }),
    },
    ...(doubt || dialogue.many
      ? []
      : [{ row: rows.line, text: `${say('print')}: ${pick}`, hasCursor: true }]),
    { row: rows.keys, text: say(doubt ? 'keysDoubt' : dialogue.many ? 'keysMany' : 'keysChoice') },
  ];
}

const doubtOf = ({ mayHavePrinted = [] }: TerminalView, uuid: string): DoubtView | undefined =>
  mayHavePrinted.find(({ documentUuid }) => documentUuid === uuid);

/** `place` is the place of another gateway's printer, if the document was sent there. */
function doubtText(n: number, doubt: Partial<DoubtView> = {}, { say }: PromptWords): string {
  const { place, isPrinted, isAskedFor } = doubt;
  if (isAskedFor) return say('othersAreAsked', { n });
  if (place === undefined) return say('lookAtTray', { n });
  return say(isPrinted ? 'printedThere' : 'lookThere', { n, place });
}

const heads = ['number', 'pages', 'copies', 'color', 'sides'] as const;
const widths = { number: 3, pages: 5, copies: 6, color: 5, sides: 5, cost: 8 } as const;
type Column = keyof typeof widths;

/** If the head is wider than the column, the column gets the width of the head. */
const inColumn = (column: Column, text: string, { say }: PromptWords): string =>
  text.padStart(Math.max(widths[column], columnsOf(say(column))));

const tableLine = (
  cells: Readonly<Partial<Record<Column, string>>>,
  { name, words }: { readonly name: string; readonly words: PromptWords },
): string =>
  `${[...heads, 'cost' as const]
    .flatMap((column) => (cells[column] === undefined ? [] : [inColumn(column, cells[column], words)]))
    .join(' ')}  ${name}`;

function headerOf(words: PromptWords, { withCosts }: { readonly withCosts: boolean }): string {
  const shown: readonly Column[] = withCosts ? [...heads, 'cost'] : heads;
  const cells = Object.fromEntries(shown.map((column) => [column, words.say(column)]));
  return tableLine(cells, { name: words.say('document'), words });
}

/** Shown before the name of a document that cannot simply be printed. */
const marks: Readonly<Record<DocumentView['standing'], keyof typeof prompted | undefined>> = {
  releasable: undefined,
  'may-have-printed': 'mayHavePrinted',
  unavailable: 'unavailable',
  printing: 'printing',
};

function documentLine(
  { number, pages, copies, color, sides, cost, fits, standing, name }: Numbered,
  { words, withCosts }: { readonly words: PromptWords; readonly withCosts: boolean },
): string {
  const { say, phrases } = words;
  const mark = standing === 'releasable' && fits === false ? 'tooDear' : marks[standing];
  return tableLine(
    {
      number: String(number),
      pages: pages === undefined ? '?' : String(pages),
      copies: String(copies),
      color: say(color ? 'inColor' : 'inGrey'),
      sides: sides === undefined ? '?' : sides === 'one-sided' ? '1' : '2',
      ...(withCosts && { cost: cost === undefined ? '' : phrases.amount(cost) }),
    },
    { name: (mark === undefined ? '' : `[${say(mark)}] `) + (plain(name) || cutMark), words },
  );
}

/** The question, the problem, or the total that would be printed. */
function statusOf(
  view: TerminalView,
  { dialogue, words }: { readonly dialogue: Dialogue; readonly words: PromptWords },
): string {
  const total = totalOf(meantBy(dialogue, view));
  if (dialogue.many) return `${words.phrases.say('printMany')} ${totalText(total, words)}`;
  const note = noteOf(dialogue.note, words);
  return note === '' && total.documents > 0 ? totalText(total, words) : note;
}

function totalText({ documents, pages, isAtLeast }: PrintTotal, { phrases: { say } }: PromptWords): string {
  return `${say('documents', { n: documents })}, ${say(isAtLeast ? 'pagesAtLeast' : 'pages', { n: pages })}`;
}

const noteOf = (note: Note | undefined, { say }: PromptWords): string =>
  note === undefined ? '' : say(note.kind, { n: note.number });
