/**
 * Decides which orders and versions a gateway accepts from the engine (F15). They must be signed by a permitted key,
 * for this fleet, and must not be older than the gateway's last. Each refusal is an `Error` with a sentence.
 */
import type { Accepted, Kept } from '../../config/pushed/kept.ts';
import type { GatewayPlace } from '../../config/pushed/manifest.ts';
import { layersFor, manifestIn, partsFor } from '../../config/pushed/manifest.ts';
import type { Order } from '../../config/pushed/order.ts';
import { orderIn } from '../../config/pushed/order.ts';
import { refuseMistakes } from '../../config/pushed/over-local.ts';
import type { Signed, SignerKey } from '../../config/pushed/signature.ts';
import type { VersionTable } from './version-table.ts';

type Highest = Kept['highest'];

/** The highest version and order of a fleet that this gateway has seen. */
export const highestIn = (highest: Highest, fleet: string): Highest[string] =>
  highest[fleet] ?? { version: 0, order: 0 };

export function believedOrder(
  signed: Signed,
  signers: readonly SignerKey[],
  { fleet, highest }: { readonly fleet: string; readonly highest: Highest },
): Order {
  const order = orderIn(signed, signers);
  refuseForeign(order, fleet);
  const { order: followed, to } = highestIn(highest, fleet);
  if (order.number < followed) {
    throw new Error(
      `order ${order.number} was given before order ${followed}, which this gateway has followed`,
    );
  }
  if (order.number === followed && to !== undefined && order.version !== to) {
    throw new Error(
      `there are two orders ${followed}: this one leads to version ${order.version}, and the one that this gateway has followed to version ${to}`,
    );
  }
  return order;
}

interface Fetching {
  readonly versions: VersionTable;
  readonly user: { readonly place: GatewayPlace; readonly signers: readonly SignerKey[] };
  readonly before: Highest[string];
}

/** The gateway's parts of the ordered version. Rejects with a `Problem` if the engine does not answer. */
export async function fetchVersion(
  { version, fleet, kind }: Order,
  { versions, user, before }: Fetching,
  signal: AbortSignal,
): Promise<Accepted> {
  const signed = await versions.version(version, signal);
  if (!signed) throw new Error(`version ${version} is not in the engine`);
  const manifest = manifestIn(signed, user.signers);
  if (manifest.version !== version) {
    throw new Error(`the engine gives version ${manifest.version} instead of version ${version}`);
  }
  refuseForeign(manifest, fleet);
  if (version < before.version && kind !== 'undo') {
    throw new Error(`version ${version} is older than version ${before.version}, which this gateway has had`);
  }
  const hashes = partsFor(manifest, user.place).map(({ hash }) => hash);
  const parts = await versions.parts(hashes, signal);
  refuseMistakes(layersFor(manifest, user.place, parts));
  return { manifest: signed, parts };
}

function refuseForeign(what: { readonly fleet: string }, fleet: string): void {
  if (what.fleet !== fleet)
    throw new Error(`it was signed for the fleet ${what.fleet}, and this is ${fleet}`);
}

/** The version that a refused order names itself. */
export function claimedVersion({ body }: Signed): number | undefined {
  try {
    const { version } = JSON.parse(body) as { version?: unknown };
    return typeof version === 'number' ? version : undefined;
  } catch {
    return undefined;
  }
}
