/**
 * The obstacle to a session's prints, told once. The printer's present need comes before the problem that a release
 * met. Documents that were kept from printing may be tried again together.
 */
import { problemKinds } from '../domain/problem/problem-kinds.ts';
import type { ProblemCode } from '../domain/problem/problem-kinds.ts';
import { printerSentence } from '../domain/printer/printer-view.ts';
import type { DocumentProgress, PrinterView, TroubleView } from '../domain/terminal/terminal-view.ts';
import { printerFaults } from '../release/problems.ts';
import type { TerminalContext } from './context.ts';

type Cause = Pick<TroubleView, 'code' | 'needs'>;
type Told = Pick<TerminalContext, 'progress' | 'documents'>;

export function troubleOf(
  state: string,
  context: Told,
  printer: PrinterView | undefined,
): TroubleView | undefined {
  const present = printer && causeAt(printer);
  if (state === 'releasing') return present && { ...present, documentUuids: [] };
  if (state !== 'choosing') return undefined;
  const failed = context.progress.filter((one) => one.stage === 'failed' && mayBeTriedAgain(one, context));
  const blamed = failed.filter(({ code }) => code !== undefined && printerFaults.includes(code));
  const [first = failed[0]] = blamed;
  if (first?.code === undefined) return undefined;
  const { code, needs } = first;
  const same = blamed.length > 0 ? blamed : failed.filter((one) => one.code === code);
  const met = isMended(code, printer)
    ? { code: 'release-abandoned' as const }
    : { code, ...(needs && needs !== 'letters' && { needs }) };
  return {
    ...(blamed.length > 0 ? (present ?? met) : met),
    documentUuids: same.map(({ documentUuid }) => documentUuid),
  };
}

/** In English. */
export const troubleSentence = ({ code, needs }: Cause, printer: PrinterView | undefined): string => {
  const seen = needs ? { lamp: 'needs-attention' as const, needs } : printer;
  return (isOfPrinter(code) && seen && printerSentence(seen)) || problemKinds[code].person;
};

function causeAt({ lamp, needs }: PrinterView): Cause | undefined {
  if (lamp === 'unreachable') return { code: 'printer-unreachable' };
  return lamp === 'needs-attention' ? { code: 'printer-not-ready', ...(needs && { needs }) } : undefined;
}

/** The document is in the list again, and another try may end differently. */
const mayBeTriedAgain = ({ documentUuid, code }: DocumentProgress, { documents }: Told): boolean =>
  code !== undefined &&
  problemKinds[code].retry !== 'never' &&
  documents.releasable.some(({ uuid }) => uuid === documentUuid);

/** The printer no longer reports the problem. */
const isMended = (code: ProblemCode, printer: PrinterView | undefined): boolean =>
  isOfPrinter(code) && (printer?.lamp === 'ready' || printer?.lamp === 'busy');

const isOfPrinter = (code: ProblemCode): boolean =>
  code === 'printer-unreachable' || code === 'printer-not-ready';
