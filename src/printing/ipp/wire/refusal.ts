/** What a status-code other than success means for us (RFC 8011 section 4.1.6 and appendix B). */
import type { ProblemCode } from '../../../domain/problem/problem-kinds.ts';
import { Problem } from '../../../domain/problem/problem.ts';
import type { Message } from '../../../ipp/message.ts';
import { group, isKeyword } from '../../../ipp/message.ts';
import { isSuccessful, statusName } from '../../../ipp/status.ts';
import type { Status } from '../../../ipp/status.ts';

/** Statuses that pass by themselves: the printer is to be asked again in a while. */
const busy: ReadonlySet<string> = new Set<Status>([
  'server-error-busy',
  'server-error-not-accepting-jobs',
  'server-error-service-unavailable',
  'server-error-temporary-error',
]);

const codes: Readonly<Partial<Record<string, ProblemCode>>> = {
  'client-error-document-format-not-supported': 'document-not-printable',
  'client-error-compression-not-supported': 'document-not-printable',
  'client-error-document-format-error': 'document-not-printable',
  'client-error-not-authenticated': 'printer-denied',
  'server-error-device-error': 'printer-not-ready',
  'server-error-internal-error': 'printer-not-ready',
} satisfies Partial<Record<Status, ProblemCode>>;

/** The printer's refusal as a `Problem`; `undefined` when it agreed. */
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
  // Some say client-error-attributes-or-values-not-supported and name the format among the attributes.
  if (names.includes('document-format')) return 'document-not-printable';
  return codes[status] ?? 'printer-refused-job';
}

/** The printer has said no for good, and not that it cannot say at the moment. */
export const isDefinite = ({ code, reasons: [status = ''] }: Problem): boolean =>
  code === 'printer-denied' ||
  status === 'server-error-operation-not-supported' ||
  (status.startsWith('client-error-') && status !== 'client-error-timeout');

/**
 * Refusals of a request that is judged before its document is touched (RFC 8011 section 4.1.6 and appendix B.1): nothing
 * was taken. What is found wrong while a document is read is not among them: server-error-temporary-error is also said of a
 * document that is larger than the printer's memory (appendix B.1.5.6), when the first of its pages may be out.
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
]);

/**
 * A busy HTTP server in front of the printer (RFC 9110 section 15.6.4, RFC 6585 section 4) names no status of IPP, nor
 * does one that wants TLS first (RFC 2817 section 4.2).
 */
export const isRefusedUnread = ({ code, delivery, reasons: [status] }: Problem): boolean =>
  delivery === 'answered' &&
  (code === 'printer-denied' ||
    code === 'printer-tls-wanted' ||
    (status === undefined ? code === 'printer-busy' : refusedUnread.has(status)));

export function agreed(answer: Message): Message {
  const refusal = refusalOf(answer);
  if (refusal) throw refusal;
  return answer;
}

/** Names of the attributes in the unsupported-attributes group: ignored, or replaced by another value. */
export const unsupportedNames = (answer: Message): readonly string[] =>
  group(answer, 'unsupported-attributes')
    .map((one) => one.name)
    .filter(isKeyword);
