/**
 * Reads the printer's description from a Get-Printer-Attributes answer (RFC 8011 section 5.4, PWG 5100.13), and finds
 * what keeps a page from coming out.
 */
import type { PrinterCapabilities, PrinterDescription } from '../../../domain/ports/printer-description.ts';
import type { PaperTrays } from '../../../domain/printer/paper-trays.ts';
import { areAllEmpty } from '../../../domain/printer/paper-trays.ts';
import { hinders, isAboutPaper, withdraws } from '../../../domain/problem/printer-reasons.ts';
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
import type { Operation } from '../../../ipp/registry.ts';
import { operations, printerStateName } from '../../../ipp/registry.ts';
import type { RasterAbilities } from '../../conversion/raster-abilities.ts';
import { rasterAbilities, requestedOfRaster } from '../../conversion/raster-abilities.ts';
import { paperTrays, requestedOfTrays } from './paper-trays.ts';
import { printerSupplies, requestedOfSupplies } from './printer-supplies.ts';
import { requestedOfWork, workAbilities } from './work-abilities.ts';

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
  ...requestedOfSupplies,
  ...requestedOfWork,
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
  /** The members of media-col that it takes (PWG 5100.7). */
  readonly mediaMembers: readonly string[];
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
    supplies: printerSupplies(attributes),
    makeAndModel: string(attributes, 'printer-make-and-model') ?? '',
    firmware: strings(attributes, 'printer-firmware-string-version').join(' '),
    capabilities,
    longestCopies: capabilities.copies,
    sides: capabilities.sides,
    colorModes: strings(attributes, 'print-color-mode-supported'),
    media: strings(attributes, 'media-supported'),
    mediaMembers: keywords(attributes, 'media-col-supported'),
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
  work: workAbilities(attributes),
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

interface Condition {
  /** `undefined`: the printer tells no state, so only its reasons count. */
  readonly state: 'idle' | 'processing' | 'stopped' | undefined;
  readonly stateReasons: readonly string[];
  readonly acceptingJobs: boolean;
  readonly trays: PaperTrays;
}

/** In the printer's own words. */
interface Readiness {
  /** A person must remedy these before it prints; empty when it is ready. */
  readonly obstacles: readonly string[];
  /** These would be obstacles if the printer said that it stands still. */
  readonly remarks: readonly string[];
}

/**
 * What keeps a page from coming out, by printer-state and printer-state-reasons (RFC 8011 sections 5.4.11 and 5.4.12,
 * PWG 5100.9). The state decides. At an idle printer that prints, `media-empty` is a remark. It may be one tray of
 * several (apple/cups#5776) or a bypass tray that is never filled (apple/cups#4656). It is an obstacle if the printer
 * is `stopped`, if it is idle but takes no jobs, if all trays are empty, or if a job of ours stands.
 * `domain/problem/printer-reasons.ts` lists the reasons that are obstacles in every state, and those that never are.
 */
export function readinessOf({ state, stateReasons, acceptingJobs, trays }: Condition): Readiness {
  const standsStill = state === undefined || state === 'stopped' || (state === 'idle' && !acceptingJobs);
  const areNone = areAllEmpty(trays);
  const obstacles = stateReasons.filter(
    (reason) =>
      (standsStill ? hinders(reason) : withdraws(reason)) ||
      // One empty tray beside a full one is only a remark. If all are empty, there is nothing to print on.
      (areNone && isAboutPaper(reason)),
  );
  if (state === 'stopped' && obstacles.length === 0) {
    return { obstacles: stateReasons.length > 0 ? stateReasons : ['stopped'], remarks: [] };
  }
  const remarks = stateReasons.filter((reason) => hinders(reason) && !obstacles.includes(reason));
  return { obstacles, remarks };
}

/** For a printer in which a job of ours stands: then the remarks are the cause. */
export const whereAJobStands = ({ obstacles, remarks }: Readiness): Readiness => ({
  obstacles: [...obstacles, ...remarks],
  remarks: [],
});
