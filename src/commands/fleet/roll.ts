/**
 * `platen fleet roll VERSION`: a signed order to use a version, in steps (F16). The gateways do the rest themselves.
 */
import type { KeyObject } from 'node:crypto';
import { canonical, manifestIn } from '../../config/pushed/manifest.ts';
import type { Order } from '../../config/pushed/order.ts';
import { parsedOrder } from '../../config/pushed/order.ts';
import { sampleSize } from '../../config/pushed/steps.ts';
import type { SignerKey } from '../../config/pushed/signature.ts';
import { signed } from '../../config/pushed/signature.ts';
import { isoInstant, systemClock } from '../../core/clock.ts';
import { counted } from '../../core/text/counted.ts';
import type { Office } from '../../fleet/configuration/office.ts';
import type { Rollout } from '../../fleet/configuration/rollout-table.ts';
import { CommandFailed } from '../failure.ts';
import type { Io } from '../io.ts';
import { exitCode } from '../io.ts';
import { atOffice, believed, believedOrder } from './office.ts';
import { watchRollout } from './watch.ts';

export interface OrderOptions {
  readonly config: string;
  readonly key: KeyObject;
  readonly steps: readonly number[];
  /** Seconds. */
  readonly soak: number;
  readonly watch?: boolean;
  readonly json?: boolean;
}

export interface RollOptions extends OrderOptions {
  readonly version: number;
}

export async function rollCommand(options: RollOptions, io: Io): Promise<number> {
  const { version, key } = options;
  return giveOrder(
    options,
    io,
    async (office, newest, signers) => {
      if (newest?.state === 'running') {
        throw new CommandFailed(
          `Roll-out ${newest.number} of version ${versionOf(newest)} has not finished. Wait, or run platen fleet pause or platen fleet undo`,
        );
      }
      const before = newest ? believedOrder(newest.order, signers, office.fleet) : undefined;
      await refuseOlder(office, version, io.stop);
      await refuseUnbelieved(office, version, { signers, signal: io.stop });
      return { kind: 'roll', version, before: versionBefore(before, newest, version) };
    },
    key,
  );
}

/** The version to go back to: the newest version whose roll-out has finished. */
function versionBefore(before: Order | undefined, newest: Rollout | undefined, version: number): number {
  if (!before || !newest) return 0;
  return newest.state === 'finished' && before.version !== version ? before.version : before.before;
}

/** The gateways would refuse an older version. */
async function refuseOlder({ orders }: Office, version: number, signal: AbortSignal): Promise<void> {
  const given = (await orders.all(signal)).map(({ body }) => parsedOrder(body).version);
  const highest = Math.max(0, ...given);
  if (version >= highest) return;
  throw new CommandFailed(
    `Version ${version} is older than version ${highest}, which was rolled out. To go back, run platen fleet undo, ` +
      'or push its directory again as a new version',
  );
}

async function refuseUnbelieved(
  { versions, fleet }: Office,
  version: number,
  { signers, signal }: { readonly signers: readonly SignerKey[]; readonly signal: AbortSignal },
): Promise<void> {
  const kept = await versions.version(version, signal);
  if (!kept) {
    const newest = await versions.newest(signal);
    const there = newest === 0 ? 'No version was pushed yet' : `The newest is ${newest}`;
    throw new CommandFailed(`There is no version ${version} in the engine. ${there}`);
  }
  try {
    const manifest = manifestIn(kept, signers);
    if (manifest.version !== version || manifest.fleet !== fleet) {
      throw new Error(`it was signed as version ${manifest.version} of the fleet ${manifest.fleet}`);
    }
  } catch (cause) {
    throw new CommandFailed(
      `Platen cannot trust version ${version} in the engine: ${(cause as Error).message}`,
      {
        cause,
      },
    );
  }
}

type Wanted = Pick<Order, 'kind' | 'version' | 'before'>;

/** `decide`: makes the order from the newest roll-out, or returns a `CommandFailed`. */
export async function giveOrder(
  { config, steps, soak, watch, json }: OrderOptions,
  io: Io,
  decide: (office: Office, newest: Rollout | undefined, signers: readonly SignerKey[]) => Promise<Wanted>,
  key: KeyObject,
): Promise<number> {
  const order = await atOffice(config, io, async (office, access) => {
    const newest = await office.orders.newest(io.stop);
    const wanted = await decide(office, newest, believed(access, key));
    const members = (await office.members(io.stop)).filter(({ isBeating }) => isBeating);
    if (members.length === 0) {
      throw new CommandFailed('No gateway of the fleet is running, so none can take it');
    }
    const given: Order = {
      format: 1,
      fleet: office.fleet,
      number: (newest?.number ?? 0) + 1,
      ...wanted,
      steps: [...steps],
      soakSeconds: soak,
      madeAt: isoInstant(systemClock.now()),
    };
    if (!(await office.orders.give(given.number, signed('order', canonical(given), key), io.stop))) {
      throw new CommandFailed(
        'Another administrator gave an order meanwhile. To see it: platen fleet status',
      );
    }
    if (!json) io.out(orderText(given, members.length));
    return given;
  });
  if (watch) return watchRollout({ config, number: order.number, json }, io);
  if (json) io.out(JSON.stringify({ rollout: order.number, kind: order.kind, version: order.version }));
  return exitCode.ok;
}

function orderText({ number, kind, version, steps, soakSeconds }: Order, total: number): string {
  const what = version === 0 ? "only each gateway's own file" : `version ${version}`;
  const each = steps.map((percent) => `${percent} % (${sampleSize(total, percent)})`).join(', ');
  const rest = steps.length > 1 || soakSeconds > 0 ? `, each well for ${soakSeconds} s` : '';
  return [
    `Roll-out ${number}: ${kind === 'undo' ? 'back to ' : ''}${what}, to ${counted(total, 'gateway')}: ${each}${rest}.`,
    'It continues without this command, and halts if a gateway has a problem. To see it: platen fleet status. To stop it: platen fleet pause',
  ].join('\n');
}

export const versionOf = ({ order }: Rollout): number => parsedOrder(order.body).version;
