/**
 * `platen check` of one printer: what it is, what Platen does with a document because of what it can, and, of a queue
 * of CUPS, whether it would print a document again by itself (reliability.md D15). One look, in two or three lines.
 */
import { systemClock } from '../../core/clock.ts';
import { certificateInWords } from '../../domain/certificate-expiry.ts';
import type { PrinterIdentity } from '../../domain/ports/printer-memory.ts';
import type { Printer, PrinterDescription } from '../../domain/ports/printing.ts';
import { foremostReason } from '../../domain/printer-reasons.ts';
import type { Confirmation } from '../../domain/release.ts';
import { complaintAbout, spoolerQueue } from '../../domain/spooler-queue.ts';
import type { PageHandling } from '../../printing/conversion/conversion-plan.ts';
import { keepingOf } from './cups-config.ts';
import type { Examination, Step } from './examination.ts';
import { askedOnce, examinationLimit } from './examination.ts';
import type { Place } from '../opened-printer.ts';
import { addressUnknown, openPrinter } from '../opened-printer.ts';
import { abilitiesInWords, abilitiesOf } from './printer-abilities.ts';

export interface PrinterSight {
  readonly uri: string;
  readonly kind: Printer['kind'];
  readonly confirms?: Confirmation;
  readonly description: PrinterDescription;
  readonly handling: PageHandling;
  readonly known: PrinterIdentity | undefined;
}

/** `needs`: what has to be well before the printer can be reached. */
export function examinePrinter(place: Place, needs: readonly string[]): readonly Step[] {
  const { id, printer: settings } = place.terminal;
  const look = askedOnce(() => lookAt(place));
  const told =
    (tell: (sight: PrinterSight) => ReturnType<Examination>): Examination =>
    async () => {
      const sight = await look();
      return sight ? tell(sight) : { waiting: addressUnknown };
    };
  const abilities = told(async (sight) => {
    const facts = abilitiesOf(sight, settings);
    return { state: 'ok', detail: abilitiesInWords(facts).join('; '), facts };
  });
  // What is wrong with the printer is told by its own line.
  const unknown = () => ({ waiting: 'not known' });
  const queue: Examination = (call) => look().then(() => told(queueOf)(call), unknown);
  const printer = `printer of ${id}`;
  return [
    { what: printer, kind: 'printer', scope: id, needs, examine: told(conditionOf) },
    {
      ...{ what: `printing at ${id}`, kind: 'printing', scope: id, needs },
      examine: (call) => abilities(call).catch(unknown),
    },
    ...(spoolerQueue(settings.uri) === undefined
      ? []
      : [{ what: `queue of ${id}`, kind: 'queue', scope: id, needs, examine: queue } satisfies Step]),
  ];
}

async function lookAt(place: Place): Promise<PrinterSight | undefined> {
  await using opened = await openPrinter(place);
  if (!opened) return undefined;
  const { printer, handling } = opened;
  const { uri, kind } = printer;
  const signal = systemClock.deadline(examinationLimit, place.io.stop);
  const description = await printer.describe({ signal });
  const confirms = printer.kind === 'jobs' ? { confirms: printer.confirms } : {};
  return { uri, kind, ...confirms, description, handling, known: opened.known() };
}

async function conditionOf({ uri, kind, description }: PrinterSight): Promise<string> {
  const { makeAndModel, state, stateReasons, formats, mediaReady, ready, certificate } = description;
  const about = [
    ...(kind === 'bytes'
      ? [
          uri.startsWith('windows:') ? `${uri} is known` : `${uri} takes connections`,
          `is sent ${formats.join(', ')}`,
        ]
      : [
          `${uri} (${makeAndModel}) is ${state}`,
          `takes ${formats.join(', ')}`,
          mediaReady.length > 0 ? `has ${mediaReady.join(', ')}` : 'does not say what paper it has',
        ]),
    ...(certificate ? [certificateInWords(certificate, systemClock.now())] : []),
  ].join('; ');
  if (ready) return about;
  const reason = foremostReason(stateReasons);
  const said = stateReasons.join(', ') || 'accepts no jobs';
  throw new Error(
    reason ? `${reason.person} ${reason.advice} ${about}; ${said}` : `${about}; needs attention: ${said}`,
  );
}

/** Half of it CUPS tells nobody over IPP: its file is read where it may be, and what cannot be seen is said. */
async function queueOf({ uri, description: { queue } }: PrinterSight): Promise<string> {
  if (!queue) throw new Error(`${uri} is no queue; write cups:QUEUE or cups://host/QUEUE`);
  const complaint = complaintAbout(queue);
  if (complaint) throw new Error(complaint);
  const keeping = await keepingOf(uri);
  if ('complaint' in keeping) throw new Error(keeping.complaint);
  return [
    `${queue.name} prints to ${queue.device || 'a printer it does not name'}`,
    `error policy ${queue.errorPolicy}`,
    'the spooler confirms, not the printer',
    keeping.told,
  ].join('; ');
}
