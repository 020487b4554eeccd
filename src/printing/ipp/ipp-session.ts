/** Everything between Platen and one IPP printer: its identity, our login, the connection and the client. */
import type { LookupFunction } from 'node:net';
import type { Chance } from '../../core/chance.ts';
import type { Log } from '../../core/log.ts';
import type { Env } from '../../domain/env.ts';
import type { PrinterMemory } from '../../domain/ports/printer-memory.ts';
import type { Acquaintance, CertificateTrust } from './wire/acquaintance.ts';
import { createAcquaintance } from './wire/acquaintance.ts';
import type { PrinterCredentials } from './wire/http-credentials.ts';
import { createHttpLogin } from './wire/http-login.ts';
import type { DecodeError } from '../../ipp/octet-reader.ts';
import type { IppAddress } from './wire/ipp-address.ts';
import type { IppClient } from './wire/ipp-client.ts';
import { ippClient } from './wire/ipp-client.ts';
import { ippConnection } from './wire/ipp-connection.ts';
import type { Trust } from './system-trust.ts';

/** How a printer is distinguished from an impostor, and which credentials it gets. */
export interface PrinterAccess {
  readonly memory: PrinterMemory;
  /** `printer.tls` of the configuration: which certificates of `ipps` printers are trusted; `caFile` as PEM. */
  readonly tls: { readonly trust: CertificateTrust; readonly caFile?: string | undefined };
  readonly credentials?: PrinterCredentials | undefined;
  readonly chance: Chance;
}

export interface IppSessionDeps extends Pick<Env, 'clock' | 'log'> {
  readonly address: IppAddress;
  readonly trust: Trust;
  /** If absent, only certificate authorities are trusted, no printer is recognised, and there is no login. */
  readonly access?: PrinterAccess | undefined;
  /** Name look-up; the system's unless set (INVARIANTS.md D9). */
  readonly lookup?: LookupFunction | undefined;
  /** A domain socket that is preferred to the address's host and port whenever it exists. */
  readonly socketPath?: string | undefined;
}

export interface IppSession extends AsyncDisposable {
  readonly client: IppClient;
  readonly acquaintance: Omit<Acquaintance, 'meet'>;
}

export function ippSession(deps: IppSessionDeps): IppSession {
  const { address, trust, access, lookup, socketPath, clock, log } = deps;
  const { memory, tls } = access ?? {};
  const acquaintance = createAcquaintance({ address, memory, trust: tls?.trust ?? 'ca', clock, log });
  const login = createHttpLogin({ address, access });
  const secureContext = () => trust(tls?.caFile);
  const onSkipped = skippedOnce(log, address.uri);
  const connection = ippConnection({
    address,
    secureContext,
    acquaintance,
    login,
    lookup,
    socketPath,
    clock,
    onSkipped,
  });
  return {
    client: ippClient({ connection, printerUri: address.uri, clock, acquaintance }),
    acquaintance,
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}

/** A printer repeats the same broken parts at every look; the log has them once. */
function skippedOnce(log: Log, printer: string): (faults: readonly DecodeError[]) => void {
  const logged = new Set<string>();
  return (faults) => {
    const parts = faults.slice(0, mostLogged).map(({ message }) => message);
    const said = parts.join();
    if (logged.has(said) || logged.size >= mostLogged) return;
    logged.add(said);
    log.warn('printer answer has broken parts', { printer, skipped: faults.length, parts });
  };
}

const mostLogged = 16;
