/** What a status-code other than success means for us (RFC 8011 section 4.1.6 and appendix B). */
import type { ProblemCode } from '../../domain/problem-kinds.ts';
import { Problem } from '../../domain/problem.ts';
import type { Message } from '../../ipp/message.ts';
import { group, isKeyword } from '../../ipp/message.ts';
import { isSuccessful, statusName } from '../../ipp/status.ts';
import type { Status } from '../../ipp/status.ts';

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
