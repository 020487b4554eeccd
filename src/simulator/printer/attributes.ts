/**
 * The attributes of a virtual printer (RFC 8011 sections 5.2 and 5.4, and additions of the PWG that office printers
 * report). It also selects the requested ones (requested-attributes, RFC 8011 section 4.2.5.1).
 */
import { minutes } from '../../core/duration.ts';
import { operations, printerStates } from '../../ipp/registry.ts';
import type { Attribute } from '../../ipp/message.ts';
import { attribute } from '../../ipp/message.ts';
import * as ipp from '../../ipp/values.ts';
import type { PrinterContext, PrinterSettings } from './context.ts';
import {
  changes,
  enums,
  everywhereDescription,
  everywhereTemplate,
  keywords,
  text,
} from './everywhere-attributes.ts';
import type { Habits } from './habits/habits.ts';
import { hasEnded } from './jobs.ts';
import type { KnownOperation } from './rules.ts';
import { supportedOperations } from './rules.ts';
import { finisher } from './finisher.ts';
import { mediaCollection, mediaNames, mediaSize, usualMedia } from './paper.ts';
import { understoodVersions } from './refusals.ts';

/** Job Template attributes with their defaults and supported values (section 5.2). */
const jobTemplate: readonly Attribute[] = [
  attribute('copies-default', ipp.integer(1)),
  attribute('copies-supported', ipp.rangeOfInteger(1, 999)),
  enums('finishings-default', 3),
  enums('finishings-supported', 3),
  keywords('media-default', usualMedia),
  keywords('media-ready', 'iso_a4_210x297mm', 'iso_a3_297x420mm'),
  keywords('media-supported', ...mediaNames),
  attribute('media-size-supported', ...mediaNames.map(mediaSize)),
  keywords('media-type-supported', 'stationery'),
  attribute('media-col-default', mediaCollection('iso_a4_210x297mm')),
  attribute('media-col-ready', mediaCollection('iso_a4_210x297mm'), mediaCollection('iso_a3_297x420mm')),
  keywords('media-col-supported', 'media-size', 'media-size-name', 'media-source', 'media-type'),
  keywords('multiple-document-handling-default', 'separate-documents-collated-copies'),
  keywords(
    'multiple-document-handling-supported',
    'separate-documents-collated-copies',
    'separate-documents-uncollated-copies',
  ),
  enums('orientation-requested-default', 3),
  enums('orientation-requested-supported', 3, 4, 5, 6),
  keywords('output-bin-default', 'face-down'),
  keywords('output-bin-supported', 'face-down'),
  attribute('page-ranges-supported', ipp.boolean(true)),
  keywords('print-color-mode-default', 'auto'),
  keywords('print-color-mode-supported', 'auto', 'color', 'monochrome'),
  enums('print-quality-default', 4),
  enums('print-quality-supported', 4),
  keywords('print-scaling-default', 'auto'),
  keywords('print-scaling-supported', 'auto', 'fit', 'none'),
  attribute('printer-resolution-default', ipp.resolution(600, 600)),
  attribute('printer-resolution-supported', ipp.resolution(600, 600)),
  keywords('sides-default', 'one-sided'),
  keywords('sides-supported', 'one-sided', 'two-sided-long-edge', 'two-sided-short-edge'),
  ...everywhereTemplate,
];

/** Printer Description attributes (section 5.4) that never change. */
const description = (printer: PrinterSettings, habits: Habits): readonly Attribute[] => [
  attribute('charset-configured', ipp.charset('utf-8')),
  attribute('charset-supported', ipp.charset('utf-8')),
  attribute('color-supported', ipp.boolean(true)),
  keywords(
    'compression-supported',
    ...(habits.has('refuses-compression-at-send') || habits.has('cannot-unpack')
      ? ['none', 'gzip']
      : ['none']),
  ),
  attribute('document-format-default', ipp.mimeMediaType('application/pdf')),
  attribute(
    'document-format-supported',
    ipp.mimeMediaType('application/pdf'),
    ipp.mimeMediaType('image/jpeg'),
    ipp.mimeMediaType('image/pwg-raster'),
    ipp.mimeMediaType('application/octet-stream'),
  ),
  attribute('generated-natural-language-supported', ipp.naturalLanguage('en')),
  keywords('ipp-versions-supported', ...understoodVersions(habits)),
  attribute('multiple-document-jobs-supported', ipp.boolean(false)),
  attribute('multiple-operation-time-out', ipp.integer(120)),
  attribute('natural-language-configured', ipp.naturalLanguage('en')),
  enums('operations-supported', ...listedOperations(habits).map((name) => operations[name])),
  attribute('pages-per-minute', ipp.integer(pagesPerMinute(printer))),
  attribute('pages-per-minute-color', ipp.integer(pagesPerMinute(printer))),
  keywords('pdl-override-supported', 'attempted'),
  keywords('pdf-versions-supported', 'adobe-1.4', 'adobe-1.7', 'iso-32000-1_2008'),
  text('printer-device-id', 'MFG:Platen;MDL:Virtual Printer;CMD:PDF,PWG;'),
  text('printer-firmware-string-version', '1.0'),
  text('printer-info', printer.name),
  text('printer-location', 'This computer'),
  text('printer-make-and-model', 'Platen Virtual Printer'),
  attribute('printer-more-info', ipp.uri(printer.uri.replace(/^ipp:/, 'http:'))),
  attribute('printer-name', ipp.nameWithoutLanguage(printer.name)),
  attribute('printer-uri-supported', ipp.uri(printer.uri)),
  attribute('printer-uuid', ipp.uri(printer.uuid)),
  keywords('uri-authentication-supported', 'requesting-user-name'),
  keywords('uri-security-supported', 'none'),
  keywords('which-jobs-supported', 'completed', 'not-completed', 'all'),
  ...everywhereDescription(printer),
];

