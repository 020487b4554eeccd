/**
 * Converts an office file to a PDF (spec, States and transitions; Limits): RECEIVED, AWAITING_CONVERSION, CONVERTING.
 */
import { milliseconds, minutes, shortest } from '../../../../core/duration.ts';
import { samplePdf } from '../../../sample/sample-pdf.ts';
import type { CloudContext } from '../../context.ts';
import type { CloudDocument, DocumentStatus } from '../../state.ts';
import { documentStatus } from '../../state.ts';

const { RECEIVED, AWAITING_CONVERSION, CONVERTING, CONVERSION_FAILED } = documentStatus;
const nextStatus = new Map<DocumentStatus, DocumentStatus>([
  [RECEIVED, AWAITING_CONVERSION],
  [AWAITING_CONVERSION, CONVERTING],
]);

const officeFormat = /\.(?:docx?|xlsx?|pptx?|od[tsp])$/i;
const largestFile = 200 * 2 ** 20;
const longest = minutes(5);

export const isOfficeFile = (name: string): boolean => officeFormat.test(name);

/** `ends` is the status after a successful conversion. */
export function startConversion(context: CloudContext, document: CloudDocument, ends: DocumentStatus): void {
  document.info = { ...document.info, status: RECEIVED };
  document.conversion = { since: context.clock.now(), ends };
  waitForNext(context, document, document.conversion);
}

/** After a start with a saved state, unfinished conversions continue. */
export function resumeConversions(context: CloudContext): void {
  for (const document of context.state.documents) {
    if (document.conversion) waitForNext(context, document, document.conversion);
  }
}

function waitForNext(
  context: CloudContext,
  document: CloudDocument,
  { since, ends }: NonNullable<CloudDocument['conversion']>,
): void {
  const { state, clock, settings } = context;
  const { status } = document.info;
  const span = shortest(settings.conversionTime, longest);
  const left = shortest(span, milliseconds(since + span - clock.now()));
  context.later(left, () => {
    // A call or a reset may have ended the conversion meanwhile.
    if (!state.documents.includes(document) || document.info.status !== status) return;
    const next = nextStatus.get(status);
    if (next === undefined) return finish(context, document, ends);
    document.info = { ...document.info, status: next };
    // Counted from the time when it was due, so that a large clock move passes several steps at once.
    document.conversion = { since: since + span, ends };
    waitForNext(context, document, document.conversion);
  });
}

/** No office program is used: a sample PDF stands for the converted file. */
function finish({ settings, tell }: CloudContext, document: CloudDocument, ends: DocumentStatus): void {
  const { documentName: title, totalPages: pages } = document.info;
  const isDone = settings.conversionTime <= longest && document.bytes.length <= largestFile;
  if (isDone) document.bytes = samplePdf({ title, pages });
  document.info = { ...document.info, status: isDone ? ends : CONVERSION_FAILED };
  document.conversion = undefined;
  tell(`conversion: “${title}” ${isDone ? 'is a PDF' : 'failed'}`);
}
