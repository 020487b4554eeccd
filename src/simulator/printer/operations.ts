/** The operations, for requests whose form was checked (RFC 8011 section 4). */
import type { Attribute, Group } from '../../ipp/message.ts';
import { attribute, boolean, integer, string, strings } from '../../ipp/message.ts';
import { seconds } from '../../core/duration.ts';
import * as ipp from '../../ipp/values.ts';
import { chosen, printerAttributes } from './attributes.ts';
import type { CheckedRequest } from './check.ts';
import { Misformed } from './check.ts';
import { cancelJobsOf, closeJob, isMereClosing, receiveDocument, unzipped } from './transfer.ts';
import type { PrinterContext, Reply } from './context.ts';
import type { Job } from './jobs.ts';
import { hasEnded } from './jobs.ts';
import { acceptTemplate, jobAttributes } from './job-attributes.ts';
import { isForgotten } from './refusals.ts';
import type { KnownOperation } from './rules.ts';
import type { IncomingDocument } from './transfer.ts';

type Handler = (
  context: PrinterContext,
  request: CheckedRequest,
  document: IncomingDocument,
) => Reply | Promise<Reply>;

export const handlers: Readonly<Record<KnownOperation, Handler>> = {
  'Get-Printer-Attributes': (context, { attributes }) => ({
    status: 'successful-ok',
    groups: [
      { tag: 'printer-attributes', attributes: printerAttributes(context, requested(attributes, ['all'])) },
    ],
  }),

  'Validate-Job': (context, request) => {
    const refusal = refuseJob(context, request);
    return refusal ?? withIgnored(acceptTemplate(context, request).ignored);
  },

  'Create-Job': (context, request) => {
    const made = makeJob(context, request);
    return 'status' in made ? made : withIgnored(made.ignored, describe(context, request, made.job));
  },

  'Print-Job': async (context, request, document) => {
    const made = makeJob(context, request);
    if ('status' in made) return made;
    made.job.isOpen = false;
    const status = await receiveDocument(context, made.job, unpacked(document, request));
    await holdAnswer(context, made.job);
    return status === 'successful-ok'
      ? withIgnored(made.ignored, describe(context, request, made.job))
      : { status, groups: [describe(context, request, made.job)] };
  },

  'Send-Document': async (context, request, document) => {
    const job = context.jobs.find(request.jobId);
    if (job === undefined || isForgotten(context, job.id)) return { status: 'client-error-not-found' };
    if (hasEnded(job)) return { status: 'client-error-not-possible' };
    const isLast = boolean(request.attributes, 'last-document') === true;
    if (job.transfer !== 'awaited') {
      if (isLast && (await isMereClosing(job, document))) return closed(context, request, job);
      throw new Misformed('a second document', '4.3.1', 'server-error-multiple-document-jobs-not-supported');
    }
    const refusal = refuseFormat(context, request);
    if (refusal) return refusal;
    if (string(request.attributes, 'compression') === 'gzip' && context.habits.has('cannot-unpack')) {
      if (context.habits.value('cannot-unpack') === 'aborts')
        context.jobs.end(job, 'aborted', 'compression-error');
      return { status: 'client-error-compression-error' };
    }
    job.isOpen = !isLast;
    const status = await receiveDocument(context, job, unpacked(document, request));
    await holdAnswer(context, job);
    return { status, groups: [describe(context, request, job)] };
  },

  'Close-Job': (context, request) => {
    const job = context.jobs.find(request.jobId);
    if (job === undefined || isForgotten(context, job.id)) return { status: 'client-error-not-found' };
    return closed(context, request, job);
  },

  'Cancel-My-Jobs': (context, request) => ({ status: cancelJobsOf(context, request) }),

  'Identify-Printer': ({ news }, { attributes }) => {
    news.tell(`printer: shows who it is, by ${strings(attributes, 'identify-actions').join() || 'display'}`);
    return { status: 'successful-ok' };
  },

  'Get-Job-Attributes': (context, request) => {
    const job = context.jobs.find(request.jobId);
    if (job === undefined || isForgotten(context, job.id)) return { status: 'client-error-not-found' };
    return {
      status: 'successful-ok',
      groups: [describe(context, request, job, requested(request.attributes, ['all']))],
    };
  },

  'Get-Jobs': (context, request) => {
    const { attributes } = request;
    const which = string(attributes, 'which-jobs') ?? 'not-completed';
    const mine = boolean(attributes, 'my-jobs') === true;
    const user = string(attributes, 'requesting-user-name');
    // Ended jobs come newest first, other jobs in their printing order (section 4.2.6.2).
    const inOrder = which === 'completed' ? context.jobs.list.toReversed() : context.jobs.list;
    const found = inOrder
      .filter((job) => which === 'all' || hasEnded(job) === (which === 'completed'))
      .filter((job) => !mine || job.userName === user)
      .filter((job) => !isForgotten(context, job.id))
      .slice(0, integer(attributes, 'limit'));
    const wanted = requested(attributes, ['job-uri', 'job-id']);
    return { status: 'successful-ok', groups: found.map((job) => describe(context, request, job, wanted)) };
  },

  'Cancel-Job': (context, { jobId }) => {
    const { jobs, news } = context;
    const job = jobs.find(jobId);
    if (job === undefined || isForgotten(context, jobId)) return { status: 'client-error-not-found' };
    if (hasEnded(job)) return { status: 'client-error-not-possible' };
    jobs.end(job, 'canceled', 'job-canceled-by-user');
    news.tell(`job ${job.id}: “${job.name}” is canceled`);
    return { status: 'successful-ok' };
  },
};

