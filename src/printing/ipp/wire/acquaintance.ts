/**
 * What Platen knows of the printer at one address, applied: certificates are judged and pinned, identities compared and
 * kept. Without a memory only authorities count, and nobody is recognised.
 */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '../../../core/clock.ts';
import type { Log } from '../../../core/log.ts';
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

export function createAcquaintance(parts: {
  readonly address: IppAddress;
  readonly memory: PrinterMemory | undefined;
  readonly trust: CertificateTrust;
  readonly clock: Clock;
  readonly log: Log;
}): Acquaintance {
  const { address, memory, clock, log } = parts;
  const { host, uri } = address;
  const at = placeOf(address);
  const trust = memory ? parts.trust : 'ca';
  let certificate: PrinterCertificate | undefined;
  const met = new WeakMap<Socket, PrinterCertificate>();
  /** Of the printer that was last recognised. */
  let habits: PrinterHabits | undefined;

  function keep(change: Omit<KnownPrinter, 'uri'>): void {
    const known = memory?.recall(at);
    const next = { ...known, ...change, uri };
    if (JSON.stringify(next) !== JSON.stringify(known)) memory?.keep(at, next);
  }

  /** What cannot be read is met, and told, where the printer is recognised. */
  function recalled(): PrinterHabits {
    try {
      return habitsOf(memory?.recall(at));
    } catch {
      return {};
    }
  }

  return {
    meet(socket) {
      const seen = seenCertificate(socket);
      const known = memory?.recall(at)?.certificate;
      const { fingerprint, validTo } = seen;
      const trustedBy = judgeCertificate(seen, known, { trust, host, now: clock.now() });
      if (trustedBy === 'pin' && !known)
        log.warn('printer certificate pinned', { printer: uri, fingerprint });
      const approved = known?.fingerprint === fingerprint ? known.approved : undefined;
      keep({ certificate: { fingerprint, trustedBy, approved } });
      certificate = { fingerprint, validTo, trustedBy };
      met.set(socket, certificate);
    },
    vouchFor(socket) {
      const shown = met.get(socket);
      if (shown?.trustedBy !== 'pin') return;
      // Perhaps approved since the connection was made.
      const known = memory?.recall(at)?.certificate;
      if (known?.approved && known.fingerprint === shown.fingerprint) return;
      throw new Problem(
        'printer-denied',
        `${host} asks for a login, and nobody has approved its certificate: compare and approve what \`platen trust --printer\` shows`,
        { delivery: 'not-sent' },
      );
    },
    certificate: () => certificate,
    recognise(identity) {
      const remembered = memory?.recall(at);
      const known = remembered?.identity;
      if (known) checkIdentity(known, identity);
      const { makeAndModel } = identity;
      if (
        known?.makeAndModel !== undefined &&
        makeAndModel !== undefined &&
        known.makeAndModel !== makeAndModel
      ) {
        log.warn('printer model changed', { printer: uri, was: known.makeAndModel, is: makeAndModel });
      }
      if (memory) {
        // Who was approved meanwhile has none yet; other firmware may have others.
        const kept = isMadeAlike(known, identity) ? remembered?.habits : undefined;
        keep({ identity: merged(known, identity), habits: kept });
        habits = { ...habitsOf(memory.recall(at)), ...(isTold(identity) ? {} : ownCounting(habits)) };
      }
    },
    habits: () => (habits ??= recalled()),
    learn(change) {
      habits = { ...(habits ?? recalled()), ...change };
      keep({ habits });
    },
  };
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
