/** The printers of `platen simulate printer`, each with the orders that it accepts on standard input. */
import type { Duration } from '../../core/duration.ts';
import { attribute } from '../../ipp/message.ts';
import { textWithoutLanguage } from '../../ipp/values.ts';
import type { HabitTable, WishIn } from '../../simulator/habit-table.ts';
import { isWishIn } from '../../simulator/habit-table.ts';
import { printerHabits } from '../../simulator/printer/habits/habits.ts';
import type { VirtualPrinter } from '../../simulator/printer/printer.ts';
import { startVirtualPrinter } from '../../simulator/printer/printer.ts';
import { socketPrinterHabits } from '../../simulator/printer/raw/socket-habits.ts';
import type { VirtualSocketPrinter } from '../../simulator/printer/raw/socket-printer.ts';
import { startVirtualSocketPrinter } from '../../simulator/printer/raw/socket-printer.ts';
import type { PrinterUnderOrders } from './printer-console.ts';

interface Common {
  readonly port: number;
  readonly outputFolder: string;
  readonly habit: readonly string[];
}

export interface SimulatedPrinter extends AsyncDisposable, Pick<VirtualPrinter, 'uri' | 'onEvent'> {
  readonly orders: PrinterUnderOrders;
}

export async function startIppPrinter({
  habit,
  serialNumber,
  ...common
}: Common & { readonly serialNumber: string }): Promise<SimulatedPrinter> {
  const printer = await startVirtualPrinter({
    ...common,
    habits: wishesFor(printerHabits, habit),
    // The simulated cloud has the same number.
    attributes: [attribute('printer-serial-number', textWithoutLanguage(serialNumber))],
  });
  return {
    uri: printer.uri,
    onEvent: printer.onEvent,
    orders: ordersTo(printer),
    [Symbol.asyncDispose]: () => printer[Symbol.asyncDispose](),
  };
}

/** The speed and the jam are separate: an order for one does not cancel the other. */
export function ordersTo(printer: Pick<VirtualPrinter, 'behave' | 'clear'>): PrinterUnderOrders {
  let given: { readonly pageTime?: Duration; readonly afterPages?: number } = {};
  return {
    stop: (reason) => printer.behave({ kind: 'stopped', reason }),
    jamAfter(afterPages) {
      given = { ...given, afterPages };
      return printer.behave({ kind: 'jam', ...given, afterPages });
    },
    slowDown(pageTime) {
      given = { ...given, pageTime };
      const { afterPages } = given;
      if (afterPages === undefined) return printer.behave({ kind: 'slow', pageTime });
      return printer.behave({ kind: 'jam', afterPages, pageTime });
    },
    goAway: () => printer.behave({ kind: 'refuse-connections' }),
    clear() {
      given = {};
      return printer.clear();
    },
  };
}

/** Its status codes (PJL Technical Reference, appendix D). */
const pjlCodes: Readonly<Record<string, number>> = {
  'media-empty-error': 41_213,
  'media-jam-error': 42_102,
  'door-open-error': 40_021,
};

export async function startRawPrinter({
  habit,
  isTalking,
  ...common
}: Common & { readonly isTalking: boolean }): Promise<SimulatedPrinter> {
  const voice = { kind: isTalking ? 'talks' : 'mute' } as const;
  const habits = wishesFor(socketPrinterHabits, habit);
  const printer = await startVirtualSocketPrinter({ ...common, voice, habits });
  return {
    uri: printer.uri,
    onEvent: printer.onEvent,
    orders: ordersOf(printer, isTalking),
    [Symbol.asyncDispose]: () => printer[Symbol.asyncDispose](),
  };
}

/** A printer without answers can only stop reading. */
const ordersOf = (printer: VirtualSocketPrinter, isTalking: boolean): PrinterUnderOrders => ({
  async stop(reason) {
    const code = pjlCodes[reason];
    if (isTalking && code !== undefined) printer.speak({ kind: 'talks', code });
    else await printer.behave({ kind: 'stop-reading', afterBytes: 0 });
  },
  goAway: () => printer.behave({ kind: 'refuse-connections' }),
  async clear() {
    if (isTalking) printer.speak({ kind: 'talks' });
    await printer.clear();
  },
});

const wishesFor = <Table extends HabitTable>(
  table: Table,
  habit: readonly string[],
): readonly WishIn<Table>[] => habit.filter((wish) => isWishIn(table, wish));
