/**
 * What stands on the screen: 24 lines of at most 80 columns each, from the view and what was typed so far (pure). Names
 * come last in their lines, so that one that is written from right to left moves nothing else about.
 */
import { totalOf } from '../domain/print-total.ts';
import type { BalanceView, TerminalView } from '../domain/terminal/terminal-view.ts';
import { columnsOf, cutMark, cutTo, endOf, fill, plain, wrap } from './columns.ts';
import type { Dialogue, Note } from './dialogue.ts';
import { documentsOf, isChoosing, meantBy, pagesOf, perPage } from './dialogue.ts';
import type { Form } from './form.ts';
import { shownLines } from './form.ts';
import type { Numbered } from './picks.ts';
import type { FieldName, Sentences } from './sentences.ts';

export const screenSize = { rows: 24, columns: 80 } as const;

export interface Screen {
  /** Whose it is: nothing of another generation may stay beside it (I3). */
  readonly generation: number;
  /** Plain text. */
  readonly lines: readonly string[];
  /** From 0; where something can be typed. */
  readonly cursor: { readonly row: number; readonly column: number } | undefined;
}

/** Of the lines that say the same kind of thing on every screen. */
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
  { dialogue, sentences }: { readonly dialogue: Dialogue; readonly sentences: Sentences },
): Screen {
  const parts = [...headOf(view, sentences), ...bodyOf(view, { dialogue, sentences })];
  const lines = Array.from({ length: screenSize.rows }, (_, row) => {
    const text = parts.find((part) => part.row === row)?.text ?? '';
    return text === '' ? '' : indent + cutTo(textColumns, plain(text));
  });
  const typed = parts.find((part) => part.hasCursor);
  const cursor = typed && { row: typed.row, column: indent.length + columnsOf(typed.text) };
  return { generation: view.generation, lines, cursor };
}

function headOf(view: TerminalView, sentences: Sentences): Part[] {
  const { endsInSeconds, fullName, balance } = view;
  const ending = endsInSeconds === undefined ? '' : sentences.endsIn(endsInSeconds);
  const title = fill(textColumns - columnsOf(ending), sentences.title) + ending;
  return [
    { row: rows.title, text: title },
    ...wrap(plain(sentenceOf(view, sentences)), { columns: textColumns, lines: 3 }).map((text, index) => ({
      row: rows.sentence + index,
      text,
    })),
    { row: rows.person, text: personOf({ fullName, balance, sentences }) },
  ];
}

const sentenceOf = ({ sentence, notHere }: TerminalView, sentences: Sentences): string =>
  notHere ? `${sentences.notHere} ${sentence}` : sentence;

const personOf = (known: {
  fullName: string | undefined;
  balance: BalanceView | undefined;
  sentences: Sentences;
}): string => {
  const balance = known.balance && known.sentences.balance(known.balance.balance);
  return [balance, known.fullName].filter((part) => part !== undefined).join('   ');
};

function bodyOf(
  view: TerminalView,
  { dialogue, sentences }: { readonly dialogue: Dialogue; readonly sentences: Sentences },
): Part[] {
  if (dialogue.form) return formOf(dialogue.form, sentences);
  if (isChoosing(view)) return listOf(view, { dialogue, sentences });
  if (view.offers && view.offers.length > 0) {
    return [
      { row: rows.body, text: sentences.orType },
      ...view.offers.map((way, index) => ({
        row: rows.body + 2 + index,
        text: `${index + 1}  ${sentences.ways[way]}`,
      })),
      { row: rows.keys, text: sentences.keys.ways },
    ];
  }
  const canLeave = view.state === 'authenticating' || view.state === 'listing';
  return canLeave ? [{ row: rows.keys, text: sentences.keys.wait }] : [];
}

function formOf(form: Form, sentences: Sentences): Part[] {
  const lines = shownLines(form).map(({ field, text }) => fieldLine(field, { text, sentences }));
  return [
    ...lines.map((text, index) => ({
      row: rows.body + 2 * index,
      text,
      hasCursor: index === lines.length - 1,
    })),
    { row: rows.keys, text: sentences.keys.field },
  ];
}

