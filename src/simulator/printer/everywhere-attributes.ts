/**
 * The attributes that IPP Everywhere requires in addition to RFC 8011 (PWG 5100.14 section 5.2, PWG 5100.11, PWG
 * 5100.13), and those of PWG raster (PWG 5102.4 section 5).
 */
import type { Clock } from '../../core/clock.ts';
import { isoInstant } from '../../core/clock.ts';
import type { Attribute } from '../../ipp/message.ts';
import { attribute } from '../../ipp/message.ts';
import * as ipp from '../../ipp/values.ts';
import type { PrinterSettings } from './context.ts';
import type { Job, Jobs } from './jobs.ts';

export const keywords = (name: string, ...words: readonly string[]): Attribute =>
  attribute(name, ...words.map(ipp.keyword));
export const enums = (name: string, ...numbers: readonly number[]): Attribute =>
  attribute(name, ...numbers.map(ipp.enumValue));
export const text = (name: string, words: string): Attribute =>
  attribute(name, ipp.textWithoutLanguage(words));

/** Job Template attributes. */
export const everywhereTemplate: readonly Attribute[] = [
  keywords('overrides-supported', 'document-number', 'pages'),
  keywords('print-content-optimize-default', 'auto'),
  keywords('print-content-optimize-supported', 'auto', 'graphic', 'photo', 'text', 'text-and-graphic'),
  keywords('print-rendering-intent-default', 'auto'),
  keywords('print-rendering-intent-supported', 'auto', 'perceptual', 'relative'),
];

const margins = ['bottom', 'left', 'right', 'top'].map((side) =>
  attribute(`media-${side}-margin-supported`, ipp.integer(423)),
);

const supplies: readonly (readonly [string, string])[] = [
  ['Black Toner', 'type=toner;maxcapacity=100;level=80;colorantname=black;'],
  ['Waste Toner', 'type=wasteToner;maxcapacity=100;level=10;'],
];

export const everywhereDescription = ({ uri }: PrinterSettings): readonly Attribute[] => {
  const page = uri.replace(/^ipp:/, 'http:');
  return [
    keywords('identify-actions-default', 'display'),
    keywords('identify-actions-supported', 'display', 'sound'),
    keywords('ipp-features-supported', 'ipp-everywhere'),
    keywords(
      'job-creation-attributes-supported',
      ...[
        'copies',
        'finishings',
        'media',
        'media-col',
        'multiple-document-handling',
        'orientation-requested',
      ],
      ...['output-bin', 'page-ranges', 'print-color-mode', 'print-quality', 'print-scaling', 'sides'],
    ),
    attribute('job-ids-supported', ipp.boolean(true)),
    ...margins,
    keywords('media-source-supported', 'main'),
    keywords('multiple-operation-time-out-action', 'abort-job'),
    attribute('preferred-attributes-supported', ipp.boolean(false)),
    attribute('printer-geo-location', ipp.uri('geo:0.0,0.0')),
    keywords('printer-get-attributes-supported', 'document-format'),
    attribute('printer-icons', ipp.uri(`${page}/icon.png`)),
    text('printer-organization', 'Platen'),
    text('printer-organizational-unit', 'Simulators'),
    attribute('printer-supply', ...supplies.map(([, supply]) => ipp.octetString(Buffer.from(supply)))),
    attribute('printer-supply-description', ...supplies.map(([words]) => ipp.textWithoutLanguage(words))),
    attribute('printer-supply-info-uri', ipp.uri(page)),
    attribute('pwg-raster-document-resolution-supported', ipp.resolution(300, 300), ipp.resolution(600, 600)),
    keywords('pwg-raster-document-sheet-back', 'normal'),
    keywords('pwg-raster-document-type-supported', 'black_1', 'sgray_8', 'srgb_8'),
  ];
};

/** The time of the configuration and of the last change of state, in seconds since the start and as a date. */
export function changes(jobs: Jobs, clock: Clock): readonly Attribute[] {
  const startedAt = clock.now() - jobs.upTime() * 1000;
  const since = (name: string, seconds: number) => [
    attribute(`${name}-time`, ipp.integer(seconds)),
    attribute(`${name}-date-time`, ipp.dateTime(isoInstant(startedAt + seconds * 1000))),
  ];
  const lately = jobs.list.flatMap(momentsOf);
  return [...since('printer-config-change', 1), ...since('printer-state-change', Math.max(1, ...lately))];
}

const momentsOf = ({ processingAt, completedAt }: Job): readonly number[] =>
  [processingAt, completedAt].filter((moment) => moment !== undefined);
