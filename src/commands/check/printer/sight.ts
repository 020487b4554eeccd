/** What `platen check` has learned about a printer. */
import type { PrinterDescription } from '../../../domain/ports/printer-description.ts';
import type { PrinterHabits, PrinterIdentity } from '../../../domain/ports/printer-memory.ts';
import type { Printer } from '../../../domain/ports/printing.ts';
import type { Confirmation } from '../../../domain/release.ts';
import type { PageHandling } from '../../../printing/conversion/conversion-plan.ts';

export interface PrinterSight {
  readonly uri: string;
  readonly kind: Printer['kind'];
  readonly confirms?: Confirmation;
  readonly description: PrinterDescription;
  readonly handling: PageHandling;
  readonly known: PrinterIdentity | undefined;
  /** Peculiarities that were found at this printer. */
  readonly habits?: PrinterHabits | undefined;
  readonly isUnattended?: boolean;
}
