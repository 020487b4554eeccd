/**
 * The description of a CUPS queue: the attributes of a printer, and the queue's policy. CUPS looks at the printer only
 * while it prints. While the queue is idle, the reasons of the printer are old, and would keep every job away for good.
 */
import type { QueueDescription } from '../../../domain/ports/printer-description.ts';
import { Problem } from '../../../domain/problem/problem.ts';
import type { SpoolerQueue } from '../../../domain/printer/spooler-queue.ts';
import { asQueue, spoolerQueue } from '../../../domain/printer/spooler-queue.ts';
import type { Attribute, Message } from '../../../ipp/message.ts';
import { group, integer, string } from '../../../ipp/message.ts';
import { statusCodes } from '../../../ipp/registry.ts';
import type { PrinterAttributes } from '../printer/printer-attributes.ts';
import { printerAttributes } from '../printer/printer-attributes.ts';
import { agreed } from '../wire/refusal.ts';

export const requestedOfQueue: readonly string[] = [
  'cups-version',
  'device-uri',
  'printer-error-policy',
  'printer-state-message',
  'printer-type',
];

/** Throws `printer-path-unknown` if there is no such queue. */
export function queueAttributes(answer: Message, queue: SpoolerQueue): PrinterAttributes {
  if (answer.code === statusCodes['client-error-not-found']) {
    throw new Problem('printer-path-unknown', `the spooler has no queue ${queue.name}`, {
      reasons: ['client-error-not-found'],
      advice: '`lpstat -e` lists the queues that it has. Correct printer.uri.',
    });
  }
  const printer = printerAttributes(agreed(answer));
  const attributes = group(answer, 'printer-attributes');
  const stateReasons = newsOf(printer, string(attributes, 'printer-state-message') ?? '');
  const obstacles = stateReasons.filter(
    (reason) => printer.obstacles.includes(reason) || awayReason.test(reason),
  );
  if (printer.state === 'stopped' && obstacles.length === 0) obstacles.push('stopped');
  return {
    ...printer,
    stateReasons,
    obstacles,
    remarks: stateReasons.filter((reason) => printer.remarks.includes(reason)),
    ready: printer.acceptingJobs && obstacles.length === 0,
    queue: describeQueue(attributes, queue),
  };
}

/**
 * If CUPS answers at the address of a printer, the description of the queue. Its jobs would be misread as a printer's.
 */
export function queueAtPrinter(answer: Message, uri: string): QueueDescription | undefined {
  const writtenAs = asQueue(uri);
  const queue = writtenAs === undefined ? undefined : spoolerQueue(writtenAs);
  const attributes = group(answer, 'printer-attributes');
  if (!queue || writtenAs === undefined || string(attributes, 'cups-version') === undefined) return undefined;
  return { ...describeQueue(attributes, queue), writtenAs };
}

/** Reasons of the queue itself: they hold whether it prints or not. */
const own = /^(paused|moving-to-paused|hold-new-jobs|shutdown|deactivated|spool-area-full)\b/;
const awayReason = /^(connecting-to-device|offline)\b/;
/** The backends of CUPS tell this only in a sentence; it is in English, because our jobs are in English. */
const awayMessage = /\b(not responding|unavailable|unreachable)\b/;

function newsOf({ state, stateReasons }: PrinterAttributes, message: string): readonly string[] {
  if (state === 'idle') return stateReasons.filter((reason) => own.test(reason));
  return [...new Set([...stateReasons, ...(awayMessage.test(message) ? ['offline-report'] : [])])];
}

/** `printer-type` of CUPS: the queue is a class. */
const classBit = 0x1;

const describeQueue = (attributes: readonly Attribute[], { name }: SpoolerQueue): QueueDescription => ({
  name,
  errorPolicy: string(attributes, 'printer-error-policy') ?? '',
  isClass: ((integer(attributes, 'printer-type') ?? 0) & classBit) !== 0,
  device: shown(string(attributes, 'device-uri') ?? ''),
});

/** Without user name, password and options. */
function shown(uri: string): string {
  if (!URL.canParse(uri)) return '';
  const { protocol, host, pathname } = new URL(uri);
  return host === '' ? `${protocol}${pathname}` : `${protocol}//${host}${pathname}`;
}
