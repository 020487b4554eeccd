/**
 * Other places of an IPP printer, if something else answers at its address. The check asks the usual paths of the same
 * host one after the other, without a login and with a question that changes nothing. It uses no path by itself; it
 * shows the line to write into the configuration.
 */
import { seconds } from '../../../core/duration.ts';
import { asQueue } from '../../../domain/printer/spooler-queue.ts';
import { isProblem, Problem } from '../../../domain/problem/problem.ts';
import { listedQueues } from '../../../printing/ipp/printer-offer.ts';
import { systemTrust } from '../../../printing/ipp/system-trust.ts';
import type { Place } from '../../opened-printer.ts';
import { openPrinter } from '../../opened-printer.ts';

/** For each address. The device has answered before, so it is awake. */
const patience = seconds(4);

const usual = ['/ipp/print', '/ipp/printer', '/ipp/port1', '/ipp', '/'];

/** Only for an address in the configuration. An address from the service must be corrected in the service. */
export async function withOtherPaths(fault: unknown, place: Place): Promise<unknown> {
  const { uri } = place.terminal.printer;
  if (!isElsewhere(fault) || !/^ipps?:/.test(uri)) return fault;
  const asked = [...(await queuesAt(uri, fault, place)), ...candidates(uri, fault)];
  const found = await answering([...new Set(asked)], place);
  const { code, message, reasons, delivery } = fault;
  const advice =
    found.length > 0
      ? `A printer answers at ${listed(found)}: write uri: ${found[0]}`
      : `No printer answers at ${listed(asked)} either. Switch on IPP at the device, or correct printer.uri.`;
  return new Problem(code, message, { cause: fault, reasons, delivery, advice });
}

const isElsewhere = (fault: unknown): fault is Problem =>
  isProblem(fault, 'printer-tls-wanted', 'printer-moved', 'printer-path-unknown', 'printer-no-ipp');

/** If a device wants TLS, the check asks by TLS: at the port that was asked before, and at the port of HTTPS. */
function candidates(uri: string, { code }: Problem): readonly string[] {
  const { protocol, host, hostname, pathname } = new URL(uri);
  const name = pathname.split('/').findLast((part) => part !== '');
  const named = name === undefined || pathname.startsWith('/ipp') ? [] : [`/printers/${name}`];
  const paths = [...new Set([...usual.slice(0, 2), ...named, ...usual.slice(2)])];
  if (code !== 'printer-tls-wanted') {
    return paths.filter((path) => path !== pathname).map((path) => `${protocol}//${host}${path}`);
  }
  const places = [host, `${hostname}:443`];
  return [pathname, ...paths.filter((path) => path !== pathname)].flatMap((path) =>
    places.map((at) => `ipps://${at}${path}`),
  );
}

/** CUPS gives the names of its queues to everybody. The queue in the configuration is not one of them. */
async function queuesAt(uri: string, { code }: Problem, { terminal, io }: Place): Promise<readonly string[]> {
  if (code !== 'printer-path-unknown') return [];
  const { protocol, host } = new URL(uri);
  const server = `${protocol}//${host}/`;
  const { caFile } = terminal.printer.tls;
  const stranger = { uri: server, trust: systemTrust(), caFile, clock: io.clock };
  try {
    const names = await listedQueues(stranger, { signal: io.clock.deadline(patience, io.stop) });
    return names.flatMap((name) => asQueue(`${server}printers/${name}`) ?? []);
  } catch {
    return [];
  }
}

async function answering(uris: readonly string[], place: Place): Promise<readonly string[]> {
  const found: string[] = [];
  for (const uri of uris) if (await answers(uri, place)) found.push(uri);
  return found;
}

async function answers(uri: string, place: Place): Promise<boolean> {
  const { terminal, io } = place;
  const printer = { ...terminal.printer, uri, credentials: undefined };
  await using opened = await openPrinter({ ...place, terminal: { ...terminal, printer } });
  if (!opened) return false;
  try {
    await opened.printer.describe({ signal: io.clock.deadline(patience, io.stop) });
    return true;
  } catch (fault) {
    // A printer is there. It wants a password, or it has a certificate that is not trusted yet.
    return isProblem(fault, 'printer-denied', 'printer-certificate-refused');
  }
}

const listed = (uris: readonly string[]): string => new Intl.ListFormat('en').format(uris);