/** At most 100, because no real printer is faster. */
const pagesPerMinute = ({ pageTime }: PrinterSettings): number =>
  Math.max(1, Math.min(100, Math.floor(minutes(1) / pageTime)));

/** Operations that the printer refuses as not supported are not listed. */
function listedOperations(habits: Habits): readonly KnownOperation[] {
  const missing = new Set<string>();
  if (habits.has('print-job-only')) missing.add('Create-Job').add('Send-Document').add('Close-Job');
  if (habits.value('refuses-job-questions') === '0501') missing.add('Get-Job-Attributes');
  if (habits.value('refuses-job-lists') === '0501') missing.add('Get-Jobs');
  return supportedOperations.filter((name) => !missing.has(name));
}

const status = ({ jobs, mood, habits, panel, clock }: PrinterContext): readonly Attribute[] => {
  const stopped = mood.is('stopped');
  const isJammed = jobs.list.some((job) => job.state === 'processing-stopped') && !stopped;
  const isPrinting = jobs.list.some((job) => job.state === 'processing' && !job.isOut);
  const isStopped = stopped !== undefined || isJammed || panel.isOutOfPaper;
  const state = isStopped ? 'stopped' : isPrinting ? 'processing' : 'idle';
  const obstacle = panel.isOutOfPaper ? 'media-empty-error' : isJammed ? 'media-jam-error' : 'none';
  const reasons = [stopped?.reason ?? obstacle, ...complaints({ habits, panel })];
  const named = [...new Set(reasons.filter((reason) => reason !== 'none'))];
  const isAccepting = !mood.is('not-accepting') && !habits.has('rejecting');
  return [
    attribute('printer-is-accepting-jobs', ipp.boolean(isAccepting)),
    attribute('printer-state', ipp.enumValue(printerStates[state])),
    text('printer-state-message', state),
    keywords('printer-state-reasons', ...(named.length > 0 ? named : ['none'])),
    attribute('printer-up-time', ipp.integer(jobs.upTime())),
    attribute('queued-job-count', ipp.integer(jobs.list.filter((job) => !hasEnded(job)).length)),
    ...changes(jobs, clock),
  ].filter(({ name }) => !leftOut(habits).includes(name));
};

/** Reasons that a habit reports in any state. */
function complaints({ habits, panel }: Pick<PrinterContext, 'habits' | 'panel'>): readonly string[] {
  const isWithoutPaper = habits.has('lacks-paper') || (habits.has('stays-pending') && panel.repairs === 0);
  return [habits.value('complains') ?? 'none', isWithoutPaper ? 'media-empty-error' : 'none'];
}

/** The paper in the trays, if a habit limits it to one of the known sizes. */
const mediaReady = (habits: Habits): readonly Attribute[] => {
  const ready = mediaNames.find((name) => name === habits.value('lacks-paper'));
  return ready === undefined
    ? []
    : [keywords('media-ready', ready), attribute('media-col-ready', mediaCollection(ready))];
};

const leftOut = (habits: Habits): readonly string[] => [
  ...(habits.has('no-printer-state') ? ['printer-state', 'printer-state-reasons'] : []),
  ...(habits.has('tells-no-up-time') ? ['printer-up-time'] : []),
];

const most = 2_147_483_647;
const least = -2_147_483_648;
const absurdIntegers: readonly Attribute[] = [
  attribute('job-password-supported', ipp.integer(-1)),
  attribute('copies-supported', ipp.rangeOfInteger(least, most)),
  attribute('job-k-octets-supported', ipp.rangeOfInteger(most, least)),
  attribute('multiple-operation-time-out', ipp.integer(least)),
  attribute('printer-up-time', ipp.integer(least)),
  attribute('queued-job-count', ipp.integer(-1)),
  attribute('printer-resolution-supported', ipp.resolution(least, least)),
  attribute('pwg-raster-document-resolution-supported', ipp.resolution(-600, -600), ipp.resolution(0, 0)),
  keywords('urf-supported', 'W8', 'RS0-99999999'),
];

/** Returned only if it is requested by name (PWG 5100.7). */
const mediaDatabase = attribute(
  'media-col-database',
  mediaCollection('iso_a4_210x297mm'),
  mediaCollection('iso_a3_297x420mm'),
);

export function printerAttributes(
  context: PrinterContext,
  requested: readonly string[] = ['all'],
): readonly Attribute[] {
  const set = [
    ...context.settings.attributes,
    ...(context.habits.has('finisher') ? finisher : []),
    ...(context.habits.has('absurd-integers') ? absurdIntegers : []),
  ];
  const template = overridden(overridden(jobTemplate, mediaReady(context.habits)), set);
  const others = overridden([...description(context.settings, context.habits), ...status(context)], set);
  const added = set.filter(({ name }) => ![...template, ...others].some((one) => one.name === name));
  return chosen(
    { 'job-template': template, 'printer-description': [...others, ...added] },
    [mediaDatabase],
    requested,
  );
}

const overridden = (own: readonly Attribute[], by: readonly Attribute[]): readonly Attribute[] =>
  own.map((one) => by.find(({ name }) => name === one.name) ?? one);

/** The requested attributes: by name, by group, or all. Those of `byName` are given only by name. */
export function chosen(
  groups: Readonly<Record<string, readonly Attribute[]>>,
  byName: readonly Attribute[],
  requested: readonly string[],
): readonly Attribute[] {
  const own = Object.entries(groups).flatMap(([group, attributes]) =>
    requested.includes('all') || requested.includes(group)
      ? attributes
      : attributes.filter(({ name }) => requested.includes(name)),
  );
  return [...own, ...byName.filter(({ name }) => requested.includes(name))];
}
