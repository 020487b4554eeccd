/**
 * What Platen knows of the printer at one address, applied: certificates are judged and pinned, identities compared and
 * kept. Without a memory only authorities count, and nobody is recognised.
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
import type { CertificateTrust, SeenCertificate } from './certificate-judge.ts';
import { judgeCertificate } from './certificate-judge.ts';
import type { IppAddress } from './ipp-address.ts';
import { checkIdentity, isMadeAlike, merged } from './printer-identity.ts';

export interface Acquaintance {
  /** Before a byte of ours goes out. Throws what refuses the connection. */
  meet(socket: TLSSocket): void;
  /**
   * Before a password goes over this connection. Throws `printer-denied` where nothing but its own first use stands for
   * the certificate at its other end (T12).
   */
  vouchFor(socket: Socket): void;
  /** The one of the last connection. */
  certificate(): PrinterCertificate | undefined;
  /** Throws `printer-swapped`. Habits of what was another printer, or had other firmware, are forgotten. */
  recognise(identity: PrinterIdentity): void;
  /** What was learned of the printer that is remembered here. */
  habits(): PrinterHabits;
  /** Kept from now on, besides what was learned before. */
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
  /** Under which it is remembered. */
  readonly #place: string;
  readonly #met = new WeakMap<Socket, PrinterCertificate>();
  #certificate: PrinterCertificate | undefined;
  /** Of the printer that was last recognised. */
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
    // Perhaps approved since the connection was made.
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
    // Who was approved meanwhile has none yet; other firmware may have others.
    const kept = isMadeAlike(known, identity) ? remembered?.habits : undefined;
    this.#keep({ identity: merged(known, identity), habits: kept });
    this.#habits = {
      ...habitsOf(this.#recall()),
      ...(isTold(identity) ? {} : ownCounting(this.#habits)),
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

  /** What cannot be read is met, and told, where the printer is recognised. */
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

const isTold = ({ uuid, serialNumber }: PrinterIdentity): boolean =>
  uuid !== undefined || serialNumber !== undefined;

/** Of a printer that tells nobody who it is, another one may stand there by the next start: what it counted proves nothing. */
const habitsOf = (known: KnownPrinter | undefined): PrinterHabits =>
  known?.identity && isTold(known.identity) ? (known.habits ?? {}) : { ...known?.habits, counts: undefined };

/** What was seen since the start is of this one. */
const ownCounting = (habits: PrinterHabits | undefined): Pick<PrinterHabits, 'counts'> =>
  habits?.counts === undefined ? {} : { counts: habits.counts };

/** `host:port`, under which a printer is remembered. */
export const placeOf = ({ origin }: IppAddress): string => new URL(origin).host;

export function seenCertificate(socket: TLSSocket): SeenCertificate {
  // Asked once: Node 24 gives a connection's certificate a single time.
  const shown = socket.getPeerX509Certificate();
  if (!shown)
    throw new Problem('printer-unreachable', 'the printer showed no certificate', { delivery: 'not-sent' });
  return {
    fingerprint: shown.fingerprint256,
    subject: inOneLine(shown.subject),
    issuer: inOneLine(shown.issuer),
    validFrom: shown.validFromDate.getTime(),
    validTo: shown.validToDate.getTime(),
    // Typed as an error, and in fact its code.
    fault: socket.authorized ? undefined : String(socket.authorizationError),
  };
}

const inOneLine = (name: string): string => name.split('\n').join(', ');
