/**
 * The other printer of the terminal that can now do what the chosen one cannot: because that needs something, or
 * because it cannot print a document as wanted. It is the next able printer in the list, after the chosen one. It is
 * offered only to a person who is there to print.
 */
import type { Document } from '../../domain/document.ts';
import type { ProblemCode } from '../../domain/problem/problem-kinds.ts';
import type { InsteadView } from '../../domain/terminal/terminal-view.ts';
import type { TerminalContext } from '../context.ts';
import { wantedOf } from '../list.ts';
import type { Demand, PrinterAtHand, PrintersAtHand } from './at-hand.ts';
import { demandsOf, printerOf } from './at-hand.ts';

/** With these problems a printer says that another printer may take the document. */
const formatFaults: readonly ProblemCode[] = ['document-not-printable', 'document-not-convertible'];

type Known = Pick<TerminalContext, 'documents' | 'changes' | 'quotes' | 'progress' | 'printer'>;
type Why = InsteadView['why'];

export function insteadOf(context: Known, printers: PrintersAtHand): InsteadView | undefined {
  const wanted = wantedOf(context);
  const chosen = printerOf(printers, context);
  const others = inTurnAfter(chosen, printers).filter(isAbleNow);
  const place = { chosen, context, hasRefused: refusals(context, printers) };
  const isOut = isOutOfOrder(chosen);
  for (const why of isOut ? (['trouble'] as const) : (['color', 'two-sided', 'paper', 'format'] as const)) {
    const concerned = wanted.filter((document) => isMissed(why, document, place));
    for (const other of others) {
      const documents = concerned.filter((document) => isBetter(other, { why, document, ...place }));
      if (documents.length === 0 || other.name === undefined) continue;
      return { printer: other.name, why, documentUuids: documents.map(({ uuid }) => uuid) };
    }
  }
  return undefined;
}

/** Everything that was sent to the chosen printer now would come back, and the person can be asked. */
export const offersStandIn = (context: TerminalContext): boolean =>
  context.given.settings().canBeAsked && insteadOf(context, context.given.printers)?.why === 'trouble';

function inTurnAfter(chosen: PrinterAtHand, printers: PrintersAtHand): readonly PrinterAtHand[] {
  const at = printers.indexOf(chosen);
  return [...printers.slice(at + 1), ...printers.slice(0, at)];
}

const isAbleNow = (printer: PrinterAtHand): boolean => ['ready', 'busy'].includes(printer.view()?.lamp ?? '');

const isOutOfOrder = (printer: PrinterAtHand): boolean =>
  ['needs-attention', 'unreachable'].includes(printer.view()?.lamp ?? '');

interface Place {
  readonly chosen: PrinterAtHand;
  /** The printer met the document in this session, and takes no document of its kind. */
  hasRefused(printer: PrinterAtHand, document: Document): boolean;
}

/** The chosen printer cannot do it, by its own word. */
function isMissed(why: Why, document: Document, { chosen, hasRefused }: Place): boolean {
  if (why === 'trouble') return true;
  if (why === 'format') return hasRefused(chosen, document);
  return demandsOf(document).includes(why) && chosen.does(why, document) === false;
}

/** The other printer can do it, and is not worse in any other way. */
function isBetter(
  other: PrinterAtHand,
  { why, document, chosen, hasRefused }: Place & { readonly why: Why; readonly document: Document },
): boolean {
  if (hasRefused(other, document)) return false;
  const isWorse = (demand: Demand) =>
    other.does(demand, document) === false && chosen.does(demand, document) !== false;
  if (demandsOf(document).some(isWorse)) return false;
  return why === 'trouble' || why === 'format' || other.does(why, document) === true;
}

const refusals =
  ({ progress }: Known, [first]: PrintersAtHand): Place['hasRefused'] =>
  ({ name }, { uuid }) =>
    progress.some(
      ({ documentUuid, code, printer = first.name }) =>
        documentUuid === uuid && code !== undefined && formatFaults.includes(code) && printer === name,
    );
