/**
 * `platen check` for one printer: what it is, and what Platen does with a document because of its abilities. For a
 * queue of CUPS also: would the queue print a document again by itself (INVARIANTS.md D15)? One look gives two or three
 * lines.
 */
import { readFile } from 'node:fs/promises';
import { systemClock } from '../../../core/clock.ts';
import type { Duration } from '../../../core/duration.ts';
import { certificateInWords } from '../../../domain/printer/certificate-expiry.ts';
import { foremostReason } from '../../../domain/problem/printer-reasons.ts';
import { Problem } from '../../../domain/problem/problem.ts';
import { asQueue, complaintAbout, spoolerQueue } from '../../../domain/printer/spooler-queue.ts';
import { aboutSerial } from '../../../status/printer-watch.ts';
import type { Examination, Say, Step } from '../examination.ts';
import { askedOnce, examinationLimit, wakingPrinterLimit } from '../examination.ts';
import type { Place } from '../../opened-printer.ts';
import { addressUnknown, openPrinter } from '../../opened-printer.ts';
import { openReleaseRegister } from '../../../store/ledger/release-register.ts';
import { abilitiesInWords, abilitiesOf } from './abilities.ts';
import { withOtherPaths } from './other-paths.ts';
import type { PrinterSight } from './sight.ts';

/**
 * `needs`: the steps that must be well before the printer can be reached. `of`: the owner of the printer. The serial
 * number of a terminal is that of its default printer.
 */
export function examinePrinter(
  place: Place,
  {
    needs,
    of,
    isDefault,
  }: { readonly needs: readonly string[]; readonly of: string; readonly isDefault: boolean },
): readonly Step[] {
  const { id, printer: settings } = place.terminal;
  const limit = place.isUnattended ? examinationLimit : wakingPrinterLimit;
  let say: Say = () => {};
  const look = askedOnce(() => lookAt(place, { limit, say: (why) => say(why) }));
  const withSight =
    (tell: (sight: PrinterSight) => ReturnType<Examination>): Examination =>
    async () => {
      const sight = await look();
      return sight ? tell(sight) : { waiting: addressUnknown };
    };
  const abilities = withSight(async (sight) => {
    const facts = abilitiesOf(sight, settings);
    // If the printer takes no documents, its abilities are no good news.
    const isIncapable = sight.description.unfit?.code === 'printer-incapable';
    const { stateDir } = place.config;
    const proposal = resetProposal({ stateDir, uri: sight.uri, resetIsEnd: settings.resetIsEnd });
    const detail = [...abilitiesInWords(facts), ...(proposal === undefined ? [] : [proposal])].join('; ');
    return { state: isIncapable ? 'waiting' : 'ok', detail, facts };
  });
  // The line of the printer itself tells the fault.
  const unknown = () => ({ waiting: 'not known' });
  const queue: Examination = (call) => look().then(() => withSight(queueOf)(call), unknown);
  const condition: Examination = (call) => {
    say = call.say ?? say;
    return withSight(conditionOf)(call).catch(async (fault: unknown) => {
      throw await withOtherPaths(fault, place);
    });
  };
  const serialNumber: Examination = async () => serialNumberOf(place, await look().catch(() => undefined));
  return [
    { what: `printer of ${of}`, kind: 'printer', scope: id, needs, limit, examine: condition },
    {
      what: `printing at ${of}`,
      kind: 'printing',
      scope: id,
      needs,
      limit,
      examine: (call) => abilities(call).catch(unknown),
    },
    ...(isDefault
      ? [
          {
            what: `serial number of ${of}`,
            kind: 'serial number',
            scope: id,
            needs,
            limit,
            examine: serialNumber,
          } satisfies Step,
        ]
      : []),
    ...((spoolerQueue(settings.uri) ?? asQueue(settings.uri)) === undefined
      ? []
      : [{ what: `queue of ${of}`, kind: 'queue', scope: id, needs, limit, examine: queue } satisfies Step]),
  ];
}

/** As the printer reports it, and as the running agent found the output port. */
async function serialNumberOf(
  { terminal: { id, serialNumber }, status }: Place,
  sight: PrinterSight | undefined,
): Promise<string> {
  const said = await status?.();
  const ofPort = said?.conditions.find(
    ({ scope, subject, code }) => scope === id && subject === 'output port' && code === 'serial-number-wrong',
  )?.detail;
  const ofPrinter = sight && aboutSerial(sight.description, serialNumber);
  const complaints = [ofPort, ofPrinter].filter((one) => one !== undefined);
  if (complaints.length > 0) throw new Problem('serial-number-wrong', complaints.join('; '));
  const port = said?.terminals.find((one) => one.id === id)?.outputPortId ?? undefined;
  return [
    serialNumber,
    sight?.description.serialNumber === undefined
      ? 'the printer does not report its serial number'
      : 'the printer reports the same number',
    port === undefined
      ? 'the running agent has not found the output port yet'
      : `the agent uses output port ${port}`,
  ].join('; ');
}

