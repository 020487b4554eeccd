/** Everything between Platen and one printer of IPP: who it is, what it is shown of us, the connection, the client. */
import type { LookupFunction } from 'node:net';
import type { Chance } from '../../core/chance.ts';
import type { Log } from '../../core/log.ts';
import type { Env } from '../../domain/env.ts';
import type { PrinterMemory } from '../../domain/ports/printer-memory.ts';
import type { Acquaintance } from './wire/acquaintance.ts';
import { createAcquaintance } from './wire/acquaintance.ts';
import type { CertificateTrust } from './wire/certificate-judge.ts';
import type { PrinterCredentials } from './wire/http-credentials.ts';
import { createHttpLogin } from './wire/http-login.ts';
import type { DecodeError } from '../../ipp/octet-reader.ts';
import type { IppAddress } from './wire/ipp-address.ts';
import type { IppClient } from './wire/ipp-client.ts';
import { ippClient } from './wire/ipp-client.ts';
import { ippConnection } from './wire/ipp-connection.ts';
import type { Trust } from './system-trust.ts';

/** How a printer is told from an impostor, and what it is shown of us. */
export interface PrinterAccess {
  readonly memory: PrinterMemory;
  /** `printer.tls` of the configuration: whom `ipps` printers are believed by; `caFile` as PEM. */
  readonly tls: { readonly trust: CertificateTrust; readonly caFile?: string | undefined };
  readonly credentials?: PrinterCredentials | undefined;
  readonly chance: Chance;
}

export interface IppSessionDeps extends Pick<Env, 'clock' | 'log'> {
  readonly address: IppAddress;
  readonly trust: Trust;
  /** Absent: only authorities are believed, nobody is recognised, and nobody logged in to. */
  readonly access?: PrinterAccess | undefined;
  /** Name lookup; the system's unless said (INVARIANTS.md D9). */
  readonly lookup?: LookupFunction | undefined;
  /** A domain socket that is preferred to the address's host and port, whenever it is there. */
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

/** A printer says the same at every look: the log has it once. */
function skippedOnce(log: Log, printer: string): (faults: readonly DecodeError[]) => void {
  const told = new Set<string>();
  return (faults) => {
    const parts = faults.slice(0, mostTold).map(({ message }) => message);
    const said = parts.join();
    if (told.has(said) || told.size >= mostTold) return;
    told.add(said);
    log.warn('printer answer has broken parts', { printer, skipped: faults.length, parts });
  };
}

const mostTold = 16;
