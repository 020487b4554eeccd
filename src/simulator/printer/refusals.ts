/** Refusals by habit, and of other IPP versions, before the content of a request is checked. */
import type { Attribute, Message } from '../../ipp/message.ts';
import { attribute, group, string } from '../../ipp/message.ts';
import { statusCodes } from '../../ipp/registry.ts';
import type { Status } from '../../ipp/registry.ts';
import * as ipp from '../../ipp/values.ts';
import type { CheckedRequest } from './check.ts';
import type { PrinterContext, Reply } from './context.ts';
import type { Habits } from './habits/habits.ts';
import { conflictingIn } from './finisher.ts';
import { hasEnded } from './jobs.ts';
import type { KnownOperation } from './rules.ts';

type Refusal = (context: PrinterContext, request: CheckedRequest) => Reply | undefined;

const makesJob: readonly KnownOperation[] = ['Print-Job', 'Validate-Job', 'Create-Job'];
const bringsDocument: readonly KnownOperation[] = ['Print-Job', 'Send-Document'];

const refusals: readonly Refusal[] = [
  ({ habits }, { operation }) =>
    habits.has('print-job-only') && (operation === 'Create-Job' || operation === 'Send-Document')
      ? { status: 'server-error-operation-not-supported' }
      : undefined,
  ({ habits }, { operation }) =>
    habits.has('rejecting') && makesJob.includes(operation)
      ? { status: 'server-error-not-accepting-jobs' }
      : undefined,
  ({ habits }, { operation }) =>
    habits.has('rejects-at-send') && bringsDocument.includes(operation)
      ? { status: 'server-error-not-accepting-jobs' }
      : undefined,
  ({ habits }, { operation }) =>
    operation === 'Get-Job-Attributes' ? byCode(habits.value('refuses-job-questions')) : undefined,
  ({ habits }, { operation }) =>
    operation === 'Get-Jobs' ? byCode(habits.value('refuses-job-lists')) : undefined,
  ({ habits }, { operation }) =>
    operation === 'Send-Document' && habits.inARow('busy-at-send')
      ? { status: 'server-error-busy' }
      : undefined,
  ({ habits, jobs }, { operation, jobId }) => {
    if (operation !== 'Cancel-Job' || !habits.has('refuses-cancel')) return undefined;
    const job = jobs.find(jobId);
    return job !== undefined && job.state !== 'pending' ? { status: 'client-error-not-possible' } : undefined;
  },
  ({ habits }, { operation, attributes }) => {
    const packing = string(attributes, 'compression');
    if (operation !== 'Send-Document' || !habits.has('refuses-compression-at-send')) return undefined;
    if (packing === undefined || packing === 'none') return undefined;
    return unsupported('client-error-compression-not-supported', 'compression', ipp.keyword(packing));
  },
  ({ habits }, { operation }) =>
    makesJob.includes(operation) ? byCode(habits.value('refuses-jobs')) : undefined,
  ({ habits }, { operation }) =>
    operation === 'Validate-Job' ? byCode(habits.value('refuses-validation')) : undefined,
  ({ habits }, { operation, message }) => {
    const refused = habits.value('refuses-wishes')?.split('+') ?? [];
    const attributes = group(message, 'job-attributes').filter(({ name }) => refused.includes(name));
    if (!makesJob.includes(operation) || attributes.length === 0) return undefined;
    const status = 'client-error-attributes-or-values-not-supported';
    return { status, groups: [{ tag: 'unsupported-attributes', attributes }] };
  },
  ({ habits }, { operation, message }) => {
    if (!habits.has('finisher') || !makesJob.includes(operation)) return undefined;
    const attributes = conflictingIn(group(message, 'job-attributes'));
    if (attributes.length === 0) return undefined;
    const status = 'client-error-conflicting-attributes';
    return { status, groups: [{ tag: 'unsupported-attributes', attributes }] };
  },
  ({ habits }, { operation, attributes }) => {
    const names = ['requesting-user-name', 'job-name', 'document-name'].map((name) =>
      string(attributes, name),
    );
    const isOdd = names.some((name = '') => !/^[ -[\]-~]*$/.test(name));
    return makesJob.includes(operation) && isOdd ? byCode(habits.value('trips-over-names')) : undefined;
  },
  ({ habits }, { operation, attributes }) =>
    habits.has('refuses-document-name') && bringsDocument.includes(operation)
      ? refusedName(attributes, 'document-name', 'any')
      : undefined,
  ({ habits }, { operation, attributes }) =>
    makesJob.includes(operation)
      ? refusedName(attributes, 'job-name', habits.value('refuses-job-name'))
      : undefined,
  ({ habits }, { operation, attributes }) =>
    makesJob.includes(operation)
      ? refusedName(attributes, 'requesting-user-name', habits.value('refuses-user-name'))
      : undefined,
];