async function lookAt(
  place: Place,
  { limit, say }: { readonly limit: Duration; readonly say: Say },
): Promise<PrinterSight | undefined> {
  await using opened = await openPrinter(place);
  if (!opened) return undefined;
  const { isUnattended = false } = place;
  const { printer, handling } = opened;
  const { uri, kind } = printer;
  const description = await printer.describe({
    signal: place.io.clock.deadline(limit, place.io.stop),
    isAskedFor: !isUnattended,
    alsoAboutJobs: !isUnattended,
    onWait: (wait) => say(wait === 'waking-up' ? 'which is waking up' : undefined),
  });
  // Even if the address is that of a printer, a CUPS there confirms in the place of the printer.
  const confirms =
    printer.kind === 'jobs' ? { confirms: description.queue ? ('spooler' as const) : printer.confirms } : {};
  const { identity, habits } = opened.known() ?? {};
  return { uri, kind, ...confirms, description, handling, known: identity, habits, isUnattended };
}

async function conditionOf(sight: PrinterSight): ReturnType<Examination> {
  const { stateReasons, ready, unfit, remarks = [] } = sight.description;
  const about = lookInWords(sight);
  if (ready) {
    const remark = foremostReason(remarks);
    return remark
      ? `${about}. ${remark.person} ${remark.advice} The printer still prints: ${remarks.join(', ')}`
      : about;
  }
  if (unfit) {
    const { code, message, advice, reasons } = unfit;
    return { state: 'failed', code, detail: `${message}. ${advice} ${about}`, facts: { code, reasons } };
  }
  const reason = foremostReason(stateReasons);
  const said = stateReasons.join(', ') || 'accepts no jobs';
  const detail = reason
    ? `${reason.person} ${reason.advice} ${about}; ${said}`
    : `${about}; needs attention: ${said}`;
  return { state: 'failed', code: 'printer-not-ready', detail, facts: { reasons: stateReasons } };
}

function lookInWords({ uri, kind, description, isUnattended }: PrinterSight): string {
  const { makeAndModel, state, acceptingJobs, formats, mediaReady, certificate } = description;
  return [
    ...(kind === 'bytes'
      ? [
          uri.startsWith('windows:')
            ? `${uri} is known`
            : isUnattended
              ? `${uri} was not tried: some printers treat an empty connection as a job`
              : `${uri} accepts connections (this connection was empty; some printers list it as a job)`,
          `Platen sends ${formats.join(', ')}`,
        ]
      : [
          `${uri} (${makeAndModel}) ${acceptingJobs ? `is ${state}` : 'accepts no jobs'}`,
          `accepts ${formats.join(', ')}`,
          mediaReady.length > 0 ? `has ${mediaReady.join(', ')}` : 'does not report its paper',
        ]),
    ...(certificate ? [certificateInWords(certificate, systemClock.now())] : []),
  ].join('; ');
}

/** CUPS tells only half of this over IPP. The check reads the file of CUPS if it may, and says what it cannot see. */
async function queueOf({ uri, description: { queue } }: PrinterSight): Promise<string> {
  if (!queue) return 'the printer itself answers, not a queue of CUPS';
  const complaint = complaintAbout(queue);
  if (complaint) throw new Error(complaint);
  const keeping = await keepingOf(uri);
  if ('complaint' in keeping) throw new Error(keeping.complaint);
  return [
    `${queue.name} prints to ${queue.device || 'an unknown printer'}`,
    `error policy ${queue.errorPolicy}`,
    'the spooler confirms prints, not the printer',
    keeping.note,
  ].join('; ');
}

/**
 * The configuration of the CUPS on this computer (cupsd.conf(5)): does a printed document stay on the disk
 * (INVARIANTS.md D15)? IPP has no attribute for that, and not every user may read the file.
 */
const file = '/etc/cups/cupsd.conf';

/** If CUPS keeps documents: a complaint with an advice. Otherwise the present state, or the user who must look. */
export async function keepingOf(uri: string, path = file): Promise<{ complaint: string } | { note: string }> {
  const isHere = spoolerQueue(uri)?.server === undefined;
  const text = isHere ? await readFile(path, 'utf8').catch(() => undefined) : undefined;
  if (text === undefined) {
    return { note: 'PreserveJobFiles cannot be read from here. It must be No in cupsd.conf' };
  }
  const said = [...text.matchAll(/^[ \t]*PreserveJobFiles[ \t]+(\S+)/gim)].at(-1)?.[1];
  if (said !== undefined && /^(no|off|false|0)$/i.test(said)) return { note: 'PreserveJobFiles is No' };
  const now = said === undefined ? 'is not set, so CUPS keeps documents for a day' : `is ${said}`;
  return { complaint: `PreserveJobFiles ${now}. Write PreserveJobFiles No into ${path} and restart CUPS` };
}

/**
 * A raw printer may break the connection after the whole document. That proves no print, but people report the prints
 * that they find in the tray. If they have found such prints several times, the check proposes the setting that treats
 * the break as the end.
 */
interface ResetEnds {
  readonly stateDir: string;
  /** The address of the printer. */
  readonly uri: string;
  readonly resetIsEnd: boolean;
}

/** Fewer may be chance. */
const often = 3;

/** A clause; `undefined`: nothing to propose. */
export function resetProposal({ stateDir, uri, resetIsEnd }: ResetEnds): string | undefined {
  const found = resetIsEnd ? 0 : foundInTray(stateDir, uri);
  return found < often
    ? undefined
    : `breaks the connection at the end, and people found ${found} such prints in the tray: if no page is missing, set printer.resetIsEnd: true`;
}

function foundInTray(stateDir: string, uri: string): number {
  try {
    using register = openReleaseRegister({ stateDir });
    return register.foundInTray(uri, 'ended-by-reset');
  } catch {
    // The ledger has a line of its own.
    return 0;
  }
}
