/** Reads the printer's description from a Get-Printer-Attributes answer (RFC 8011 section 5.4, PWG 5100.13). */
import type { PrinterCapabilities, PrinterDescription } from '../../../domain/ports/printer-description.ts';
import { Problem } from '../../../domain/problem/problem.ts';
import type { Attribute, Message } from '../../../ipp/message.ts';
import {
  boolean,
  integer,
  integers,
  keywords,
  range,
  string,
  strings,
  subject,
} from '../../../ipp/message.ts';
import type { Operation } from '../../../ipp/operations.ts';
import { operations } from '../../../ipp/operations.ts';
import { printerStateName } from '../../../ipp/states.ts';
import type { PaperTrays } from './paper-trays.ts';
import { paperTrays, requestedOfTrays } from './paper-trays.ts';
import { readinessOf } from './printer-readiness.ts';
import type { RasterAbilities } from '../../conversion/raster-abilities.ts';
import { rasterAbilities, requestedOfRaster } from '../../conversion/raster-abilities.ts';

/** Asked for by name, because `all` would bring media-col-database, which is long on some printers. */
export const requestedAttributes: readonly string[] = [
  'color-supported',
  'compression-supported',
  'copies-supported',
  'document-format-supported',
  'ipp-versions-supported',
  'media-supported',
  'multiple-document-handling-supported',
  'operations-supported',
  'print-color-mode-supported',
  'printer-firmware-string-version',
  'printer-is-accepting-jobs',
  'printer-make-and-model',
  'printer-state',
  'printer-state-reasons',
  'printer-up-time',
  ...requestedOfRaster,
  ...requestedOfTrays,
  'sheet-collate-supported',
  'sides-supported',
];

export interface PrinterAttributes extends PrinterDescription {
  /** A person must remedy these before the printer prints. */
  readonly obstacles: readonly string[];
  /** These would have to be remedied if the printer stood still because of them. */
  readonly remarks: readonly string[];
  /** printer-state-reasons as received, without `none`. */
  readonly said: readonly string[];
  readonly trays: PaperTrays;
  /** The most copies of a document that the printer makes by itself. */
  readonly longestCopies: number;
  readonly sides: readonly string[];
  readonly colorModes: readonly string[];
  readonly media: readonly string[];
  readonly documentHandling: readonly string[];
  readonly sheetCollate: readonly string[];
  readonly raster: RasterAbilities;
  readonly versions: readonly string[];
  /** Seconds. */
  readonly upTime: number | undefined;
  can(operation: Operation): boolean;
}

export function printerAttributes(answer: Message): PrinterAttributes {
  const attributes = subject(answer, 'printer-attributes');
  if (attributes.length === 0) {
    throw new Problem('printer-protocol', 'the printer answered without any information about itself');
  }
  const state = printerStateName(integer(attributes, 'printer-state'));
  const stateReasons = keywords(attributes, 'printer-state-reasons').filter((reason) => reason !== 'none');
  // Mandatory; true unless the printer says otherwise.
  const acceptingJobs = boolean(attributes, 'printer-is-accepting-jobs') ?? true;
  const trays = paperTrays(attributes);
  const readiness = readinessOf({ state, stateReasons, acceptingJobs, trays });
  const supported = integers(attributes, 'operations-supported');
  // Mandatory like the formats. A printer that lists neither is tried, and its answers count.
  const can = (operation: Operation) => supported.length === 0 || supported.includes(operations[operation]);
  const capabilities = { ...capabilitiesOf(attributes), inOneStep: isInOneStep({ can }) };
  return {
    ...readiness,
    trays,
    ready: acceptingJobs && readiness.obstacles.length === 0,
    // Mandatory too. CUPS prints without looking at it (backend/ipp.c).
    state: state ?? 'idle',
    stateReasons,
    said: stateReasons,
    acceptingJobs,
    formats: strings(attributes, 'document-format-supported').filter((format) => format !== ''),
    mediaReady: strings(attributes, 'media-ready'),
    makeAndModel: string(attributes, 'printer-make-and-model') ?? '',
    firmware: strings(attributes, 'printer-firmware-string-version').join(' '),
    capabilities,
    longestCopies: capabilities.copies,
    sides: capabilities.sides,
    colorModes: strings(attributes, 'print-color-mode-supported'),
    media: strings(attributes, 'media-supported'),
    documentHandling: strings(attributes, 'multiple-document-handling-supported'),
    sheetCollate: strings(attributes, 'sheet-collate-supported'),
    raster: rasterAbilities(attributes),
    versions: strings(attributes, 'ipp-versions-supported'),
    upTime: integer(attributes, 'printer-up-time'),
    can,
  };
}

/** Print-Job alone, as IPP/1.0 required of printers; Create-Job is only recommended (RFC 8011 section 4.1). */
export const isInOneStep = ({ can }: Pick<PrinterAttributes, 'can'>): boolean =>
  !(can('Create-Job') && can('Send-Document'));

const capabilitiesOf = (attributes: readonly Attribute[]): PrinterCapabilities => ({
  color: colorOf(attributes),
  sides: strings(attributes, 'sides-supported'),
  // Every printer makes one copy, whatever it lists.
  copies: Math.max(1, range(attributes, 'copies-supported')?.upper ?? 1),
  // The printer is asked only for what it lists.
  obeys: {
    grey: keywords(attributes, 'print-color-mode-supported').includes('monochrome'),
    twoSided: keywords(attributes, 'sides-supported').includes('two-sided-long-edge'),
  },
  compression: keywords(attributes, 'compression-supported').filter((one) => one !== 'none'),
  counts: 'unknown',
});

/** `print-color-mode-supported` of PWG 5100.13 is used if the older, mandatory `color-supported` is missing. */
function colorOf(attributes: readonly Attribute[]): PrinterCapabilities['color'] {
  const isSaid = boolean(attributes, 'color-supported');
  if (isSaid !== undefined) return isSaid ? 'color' : 'monochrome';
  const modes = keywords(attributes, 'print-color-mode-supported');
  if (modes.length === 0) return 'unknown';
  return modes.includes('color') ? 'color' : 'monochrome';
}
