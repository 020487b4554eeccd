/**
 * Why a printer can print no document at all, by its own description and our settings: it answered, but it is
 * unusable. `printer-attributes.ts` covers faults that a person at the printer can remedy.
 */
import type { OutputType } from '../../../domain/output-port.ts';
import type { PrinterDescription } from '../../../domain/ports/printer-description.ts';
import { Problem } from '../../../domain/problem/problem.ts';
import { formatFor } from '../../conversion/conversion-plan.ts';
import { isRaster, rasterTypeFor } from '../../conversion/raster-abilities.ts';
import { documentFormats } from '../../document-format.ts';
import type { PrinterAttributes } from './printer-attributes.ts';
import { isInOneStep } from './printer-attributes.ts';

type Rejecting = Pick<PrinterDescription, 'acceptingJobs' | 'state' | 'stateReasons'>;

/** `undefined`: no objection. */
export function unfitness(
  printer: Pick<PrinterAttributes, 'can' | 'formats' | 'raster' | 'obstacles'> & Rejecting,
  outputType: OutputType,
): Problem | undefined {
  if (!takesJobs(printer)) {
    return incapable(
      'the printer has no operation that takes a document: neither Create-Job with Send-Document nor Print-Job',
      ['operations-supported'],
    );
  }
  if (!documentFormats.some((format) => canBeSent(format, printer, outputType))) {
    const listed = printer.formats.join(', ');
    const setting = outputType === 'auto' ? '' : ` with outputType ${outputType}`;
    return incapable(
      `Platen cannot convert a document${setting} to a format that the printer accepts: it lists ${listed}`,
      ['document-format-supported'],
    );
  }
  return printer.obstacles.length > 0 ? undefined : rejection(printer);
}

/**
 * A working printer may accept jobs again when it is done. An idle printer that accepts none was set so by a person.
 */
export function rejection({ acceptingJobs, state, stateReasons }: Rejecting): Problem | undefined {
  if (acceptingJobs || state === 'processing') return undefined;
  const reasons = ['printer-is-accepting-jobs', ...stateReasons];
  return new Problem('printer-rejecting', 'the printer accepts no jobs, and does nothing', { reasons });
}

export const takesJobs = (printer: Pick<PrinterAttributes, 'can'>): boolean =>
  !isInOneStep(printer) || printer.can('Print-Job');

/** Unchanged or converted. For raster the printer must list a kind of pixels that the converter can make. */
function canBeSent(
  format: string,
  { formats, raster }: Pick<PrinterAttributes, 'formats' | 'raster'>,
  outputType: OutputType,
): boolean {
  if (formatFor(format, formats, outputType) === undefined) return false;
  return outputType === 'raw' || !isRaster(format) || rasterTypeFor(format, 'grey', raster) !== undefined;
}

const incapable = (message: string, reasons: readonly string[]): Problem =>
  new Problem('printer-incapable', message, { reasons });