/** Of a long line, the end is shown: that is where the person types. */
function fieldLine(
  field: FieldName,
  { text, sentences }: { readonly text: string; readonly sentences: Sentences },
): string {
  const name = `${sentences.fields[field]}: `;
  return name + endOf(textColumns - columnsOf(name) - 1, plain(text));
}

function listOf(
  view: TerminalView,
  { dialogue, sentences }: { readonly dialogue: Dialogue; readonly sentences: Sentences },
): Part[] {
  const documents = documentsOf(dialogue, view);
  const pages = pagesOf(documents);
  const shown = documents.slice(dialogue.page * perPage, (dialogue.page + 1) * perPage);
  const withCosts = documents.some(({ cost }) => cost !== undefined);
  const doubt = documents.find(({ uuid }) => uuid === dialogue.doubt);
  const pick = dialogue.pick === 'a' ? sentences.everything : dialogue.pick;
  const paging = `${sentences.pageOf(dialogue.page + 1, pages)}   ${sentences.keys.paging}`;
  return [
    ...(documents.length === 0 ? [] : [{ row: rows.body, text: headerOf(sentences, { withCosts }) }]),
    ...shown.map((document, index) => ({
      row: rows.body + 1 + index,
      text: documentLine(document, { sentences, withCosts }),
    })),
    { row: rows.page, text: pages > 1 ? paging : '' },
    {
      row: rows.note,
      text: doubt
        ? sentences.mayHavePrinted(doubt.number, doubtOf(view, doubt.uuid))
        : toldOf(view, { dialogue, sentences }),
    },
    ...(doubt || dialogue.many
      ? []
      : [{ row: rows.line, text: `${sentences.choice}: ${pick}`, hasCursor: true }]),
    { row: rows.keys, text: sentences.keys[doubt ? 'doubt' : dialogue.many ? 'many' : 'choice'] },
  ];
}

const doubtOf = ({ mayHavePrinted = [] }: TerminalView, uuid: string) =>
  mayHavePrinted.find(({ documentUuid }) => documentUuid === uuid);

const widths = [3, 5, 6, 5, 5] as const;
const costWidth = 8;

const tableLine = (cells: readonly string[], name: string): string =>
  `${cells.map((cell, index) => cell.padStart(widths[index] ?? costWidth)).join(' ')}  ${name}`;

function headerOf({ columns }: Sentences, { withCosts }: { readonly withCosts: boolean }): string {
  const { number, pages, copies, color, sides, cost, document } = columns;
  return tableLine([number, pages, copies, color, sides, ...(withCosts ? [cost] : [])], document);
}

function documentLine(
  { number, pages, copies, color, sides, cost, fits, standing, name }: Numbered,
  { sentences, withCosts }: { readonly sentences: Sentences; readonly withCosts: boolean },
): string {
  const isDear = standing === 'releasable' && fits === false;
  const mark = isDear ? sentences.tooDear : sentences.standings[standing];
  return tableLine(
    [
      String(number),
      pages === undefined ? '?' : String(pages),
      String(copies),
      color ? sentences.color : sentences.grey,
      sides === undefined ? '?' : sides === 'one-sided' ? sentences.oneSided : sentences.twoSided,
      ...(withCosts ? [cost ?? ''] : []),
    ],
    (mark === '' ? '' : `[${mark}] `) + (plain(name) || cutMark),
  );
}

/** What is asked, or was wrong, or would be printed. */
function toldOf(
  view: TerminalView,
  { dialogue, sentences }: { readonly dialogue: Dialogue; readonly sentences: Sentences },
): string {
  const total = totalOf(meantBy(dialogue, view));
  if (dialogue.many) return sentences.many(total);
  const note = noteOf(dialogue.note, sentences);
  return note === '' && total.documents > 0 ? sentences.total(total) : note;
}

function noteOf(note: Note | undefined, sentences: Sentences): string {
  if (note === undefined) return '';
  return note.kind === 'notUnderstood' ? sentences.notUnderstood : sentences[note.kind](note.number);
}
