/**
 * What an unapproved printer shows of itself, for an administrator to check (INVARIANTS.md T13). It gets no credentials
 * from us, and its statements are not trusted.
 */
import type { LookupFunction } from 'node:net';
import type { Clock } from '../../core/clock.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { KnownPrinter, PrinterIdentity } from '../../domain/ports/printer-memory.ts';
import { spoolerQueue } from '../../domain/printer/spooler-queue.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import { attribute, groups, strings } from '../../ipp/message.ts';
import { integer, keyword } from '../../ipp/values.ts';
import type { Acquaintance, SeenCertificate } from './wire/acquaintance.ts';
import { placeOf, seenCertificate } from './wire/acquaintance.ts';
import { createHttpLogin } from './wire/http-login.ts';
import { ippAddress } from './wire/ipp-address.ts';
import { ippClient } from './wire/ipp-client.ts';
import { ippConnection } from './wire/ipp-connection.ts';
import { identityFingerprint, printerIdentity, requestedOfIdentity } from './wire/printer-identity.ts';
import { agreed } from './wire/refusal.ts';
import type { Trust } from './system-trust.ts';

export interface PrinterOffer {
  /** `host:port`, the key of the printer's memory. */
  readonly place: string;
  /**
   * The fingerprint to approve: of the certificate or, if there is none, of the identity. Absent: the printer shows
   * neither.
   */
  readonly fingerprint?: string | undefined;
  readonly certificate?: SeenCertificate;
  /** Absent: it tells its identity only after a login. */
  readonly identity?: PrinterIdentity;
  /** The values that are remembered after approval. */
  readonly approved: KnownPrinter;
}

export interface Stranger {
  readonly uri: string;
  readonly trust: Trust;
  readonly caFile: string | undefined;
  readonly lookup?: LookupFunction | undefined;
  readonly clock: Clock;
}

/** Rejects with `printer-unreachable` and `printer-protocol`; throws `config-invalid`. */
export async function lookAtOffer(printer: Stranger, call: CallOptions): Promise<PrinterOffer> {
  const { uri, clock } = printer;
  const address = ippAddress(uri);
  let certificate: SeenCertificate | undefined;
  await using connection = lineTo(printer, (socket) => {
    certificate = seenCertificate(socket);
  });
  const client = ippClient({ connection, printerUri: uri, clock });
  let identity: PrinterIdentity | undefined;
  try {
    const attributes = requested(...requestedOfIdentity, 'printer-make-and-model');
    identity = printerIdentity(
      agreed(await client.ask({ operation: 'Get-Printer-Attributes', attributes }, call)),
    );
  } catch (error) {
    if (!isProblem(error, 'printer-denied')) throw error;
  }
  const fingerprint = certificate?.fingerprint ?? (identity && identityFingerprint(identity));
  const pin = certificate && {
    fingerprint: certificate.fingerprint,
    trustedBy: certificate.fault === undefined ? ('ca' as const) : ('pin' as const),
    approved: true,
  };
  return {
    place: placeOf(address),
    fingerprint,
    ...(certificate ? { certificate } : {}),
    ...(identity ? { identity } : {}),
    approved: { uri, certificate: pin, identity },
  };
}

/** The queues of a CUPS at this address that it lists without a login; empty if it is not a CUPS. */
export async function listedQueues(printer: Stranger, call: CallOptions): Promise<readonly string[]> {
  const { uri, clock } = printer;
  await using connection = lineTo(printer, () => {});
  const client = ippClient({ connection, printerUri: uri, clock });
  const attributes = [attribute('limit', integer(mostQueues)), ...requested('printer-name')];
  const answer = agreed(await client.ask({ operation: 'CUPS-Get-Printers', attributes }, call));
  return groups(answer, 'printer-attributes')
    .flatMap((one) => strings(one.attributes, 'printer-name').slice(0, 1))
    .filter((name) => spoolerQueue(`cups:${name}`) !== undefined)
    .slice(0, mostQueues);
}

/** More than a person reads. */
const mostQueues = 5;

const requested = (...names: readonly string[]) => [attribute('requested-attributes', ...names.map(keyword))];

function lineTo({ uri, trust, caFile, lookup, clock }: Stranger, meet: Acquaintance['meet']) {
  const address = ippAddress(uri);
  return ippConnection({
    address,
    lookup,
    clock,
    secureContext: () => trust(caFile),
    login: createHttpLogin({ address, access: undefined }),
    acquaintance: { meet, vouchFor() {}, habits: () => ({}), learn() {} },
  });
}
