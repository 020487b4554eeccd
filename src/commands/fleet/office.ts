/** How the commands reach the configuration of a fleet, and which signers they trust. */
import type { KeyObject } from 'node:crypto';
import type { FleetAccess } from '../../config/fleet-part.ts';
import { fleetAccess } from '../../config/fleet-part.ts';
import type { Order } from '../../config/pushed/order.ts';
import { orderIn } from '../../config/pushed/order.ts';
import type { Signed, SignerKey } from '../../config/pushed/signature.ts';
import { fingerprintOf, pemOf } from '../../config/pushed/signature.ts';
import { systemClock } from '../../core/clock.ts';
import type { Office } from '../../fleet/configuration/office.ts';
import { CommandFailed } from '../failure.ts';
import type { Io } from '../io.ts';

/** Rejects with `config-invalid` for the file, or with a `Problem` of the fleet. */
export async function atOffice<T>(
  file: string,
  io: Io,
  work: (office: Office, access: FleetAccess) => Promise<T>,
): Promise<T> {
  const access = fleetAccess(file, io.env);
  const { withOffice } = await import('../../fleet/configuration/office.ts');
  const { key, previousKey, engine } = access;
  return withOffice({ address: engine.url, key, previousKey, clock: systemClock }, io.stop, (office) =>
    work(office, access),
  );
}

/** The signers of the file, and the present signer. */
export const believed = ({ signers }: FleetAccess, key?: KeyObject): readonly SignerKey[] => [
  ...signers,
  ...(key ? [{ file: '--key', fingerprint: fingerprintOf(key), pem: pemOf(key) }] : []),
];

/** Throws `CommandFailed` if no trusted signer has signed it, because the next order would be built on it. */
export function believedOrder(signed: Signed, signers: readonly SignerKey[], fleet: string): Order {
  try {
    const order = orderIn(signed, signers);
    if (order.fleet !== fleet) throw new Error(`it was signed for the fleet ${order.fleet}`);
    return order;
  } catch (cause) {
    throw new CommandFailed(
      `Platen cannot trust an order in the engine: ${(cause as Error).message}. ` +
        'Add all signers to fleet.signers in the file of -c, or find out who wrote into the engine',
      { cause },
    );
  }
}
