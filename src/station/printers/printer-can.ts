/**
 * What a person may be promised of a print at one terminal, by what its printer said of itself and who prints. A printer
 * that has said nothing yet is promised nothing of.
 */
import type { PrinterCan } from '../../domain/document-changes.ts';
import { documentLimits } from '../../domain/document.ts';
import type { PrinterCapabilities } from '../../domain/ports/printer-description.ts';
import type { DeliveryMode } from '../../domain/release.ts';

export function printerCan(
  capabilities: PrinterCapabilities | undefined,
  delivery: DeliveryMode,
): PrinterCan {
  const { color, sides = [] } = capabilities ?? {};
  // On a printer without colour that is no choice (src/cloud/README.md 8).
  const hasColor = color !== 'monochrome';
  if (delivery === 'cloud') {
    // The service has a way of its own to the printer, and takes all of it as parameters.
    const isOneSided = sides.length > 0 && !sides.some((one) => one.startsWith('two-sided'));
    return { grey: hasColor, twoSided: !isOneSided, copies: documentLimits.copies };
  }
  const { heeds, copies = 1 } = capabilities ?? {};
  return { grey: hasColor && heeds?.grey === true, twoSided: heeds?.twoSided === true, copies };
}
