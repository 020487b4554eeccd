/**
 * The attributes of a job in a virtual printer (RFC 8011 section 5.3): those that it reports, by its habits and the
 * asking user, and those that it accepts.
 */
import { isUtf8 } from 'node:buffer';
import type { Attribute, Value } from '../../ipp/message.ts';
import { attribute, group, valueTags } from '../../ipp/message.ts';
import { jobStates } from '../../ipp/registry.ts';
import * as ipp from '../../ipp/values.ts';
import { printerAttributes } from './attributes.ts';
import type { CheckedRequest } from './check.ts';
import type { JobCounters, PrinterContext } from './context.ts';
import type { Habits } from './habits/habits.ts';
import type { Job, JobState } from './jobs.ts';
import { hasEnded } from './jobs.ts';

const isTwoSided = ({ template }: Job): boolean =>
  template.some(
    ({ name, values: [value] }) =>
      name === 'sides' && value !== undefined && 'text' in value && value.text !== 'one-sided',
  );

const sheetsCompleted = (job: Job): number =>
  isTwoSided(job) ? Math.ceil(job.impressionsCompleted / 2) : job.impressionsCompleted;

const messages: Record<JobState, string> = {
  pending: 'The job waits.',
  'pending-held': 'The job is held.',
  processing: 'The job prints.',
  'processing-stopped': 'The printer needs attention.',
  canceled: 'The job was canceled.',
  aborted: 'The printer gave the job up.',
  completed: 'The job is printed.',
};

const moment = (seconds: number | undefined) => (seconds === undefined ? ipp.noValue : ipp.integer(seconds));

/** Job Description and Job Status attributes, then Job Template attributes. `asker` is the requesting-user-name. */
export function jobAttributes(
  { settings, jobs, habits }: PrinterContext,
  job: Job,
  asker: string | undefined,
): readonly Attribute[] {
  const { document } = job;
  const { uri } = settings;
  const reported = [
    attribute('job-uri', ipp.uri(`${uri}/${job.id}`)),
    attribute('job-id', ipp.integer(job.id)),
    attribute('job-printer-uri', ipp.uri(uri)),
    attribute('job-uuid', ipp.uri(job.uuid)),
    ...namesOf(job, habits, asker),
    attribute('job-state', ipp.enumValue(jobStates[job.state])),
    attribute('job-state-reasons', ...job.reasons.map(ipp.keyword)),
    attribute('job-state-message', ipp.textWithoutLanguage(messages[job.state])),
    attribute('job-printer-state-message', ipp.textWithoutLanguage(messages[job.state])),
    attribute('number-of-documents', ipp.integer(document === undefined ? 0 : 1)),
    attribute('time-at-creation', ipp.integer(job.createdAt)),
    attribute('time-at-processing', moment(job.processingAt)),
    attribute('time-at-completed', moment(job.completedAt)),
    attribute('job-printer-up-time', ipp.integer(jobs.upTime())),
    ...(document === undefined
      ? []
      : [attribute('job-k-octets', ipp.integer(Math.ceil(document.bytes / 1024)))]),
    ...countersOf(job, settings.counters),
    ...job.template,
  ];
  return reported.filter(
    ({ name }) =>
      !(name === 'job-uuid' && habits.has('tells-no-uuid')) &&
      !(name === 'job-printer-up-time' && habits.has('tells-no-up-time')),
  );
}

function namesOf(job: Job, habits: Habits, asker: string | undefined): readonly Attribute[] {
  const isStranger = asker === undefined || asker === '' || asker !== job.userName;
  if (habits.has('hides-names') && isStranger) return [];
  const user = habits.has('own-names') ? 'Guest' : job.userName;
  return [
    attribute('job-name', cut(changedName(job.name, habits), habits.number('cuts-names'))),
    attribute('job-originating-user-name', ipp.nameWithoutLanguage(user)),
  ];
}

function changedName(name: string, habits: Habits): string {
  if (habits.has('own-names')) return 'Print';
  if (habits.has('empty-names')) return '';
  let changed = name;
  if (habits.has('capital-names')) changed = changed.toUpperCase();
  if (habits.has('ascii-names')) changed = changed.replace(/[^\x20-\x7e]/gu, '?');
  if (habits.has('masks-names')) changed = changed.replace(/./gsu, '*');
  return changed;
}

