/**
 * What a printer shows of itself before anybody trusts it: for an administrator's eyes (INVARIANTS.md T13). It is shown
 * nothing of us, and what it says is believed by nobody.
 */
import type { LookupFunction } from 'node:net';
import type { Clock } from '../../core/clock.ts';
import type { CallOptions } from '../../domain/ports/call.ts';
import type { KnownPrinter, PrinterIdentity } from '../../domain/ports/printer-memory.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import { attribute } from '../../ipp/message.ts';
import { keyword } from '../../ipp/values.ts';
import { placeOf, seenCertificate } from './wire/acquaintance.ts';
import type { SeenCertificate } from './wire/certificate-judge.ts';
import { createHttpLogin } from './wire/http-login.ts';
import { ippAddress } from './wire/ipp-address.ts';
import { ippClient } from './wire/ipp-client.ts';
import { ippConnection } from './wire/ipp-connection.ts';
import { identityFingerprint, printerIdentity, requestedOfIdentity } from './wire/printer-identity.ts';
import { agreed } from './wire/refusal.ts';
import type { Trust } from './system-trust.ts';

export interface PrinterOffer {
  /** `host:port`, under which it is remembered. */
  readonly place: string;
  /** What approves it: of its certificate or, where it has none, of its identity. Absent: it shows neither. */
  readonly fingerprint?: string | undefined;
  readonly certificate?: SeenCertificate;
  /** Absent: it tells nobody without a login. */
  readonly identity?: PrinterIdentity;
  /** What is remembered once it is approved. */
  readonly approved: KnownPrinter;
}

/** Rejects `printer-unreachable` and `printer-protocol`; throws `config-invalid`. */
export async function lookAtOffer(
  printer: {
    readonly uri: string;
    readonly trust: Trust;
    readonly caFile: string | undefined;
    readonly lookup?: LookupFunction | undefined;
    readonly clock: Clock;
  },
  call: CallOptions,
): Promise<PrinterOffer> {
  const { uri, trust, caFile, lookup, clock } = printer;
  const address = ippAddress(uri);
  let certificate: SeenCertificate | undefined;
  await using connection = ippConnection({
    ...{ address, lookup, clock },
    secureContext: () => trust(caFile),
    login: createHttpLogin({ address, access: undefined }),
    acquaintance: {
      meet(socket) {
        certificate = seenCertificate(socket);
      },
      vouchFor() {},
      habits: () => ({}),
      learn() {},
    },
  });
  const client = ippClient({ connection, printerUri: uri, clock });
  let identity: PrinterIdentity | undefined;
  try {
    const names = [...requestedOfIdentity, 'printer-make-and-model'].map(keyword);
    const attributes = [attribute('requested-attributes', ...names)];
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
