/**
 * The turns at the printers. Several terminals may share a printer, and people at different terminals are served in
 * turns. The next turn goes to the waiting terminal whose own last turn is longest ago. So fifty documents at one
 * terminal do not keep one document at another terminal waiting. `desk.ts` has the order within a terminal. The turns
 * are in memory only: after a restart, releases that were found open take their turn first.
 */
import type { CallOptions } from '../domain/ports/call.ts';
import { printerAddress } from '../domain/printer/printer-address.ts';

export interface TurnWish {
  readonly terminal: string;
  /** A release that a restart found open is settled before anything new is printed. */
  readonly rank: 'resumed' | 'new';
  /** The number of turns of other terminals that come before this one. 0: the turn has come. */
  onPlace(before: number): void;
}

export interface TurnOptions extends CallOptions {
  /** The current address of the printer. */
  readonly printerUri: string;
}

/** A place in the line, from the moment `come` is called. Disposing it gives up the place, or the turn itself. */
export interface Turn extends Disposable {
  /**
   * Lines up, and resolves when the turn has come. If the signal aborts before that, the place is given up and it
   * rejects. A caller that has the turn keeps it until it is given up, and does not line up again.
   */
  come(options: TurnOptions): Promise<void>;
}

export interface PrinterTurns {
  ask(wish: TurnWish): Turn;
}

interface Place {
  readonly wish: TurnWish;
  readonly hasCome: PromiseWithResolvers<void>;
}

/** The line at one printer. */
interface Line {
  holder: Place | undefined;
  /** In the order in which they came. */
  waiting: Place[];
  /** The terminals that had a turn. The terminal whose turn is longest ago comes first. */
  served: string[];
}

export function createPrinterTurns(): PrinterTurns {
  const lines = new Map<string, Line>();
  return { ask: (wish) => new PlaceInLine(lines, wish) };
}

class PlaceInLine implements Turn {
  readonly #lines: Map<string, Line>;
  readonly #place: Place;
  #address: string | undefined;

  constructor(lines: Map<string, Line>, wish: TurnWish) {
    this.#lines = lines;
    this.#place = { wish, hasCome: Promise.withResolvers() };
  }

  async come({ printerUri, signal }: TurnOptions): Promise<void> {
    const { hasCome } = this.#place;
    if (this.#address === undefined) this.#lineUp(printerAddress(printerUri));
    const giveUp = () => {
      this[Symbol.dispose]();
      hasCome.reject(signal.reason);
    };
    if (signal.aborted && this.#line()?.holder !== this.#place) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      await hasCome.promise;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  [Symbol.dispose](): void {
    const line = this.#line();
    const place = this.#place;
    if (line === undefined) return;
    if (line.holder === place) line.holder = undefined;
    else if (line.waiting.includes(place)) line.waiting = line.waiting.filter((one) => one !== place);
    else return;
    goOn(line);
    if (line.holder === undefined) this.#lines.delete(this.#address ?? '');
  }

  #line(): Line | undefined {
    return this.#lines.get(this.#address ?? '');
  }

  #lineUp(address: string): void {
    this.#address = address;
    const line = this.#lines.get(address) ?? { holder: undefined, waiting: [], served: [] };
    this.#lines.set(address, line);
    line.waiting.push(this.#place);
    goOn(line);
  }
}

function goOn(line: Line): void {
  const [next] = inOrder(line);
  if (line.holder === undefined && next) {
    const { terminal } = next.wish;
    line.holder = next;
    line.waiting = line.waiting.filter((one) => one !== next);
    line.served = [...line.served.filter((one) => one !== terminal), terminal];
    next.hasCome.resolve();
    next.wish.onPlace(0);
  }
  const holder = line.holder?.wish.terminal;
  for (const [index, { wish }] of inOrder(line).entries()) {
    // A document behind another one of its own terminal is not told to wait for other terminals.
    if (wish.terminal !== holder) wish.onPlace(index + 1);
  }
}

function inOrder({ waiting, served }: Line): readonly Place[] {
  const urgency = ({ rank }: TurnWish) => (rank === 'resumed' ? 0 : 1);
  return waiting.toSorted(
    ({ wish: a }, { wish: b }) =>
      urgency(a) - urgency(b) || served.indexOf(a.terminal) - served.indexOf(b.terminal),
  );
}