/** Cuts by octets, as C code does, so the result may be invalid UTF-8. */
function cut(name: string, octets: number | undefined): Value {
  const kept = Buffer.from(name).subarray(0, octets);
  return isUtf8(kept)
    ? ipp.nameWithoutLanguage(kept.toString())
    : { tag: 'raw', number: valueTags.nameWithoutLanguage, octets: kept };
}

/**
 * The reported values of job-impressions-completed and job-media-sheets-completed. `undefined` means that the attribute
 * is absent.
 */
const reportedCounters = {
  reported: ({ impressions, sheets }) => ({ impressions, sheets }),
  impressions: ({ impressions }) => ({ impressions, sheets: undefined }),
  sheets: ({ sheets }) => ({ impressions: undefined, sheets }),
  absent: () => ({ impressions: undefined, sheets: undefined }),
  'always-zero': () => ({ impressions: 0, sheets: 0 }),
  late: (counted, job) => (hasEnded(job) ? counted : { impressions: 0, sheets: 0 }),
  'sheets-twice': ({ sheets }) => ({ impressions: sheets, sheets }),
} satisfies Record<JobCounters, (counted: Counted, job: Job) => Counted>;

interface Counted {
  readonly impressions: number | undefined;
  readonly sheets: number | undefined;
}

function countersOf(job: Job, counters: JobCounters): readonly Attribute[] {
  const tell: (counted: Counted, job: Job) => Counted = reportedCounters[counters];
  // A spooler that passed the job on does not know the pages of the device.
  const impressions = job.reasons.includes('queued-in-device') ? 0 : job.impressionsCompleted;
  const reported = tell({ impressions, sheets: impressions === 0 ? 0 : sheetsCompleted(job) }, job);
  return Object.entries({
    'job-impressions-completed': reported.impressions,
    'job-media-sheets-completed': reported.sheets,
  }).flatMap(([name, count]) => (count === undefined ? [] : [attribute(name, ipp.integer(count))]));
}

/** The counters that follow from the habits; `undefined` if no habit concerns them. */
export function habitualCounters(habits: Habits): JobCounters | undefined {
  if (habits.has('counts-nothing')) return 'absent';
  if (habits.has('counts-nothing-zero')) return 'always-zero';
  if (habits.has('counts-late')) return 'late';
  return habits.has('counts-sheets') ? 'sheets-twice' : undefined;
}

/**
 * Decides which Job Template attributes of a request the printer accepts and which it ignores (RFC 8011 section
 * 4.1.7).
 */
export function acceptTemplate(
  context: PrinterContext,
  { message }: CheckedRequest,
): { accepted: readonly Attribute[]; ignored: readonly Attribute[] } {
  const supported = printerAttributes(context, ['all']);
  const accepted: Attribute[] = [];
  const ignored: Attribute[] = [];
  const ignoredWishes = context.habits.value('ignores-wishes')?.split('+') ?? [];
  for (const asked of group(message, 'job-attributes')) {
    if (ignoredWishes.includes(asked.name)) {
      ignored.push(asked);
      continue;
    }
    const choices = supported.find((one) => one.name === `${asked.name}-supported`)?.values;
    if (choices === undefined) {
      ignored.push(attribute(asked.name, ipp.unsupported));
      continue;
    }
    const [good, bad] = [true, false].map((wanted) =>
      asked.values.filter((value) => isAmong(value, choices) === wanted),
    );
    if (good !== undefined && good.length > 0) accepted.push({ name: asked.name, values: good });
    if (bad !== undefined && bad.length > 0) ignored.push({ name: asked.name, values: bad });
  }
  return { accepted, ignored };
}

/** Texts are compared and numbers are checked against ranges. Values of other types are always accepted. */
function isAmong(value: Value, choices: readonly Value[]): boolean {
  if ('text' in value) return choices.some((choice) => 'text' in choice && choice.text === value.text);
  if ('integer' in value) {
    return choices.some((choice) =>
      choice.tag === 'rangeOfInteger'
        ? choice.lower <= value.integer && value.integer <= choice.upper
        : 'integer' in choice && choice.integer === value.integer,
    );
  }
  return true;
}
