/**
 * Applies what Platen knows of the printer at one address: it judges and pins certificates, and compares and keeps
 * identities. Without a memory only certificate authorities count, and no printer is recognised.
 */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Env } from '../../../domain/env.ts';
import type {
  KnownPrinter,
  PrinterCertificate,
  PrinterHabits,
  PrinterIdentity,
  PrinterMemory,
} from '../../../domain/ports/printer-memory.ts';
import { Problem } from '../../../domain/problem/problem.ts';
import type { IppAddress } from './ipp-address.ts';
import { checkIdentity, isMadeAlike, merged } from './printer-identity.ts';

export interface Acquaintance {
  /** Called before a byte of ours goes out. Throws if the connection is refused. */
  meet(socket: TLSSocket): void;
  /**
   * Called before a password goes over this connection. Throws `printer-denied` if the certificate is only pinned at
   * first use and not approved (T12).
   */
  vouchFor(socket: Socket): void;
  /** The certificate of the last connection. */
  certificate(): PrinterCertificate | undefined;
  /** Throws `printer-swapped`. If the printer or its firmware changed, its habits are forgotten. */
  recognise(identity: PrinterIdentity): void;
  /** The learned habits of the remembered printer. */
  habits(): PrinterHabits;
  /** Kept from now on, in addition to earlier habits. */
  learn(habits: PrinterHabits): void;
}

interface AcquaintanceDeps extends Pick<Env, 'clock' | 'log'> {
  readonly address: IppAddress;
  readonly memory: PrinterMemory | undefined;
  readonly trust: CertificateTrust;
}

export const createAcquaintance = (deps: AcquaintanceDeps): Acquaintance => new PrinterAcquaintance(deps);

class PrinterAcquaintance implements Acquaintance {
  readonly #deps: AcquaintanceDeps;
  /** The key in the memory. */
  readonly #place: string;
  readonly #met = new WeakMap<Socket, PrinterCertificate>();
  #certificate: PrinterCertificate | undefined;
  /** The habits of the printer that was last recognised. */
  #habits: PrinterHabits | undefined;

  constructor(deps: AcquaintanceDeps) {
    this.#deps = deps;
    this.#place = placeOf(deps.address);
  }

  meet(socket: TLSSocket): void {
    const { address, memory, clock, log } = this.#deps;
    const { host, uri } = address;
    const trust = memory ? this.#deps.trust : 'ca';
    const seen = seenCertificate(socket);
    const known = this.#recall()?.certificate;
    const { fingerprint, validTo } = seen;
    const trustedBy = judgeCertificate(seen, known, { trust, host, now: clock.now() });
    if (trustedBy === 'pin' && !known) log.warn('printer certificate pinned', { printer: uri, fingerprint });
    const approved = known?.fingerprint === fingerprint ? known.approved : undefined;
    this.#keep({ certificate: { fingerprint, trustedBy, approved } });
    this.#certificate = { fingerprint, validTo, trustedBy };
    this.#met.set(socket, this.#certificate);
  }

  vouchFor(socket: Socket): void {
    const shown = this.#met.get(socket);
    if (shown?.trustedBy !== 'pin') return;
    // It may have been approved since the connection was made.
    const known = this.#recall()?.certificate;
    if (known?.approved && known.fingerprint === shown.fingerprint) return;
    throw new Problem(
      'printer-denied',
      `${this.#deps.address.host} asks for a login, but nobody has approved its certificate. Compare the certificate in \`platen trust --printer\` and approve it`,
      { delivery: 'not-sent' },
    );
  }

  certificate(): PrinterCertificate | undefined {
    return this.#certificate;
  }

