/** Translates status-codes other than success into problems (RFC 8011 section 4.1.6 and appendix B). */
import type { ProblemCode } from '../../../domain/problem/problem-kinds.ts';
import { isProblem, Problem } from '../../../domain/problem/problem.ts';
import type { Message } from '../../../ipp/message.ts';
import { group, isKeyword } from '../../../ipp/message.ts';
import { isBrokenOff } from './ipp-conversation.ts';
import { isSuccessful, statusName } from '../../../ipp/registry.ts';
import type { Status } from '../../../ipp/registry.ts';

/** Statuses that pass by themselves: the printer is asked again later. */
const busy: ReadonlySet<string> = new Set<Status>([
  'server-error-busy',
  'server-error-not-accepting-jobs',
  'server-error-service-unavailable',
  'server-error-temporary-error',
  'server-error-too-many-jobs',
]);

const codes: Readonly<Partial<Record<string, ProblemCode>>> = {
  'client-error-document-format-not-supported': 'document-not-printable',
  'client-error-compression-not-supported': 'document-not-printable',
  'client-error-document-format-error': 'document-not-printable',
  'client-error-document-password-error': 'document-not-printable',
  'client-error-document-permission-error': 'document-not-printable',
  'client-error-document-security-error': 'document-not-printable',
  'client-error-document-unprintable-error': 'document-not-printable',
  'client-error-not-authenticated': 'printer-denied',
  'client-error-forbidden': 'printer-forbids',
  'client-error-not-authorized': 'printer-forbids',
  'client-error-account-info-needed': 'printer-forbids',
  'client-error-account-closed': 'printer-forbids',
  'client-error-account-authorization-failed': 'printer-forbids',
  'client-error-account-limit-reached': 'printer-limit',
  'server-error-device-error': 'printer-not-ready',
  'server-error-printer-is-deactivated': 'printer-not-ready',
  'server-error-internal-error': 'printer-not-ready',
} satisfies Partial<Record<Status, ProblemCode>>;

/** The printer's refusal as a `Problem`; `undefined` if it agreed. */
export function refusalOf(answer: Message): Problem | undefined {
  if (isSuccessful(answer.code)) return undefined;
  const status = statusName(answer.code);
  const names = unsupportedNames(answer);
  return new Problem(codeOf(status, names), `the printer answered ${status}`, {
    reasons: [status, ...names],
  });
}

function codeOf(status: string, names: readonly string[]): ProblemCode {
  if (busy.has(status)) return 'printer-busy';
  // Some printers answer client-error-attributes-or-values-not-supported and name the format among the attributes.
  if (names.includes('document-format')) return 'document-not-printable';
  return codes[status] ?? 'printer-refused-job';
}

/**
 * When a job was to be made, "not possible" means that no further job is possible: cupsd answers so when a quota is
 * used up (scheduler/ipp.c). "Not found" is about the printer, because there is no job yet (RFC 8011 appendix B.1.4.7).
 */
export function asRefusalOfJob(error: unknown): unknown {
  if (!isProblem(error, 'printer-refused-job')) return error;
  const { message, delivery, reasons } = error;
  const code = codesOfJob[reasons[0] ?? ''];
  return code === undefined ? error : new Problem(code, message, { cause: error, delivery, reasons });
}

const codesOfJob: Readonly<Partial<Record<string, ProblemCode>>> = {
  'client-error-not-possible': 'printer-limit',
  'client-error-not-found': 'printer-path-unknown',
  'client-error-gone': 'printer-path-unknown',
} satisfies Partial<Record<Status, ProblemCode>>;

/**
 * For an answer about the printer itself. A server with several printers answers "not found" if it has none of this
 * name (OpenPrinting/cups#586).
 */
export function ofThePrinter(answer: Message, uri: string): Message {
  const status = statusName(answer.code);
  if (status !== 'client-error-not-found' && status !== 'client-error-gone') return agreed(answer);
  throw new Problem('printer-path-unknown', `the answer was ${status}: no printer at ${uri}`, {
    reasons: [status],
  });
}

