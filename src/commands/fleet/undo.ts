/** `platen fleet undo`: a signed order to go back to the version before the newest roll-out (F16). */
import type { Order } from '../../config/pushed/order.ts';
import { parsedOrder } from '../../config/pushed/order.ts';
import type { Io } from '../io.ts';
import { CommandFailed } from '../failure.ts';
import { believedOrder } from './office.ts';
import type { OrderOptions } from './roll.ts';
import { giveOrder } from './roll.ts';

export const undoCommand = (options: OrderOptions, io: Io): Promise<number> =>
  giveOrder(
    options,
    io,
    async (office, newest, signers) => {
      if (!newest) throw new CommandFailed('There was no roll-out yet');
      const last = believedOrder(newest.order, signers, office.fleet);
      if (last.kind === 'roll') return back(last, last.before);
      if (newest.state !== 'finished') {
        throw new CommandFailed(
          `Roll-out ${newest.number} already goes back to version ${last.version}, and is ${newest.state}. After it has finished, undo can go back further`,
        );
      }
      const rolled = (await office.orders.all(io.stop)).findLast(({ body }) => isRollOf(last, body));
      const { before } = rolled ? believedOrder(rolled, signers, office.fleet) : { before: 0 };
      return back(last, before);
    },
    options.key,
  );

/** Whether this order brought the version. */
function isRollOf({ version }: Order, body: string): boolean {
  const order = parsedOrder(body);
  return order.kind === 'roll' && order.version === version;
}

function back({ version }: Order, before: number): Pick<Order, 'kind' | 'version' | 'before'> {
  if (version === 0) {
    throw new CommandFailed('There is nothing to undo: each gateway uses only its own file');
  }
  return { kind: 'undo', version: before, before };
}