const closed = (context: PrinterContext, request: CheckedRequest, job: Job): Reply => ({
  status: closeJob(context, job),
  groups: [describe(context, request, job)],
});

const requested = (attributes: readonly Attribute[], byDefault: readonly string[]): readonly string[] => {
  const named = strings(attributes, 'requested-attributes');
  return named.length === 0 ? byDefault : named;
};

const afterCreation = [
  'job-uri',
  'job-id',
  'job-uuid',
  'job-state',
  'job-state-reasons',
  'job-state-message',
];

function describe(
  context: PrinterContext,
  request: CheckedRequest,
  job: Job,
  wanted: readonly string[] = afterCreation,
): Group {
  const all = jobAttributes(context, job, string(request.attributes, 'requesting-user-name'));
  const description = all.filter((one) => !job.template.includes(one));
  const attributes = chosen({ 'job-description': description, 'job-template': job.template }, [], wanted);
  return { tag: 'job-attributes', attributes };
}

/** The group of unsupported attributes comes before the group of the job (section 4.1.7). */
const withIgnored = (ignored: readonly Attribute[], ...groups: readonly Group[]): Reply =>
  ignored.length === 0
    ? { status: 'successful-ok', groups }
    : {
        status: 'successful-ok-ignored-or-substituted-attributes',
        groups: [{ tag: 'unsupported-attributes', attributes: ignored }, ...groups],
      };

function makeJob(
  context: PrinterContext,
  request: CheckedRequest,
): Reply | { job: Job; ignored: readonly Attribute[] } {
  const { jobs, mood, news, settings } = context;
  const refusal = refuseJob(context, request);
  if (refusal) return refusal;
  const isBusy = settings.whenBusy === 'refuse' && jobs.list.some((job) => !hasEnded(job));
  if (isBusy || mood.meets('busy')) return { status: 'server-error-busy' };
  const { accepted, ignored } = acceptTemplate(context, request);
  queueStrangers(context);
  const job = jobs.create({
    name: string(request.attributes, 'job-name') ?? 'Untitled',
    userName: string(request.attributes, 'requesting-user-name') ?? '',
    template: accepted,
  });
  news.tell(`job ${job.id}: “${job.name}” of ${job.userName || 'nobody'} begins`);
  return { job, ignored };
}

/** By habit, jobs of other people are queued first. */
function queueStrangers({ habits, jobs }: PrinterContext): void {
  const [count = 0, each = 0] = habits.value('behind-others')?.split('x').map(Number) ?? [];
  for (let number = 1; number <= count; number += 1) {
    jobs.create({ name: `Somebody's ${number}`, userName: 'somebody', template: [], takes: seconds(each) });
  }
}

/** By habit, the answer is held back until the job has ended or is gone. */
async function holdAnswer({ habits, news, off }: PrinterContext, job: Job): Promise<void> {
  if (!habits.has('holds-answer')) return;
  await news.until(() => hasEnded(job) || job.stop.signal.aborted, off);
}

/** The refusals that Validate-Job also gives. */
function refuseJob(context: PrinterContext, request: CheckedRequest): Reply | undefined {
  if (context.mood.meets('not-accepting')) return { status: 'server-error-not-accepting-jobs' };
  const refusal = refuseFormat(context, request);
  if (refusal) return refusal;
  const { ignored } = acceptTemplate(context, request);
  if (ignored.length > 0 && boolean(request.attributes, 'ipp-attribute-fidelity') === true) {
    return {
      status: 'client-error-attributes-or-values-not-supported',
      groups: [{ tag: 'unsupported-attributes', attributes: ignored }],
    };
  }
  return undefined;
}

const unpacked = (document: IncomingDocument, { attributes }: CheckedRequest): IncomingDocument =>
  string(attributes, 'compression') === 'gzip' ? unzipped(document) : document;

/** Refuses an unsupported format or compression of the document. */
function refuseFormat(context: PrinterContext, { attributes }: CheckedRequest): Reply | undefined {
  const compression = string(attributes, 'compression') ?? 'none';
  if (!strings(printerAttributes(context), 'compression-supported').includes(compression)) {
    const refused = [attribute('compression', ipp.keyword(compression))];
    return {
      status: 'client-error-compression-not-supported',
      groups: [{ tag: 'unsupported-attributes', attributes: refused }],
    };
  }
  const format = string(attributes, 'document-format');
  if (format === undefined) return undefined;
  const supported = strings(printerAttributes(context), 'document-format-supported');
  if (supported.includes(format) && !context.mood.meets('refuse-format')) return undefined;
  const unsupported = [attribute('document-format', ipp.mimeMediaType(format))];
  return {
    status: 'client-error-document-format-not-supported',
    groups: [{ tag: 'unsupported-attributes', attributes: unsupported }],
  };
}