/** A final refusal, not a statement that the printer cannot answer now. */
export const isDefinite = ({ code, reasons: [status = ''] }: Problem): boolean =>
  code === 'printer-denied' ||
  status === 'server-error-operation-not-supported' ||
  (status.startsWith('client-error-') && status !== 'client-error-timeout');

/**
 * Refusals of a request that are decided before its document is touched (RFC 8011 section 4.1.6 and appendix B.1):
 * nothing was taken. Faults found while the document is read are not in this list. For example,
 * server-error-temporary-error is also the answer to a document larger than the printer's memory (appendix B.1.5.6),
 * when its first pages may be out.
 */
const refusedUnread: ReadonlySet<string> = new Set<Status>([
  'client-error-bad-request',
  'client-error-forbidden',
  'client-error-not-authenticated',
  'client-error-not-authorized',
  'client-error-request-entity-too-large',
  'client-error-request-value-too-long',
  'client-error-document-format-not-supported',
  'client-error-attributes-or-values-not-supported',
  'client-error-compression-not-supported',
  'server-error-operation-not-supported',
  'server-error-version-not-supported',
  'server-error-service-unavailable',
  'server-error-not-accepting-jobs',
  'server-error-busy',
  'server-error-too-many-jobs',
]);

/**
 * A busy HTTP server in front of the printer sends no IPP status (RFC 9110 section 15.6.4, RFC 6585 section 4). The
 * same is true of a server that wants TLS first (RFC 2817 section 4.2).
 */
export const isRefusedUnread = ({ code, delivery, reasons: [status] }: Problem): boolean =>
  delivery === 'answered' &&
  (code === 'printer-denied' ||
    code === 'printer-tls-wanted' ||
    (status === undefined ? code === 'printer-busy' : refusedUnread.has(status)));

/**
 * As answers to Validate-Job these only show that the printer does not know the question or fails on it: the Livebox
 * has no Validate-Job and prints (apple/cups#4081, apple/cups#3967). Create-Job makes an empty job, and its answer
 * decides. Refusals about permission, format or the printer's state remain refusals.
 */
const adviceAlone: ReadonlySet<string> = new Set<Status>([
  'client-error-bad-request',
  'client-error-timeout',
  'client-error-not-found',
  'client-error-gone',
  'client-error-request-entity-too-large',
  'client-error-request-value-too-long',
  'client-error-attributes-or-values-not-supported',
  'client-error-conflicting-attributes',
  'server-error-internal-error',
  'server-error-operation-not-supported',
]);

/**
 * An answer in HTTP only, or a broken connection: a printer that just told its state in IPP does not know this
 * question. "Busy", a login or another address remain refusals.
 */
const isSpeechless = (problem: Problem): boolean =>
  isProblem(problem, 'printer-protocol', 'printer-no-ipp', 'printer-path-unknown') || isBrokenOff(problem);

/** An unregistered status says nothing reliable (RFC 8011 section 4.1.6.1). */
const isUnregistered = (said: string): boolean => said.startsWith('0x');

export function isAdvice(problem: Problem): boolean {
  const { code, reasons } = problem;
  const said = reasons.find((reason) => isStatus(reason));
  if (said === undefined) return isSpeechless(problem);
  return code !== 'document-not-printable' && (adviceAlone.has(said) || isUnregistered(said));
}

const isStatus = (reason: string): boolean => /^(?:client|server)-error-|^0x/.test(reason);

/** The printer fails on a part of the request that it does not name. */
export const isNameless = ({ delivery, reasons: [status, ...names] }: Problem): boolean =>
  delivery === 'answered' &&
  names.length === 0 &&
  (status === 'client-error-bad-request' ||
    status === 'client-error-request-value-too-long' ||
    status === 'server-error-internal-error');

export function agreed(answer: Message): Message {
  const refusal = refusalOf(answer);
  if (refusal) throw refusal;
  return answer;
}

/** The names of the attributes in the unsupported-attributes group: ignored, or replaced by another value. */
export const unsupportedNames = (answer: Message): readonly string[] =>
  group(answer, 'unsupported-attributes')
    .map((one) => one.name)
    .filter(isKeyword);