/** The refusal of the first habit that has one. */
export function refusedByHabit(context: PrinterContext, request: CheckedRequest): Reply | undefined {
  for (const refusal of refusals) {
    const reply = refusal(context, request);
    if (reply !== undefined) return reply;
  }
  return undefined;
}

/** Whether the printer no longer knows the job, or claims so. */
export const isForgotten = ({ habits, jobs }: PrinterContext, jobId: number | undefined): boolean => {
  const job = jobs.find(jobId);
  return job === undefined || (habits.has('forgets-at-once') && hasEnded(job));
};

function byCode(code: string | undefined): Reply | undefined {
  const wanted = code === undefined ? undefined : Number.parseInt(code, 16);
  const status = Object.keys(statusCodes)
    .filter((name): name is Status => name in statusCodes)
    .find((name) => statusCodes[name] === wanted);
  return status === undefined ? undefined : { status };
}

/** `which` selects the refused names: `any`, or those that are `not-ascii`. */
function refusedName(
  attributes: readonly Attribute[],
  name: string,
  which: string | undefined,
): Reply | undefined {
  const given = string(attributes, name);
  if (given === undefined || which === undefined) return undefined;
  if (which === 'not-ascii' && /^[\x20-\x7e]*$/.test(given)) return undefined;
  return unsupported('client-error-attributes-or-values-not-supported', name, ipp.unsupported);
}

/** RFC 8011 section 4.1.7: the attribute at fault is in the group of unsupported attributes. */
const unsupported = (status: Status, name: string, value: ReturnType<typeof ipp.keyword>): Reply => ({
  status,
  groups: [{ tag: 'unsupported-attributes', attributes: [attribute(name, value)] }],
});

interface OldPrinter {
  readonly understands: readonly string[];
  readonly own: readonly [number, number];
  readonly refuses: string;
}

function oldPrinter(habits: Habits): OldPrinter | undefined {
  const oldest = habits.value('only-ipp-1.0');
  if (oldest !== undefined) return { understands: ['1.0'], own: [1, 0], refuses: oldest };
  const old = habits.value('only-ipp-1.1');
  return old === undefined ? undefined : { understands: ['1.0', '1.1'], own: [1, 1], refuses: old };
}

/**
 * The IPP versions that a virtual printer understands (RFC 8011 section 4.1.8), and its refusal of others. The
 * standard requires server-error-version-not-supported with the printer's own version. Real printers answer in
 * several other ways.
 */
export const understoodVersions = (habits: Habits): readonly string[] =>
  oldPrinter(habits)?.understands ?? ['1.1', '2.0'];

/** The answer of a printer that is older than the request: only an HTTP status, or an IPP message. */
export function refusedVersion(
  habits: Habits,
  { version }: Message,
): { http: number; reply?: undefined } | { http?: undefined; reply: Reply } | undefined {
  const old = oldPrinter(habits);
  if (old === undefined || old.understands.includes(version.join('.'))) return undefined;
  const { own } = old;
  switch (old.refuses) {
    case 'http-400':
      return { http: 400 };
    case 'http-505':
      return { http: 505 };
    case '0400':
      return { reply: { status: 'client-error-bad-request', version: own } };
    case 'request-id-0':
      return { reply: { status: 'server-error-version-not-supported', version: own, requestId: 0 } };
    default:
      return { reply: { status: 'server-error-version-not-supported', version: own } };
  }
}