  recognise(identity: PrinterIdentity): void {
    const remembered = this.#recall();
    const known = remembered?.identity;
    if (known) checkIdentity(known, identity);
    this.#tellChange(known?.makeAndModel, identity.makeAndModel);
    if (!this.#deps.memory) return;
    // A printer that was approved in the meantime has no identity yet; other firmware may have other habits.
    const kept = isMadeAlike(known, identity) ? remembered?.habits : undefined;
    this.#keep({ identity: merged(known, identity), habits: kept });
    this.#habits = {
      ...habitsOf(this.#recall()),
      ...(isIdentified(identity) ? {} : ownCounting(this.#habits)),
    };
  }

  habits(): PrinterHabits {
    return (this.#habits ??= this.#recalledHabits());
  }

  learn(change: PrinterHabits): void {
    this.#habits = { ...this.habits(), ...change };
    this.#keep({ habits: this.#habits });
  }

  #recall(): KnownPrinter | undefined {
    return this.#deps.memory?.recall(this.#place);
  }

  #keep(change: Omit<KnownPrinter, 'uri'>): void {
    const known = this.#recall();
    const next = { ...known, ...change, uri: this.#deps.address.uri };
    if (JSON.stringify(next) !== JSON.stringify(known)) this.#deps.memory?.keep(this.#place, next);
  }

  /** If the memory cannot be read, that is reported where the printer is recognised. */
  #recalledHabits(): PrinterHabits {
    try {
      return habitsOf(this.#recall());
    } catch {
      return {};
    }
  }

  #tellChange(was: string | undefined, is: string | undefined): void {
    if (was === undefined || is === undefined || was === is) return;
    this.#deps.log.warn('printer model changed', { printer: this.#deps.address.uri, was, is });
  }
}

const isIdentified = ({ uuid, serialNumber }: PrinterIdentity): boolean =>
  uuid !== undefined || serialNumber !== undefined;

/**
 * If a printer does not tell its identity, another printer may be there at the next start, so its counting proves
 * nothing then.
 */
const habitsOf = (known: KnownPrinter | undefined): PrinterHabits =>
  known?.identity && isIdentified(known.identity)
    ? (known.habits ?? {})
    : { ...known?.habits, counts: undefined };

/** Counting that was seen since the start belongs to this printer. */
const ownCounting = (habits: PrinterHabits | undefined): Pick<PrinterHabits, 'counts'> =>
  habits?.counts === undefined ? {} : { counts: habits.counts };

/** `host:port`, the key of a printer in the memory. */
export const placeOf = ({ origin }: IppAddress): string => new URL(origin).host;

export function seenCertificate(socket: TLSSocket): SeenCertificate {
  // Asked once, because Node 24 gives a connection's certificate a single time.
  const shown = socket.getPeerX509Certificate();
  if (!shown)
    throw new Problem('printer-unreachable', 'the printer showed no certificate', { delivery: 'not-sent' });
  return {
    fingerprint: shown.fingerprint256,
    subject: inOneLine(shown.subject),
    issuer: inOneLine(shown.issuer),
    validFrom: shown.validFromDate.getTime(),
    validTo: shown.validToDate.getTime(),
    // The type says error, but the value is a code.
    fault: socket.authorized ? undefined : String(socket.authorizationError),
  };
}

const inOneLine = (name: string): string => name.split('\n').join(', ');

/** A certificate as a printer has just shown it. */
export interface SeenCertificate {
  readonly fingerprint: string;
  readonly subject: string;
  readonly issuer: string;
  /** Wall times, in milliseconds since 1970. */
  readonly validFrom: number;
  readonly validTo: number;
  /** Why no authority confirms it for this name, in OpenSSL's or Node's words; absent if one does. */
  readonly fault?: string | undefined;
}

/** `printer.tls.trust` of the configuration. */
export type CertificateTrust = 'auto' | 'ca';

/**
 * Whether the certificate of an `ipps` printer is accepted (INVARIANTS.md D9, T13). A trusted authority and the right
 * name are enough. Most printers have neither: then the certificate of the first use is kept, and only that
 * certificate is accepted later, whatever its names and dates. The SHA-256 of the whole certificate is compared;
 * OpenSSL, browsers and printers show the same value. Throws `printer-certificate-changed`, or
 * `printer-certificate-refused` for a certificate that nothing confirms.
 */
export function judgeCertificate(
  seen: SeenCertificate,
  known: Pick<PrinterCertificate, 'fingerprint' | 'trustedBy'> | undefined,
  { trust, host, now }: { readonly trust: CertificateTrust; readonly host: string; readonly now: number },
): PrinterCertificate['trustedBy'] {
  if (seen.fault === undefined) return 'ca';
  if (trust === 'ca') throw notAccepted(host, seen.fault, 'no trusted authority has signed it');
  if (known === undefined) {
    // Before the first use there is nothing to compare, so a certificate outside its dates needs a person's approval.
    if (now >= seen.validFrom && now <= seen.validTo) return 'pin';
    throw notAccepted(
      host,
      seen.fault,
      `it has expired or is not valid yet, and was not used here before; ${whatHelps}`,
    );
  }
  if (known.fingerprint !== seen.fingerprint) {
    throw new Problem(
      'printer-certificate-changed',
      `the certificate of ${host} was ${known.fingerprint} and is ${seen.fingerprint}`,
      { delivery: 'not-sent' },
    );
  }
  if (known.trustedBy === 'pin') return 'pin';
  throw notAccepted(host, seen.fault, `no trusted authority signs it any longer; ${whatHelps}`);
}

const whatHelps = 'compare the certificate in `platen trust --printer` and approve it';

const notAccepted = (host: string, fault: string, why: string): Problem =>
  new Problem(
    'printer-certificate-refused',
    `the certificate of ${host} is not accepted: ${why} (${fault})`,
    {
      delivery: 'not-sent',
      reasons: [fault],
    },
  );
