/**
 * From an input report of a reader that is no keyboard to the card number in it, by a layout of `config/readers.json`.
 * One read of a hidraw node is one report (kernel documentation hid/hidraw).
 */
import type { ReportLayout } from '../../config/schema/known-readers.ts';

export type ReportReading =
  | { readonly kind: 'number'; readonly text: string }
  /** Another kind of report, or the rest of one that was told as garbage. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'removed' }
  | { readonly kind: 'garbage' };

/** The answer reads the reports of one opening, in their order. */
export function createReportReading(layout: ReportLayout): (report: Uint8Array) => ReportReading {
  let isContinuation = false;

  return (report) => {
    if (layout.reportId !== undefined && report[0] !== layout.reportId) return { kind: 'nothing' };
    const wasContinuation = isContinuation;
    isContinuation = layout.continued !== undefined && (report[layout.continued] ?? 0) !== 0;
    // The end of a long number is no number.
    if (wasContinuation) return { kind: 'nothing' };
    if (isContinuation) return { kind: 'garbage' };

    const length = report[layout.length];
    if (length === 0) return { kind: layout.empty === 'removed' ? 'removed' : 'garbage' };
    if (length === undefined || length > layout.most) return { kind: 'garbage' };
    const bytes = report.subarray(layout.number, layout.number + length);
    return bytes.length < length ? { kind: 'garbage' } : numberIn(bytes, layout);
  };
}

function numberIn(sent: Uint8Array, { order, output, between }: ReportLayout): ReportReading {
  const bytes = Buffer.from(order === 'reversed' ? sent.toReversed() : sent);
  const text = bytes.toString(output === 'hex' ? 'hex' : 'latin1');
  if (!between) return { kind: 'number', text };
  const [start, end] = between;
  if (text.length < 3 || !text.startsWith(start) || !text.endsWith(end)) return { kind: 'garbage' };
  return { kind: 'number', text: text.slice(1, -1) };
}
