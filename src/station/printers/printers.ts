/**
 * The printers of one terminal: one, or several at one screen. Each prints by itself, with its own desk, watch and
 * conditions. This file tells them apart, and joins their facts for the terminal.
 */
import type { TerminalConfig } from '../../config/schema/config.ts';
import { atPrinter, printersOf } from '../../config/printers.ts';
import { required } from '../../core/required.ts';
import type { Service } from '../../core/service.ts';
import type { PrinterNow, SupplyNow } from '../../operations/gateway-metrics.ts';
import type { ReleaseDesk } from '../../release/desk.ts';
import { deskOf } from '../../release/desk.ts';
import type { PrinterWatch } from '../../status/printer-watch.ts';
import type { PrintersAtHand } from '../../terminal/printers/at-hand.ts';
import type { StationPrintingDeps } from '../printing.ts';
import { StationPrinting } from '../printing.ts';
import type { StationSettings } from '../settings.ts';
import { printerAtHand } from './at-hand.ts';

interface StationPrintersDeps
  extends Omit<StationPrintingDeps, 'settings' | 'name' | 'apart' | 'onPrinter' | 'isIdle'> {
  readonly config: TerminalConfig;
  readonly settings: StationSettings;
  /** `ready` if any of them is ready. `undefined` if none is ready, and the state is not known of all. */
  onPrinter(state: PrinterState): void;
}

export type PrinterState = 'ready' | 'not-ready' | undefined;

interface Member {
  readonly name: string | undefined;
  readonly config: TerminalConfig['printer'];
  readonly printing: StationPrinting;
  state: PrinterState;
}

export class StationPrinters implements AsyncDisposable {
  /** Sends each ticket to the desk of its printer. */
  readonly desk: ReleaseDesk;
  readonly atHand: PrintersAtHand;
  readonly #members: readonly [Member, ...Member[]];
  #person: 'there' | 'gone' = 'gone';

  constructor(deps: StationPrintersDeps) {
    const { config, settings } = deps;
    const members = printersOf(config).map((printer, place): Member => {
      const { name } = printer;
      const member: Member = {
        name,
        config: printer,
        state: undefined,
        printing: new StationPrinting({
          ...deps,
          name,
          apart: place === 0 ? undefined : name,
          config: atPrinter(config, printer),
          settings: settings.at(printer),
          isIdle: () => this.#person === 'gone',
          onPrinter: (state) => this.#printerIs(member, state, deps.onPrinter),
        }),
      };
      return member;
    });
    this.#members = atLeastOne(members);
    this.desk = deskOf(
      atLeastOne(
        members.map(({ name, printing }) => ({
          name,
          desk: printing.desk,
          uri: () => printing.printer.present().uri,
        })),
      ),
    );
    this.atHand = atLeastOne(
      members.map(({ name, config: ofThis, printing: { watch, settings: ofPrinter, mayChangePages } }) =>
        printerAtHand({
          name,
          watch,
          mayChangePages,
          settings: ofPrinter,
          delivery: config.delivery,
          config: ofThis,
        }),
      ),
    );
  }

  /** The watch of the default printer. */
  get watch(): PrinterWatch {
    return this.#members[0].printing.watch;
  }

  get services(): readonly Service[] {
    return this.#members.map(({ printing }) => printing.watch);
  }

  /** Read anew at each call. */
  uris(): readonly string[] {
    return this.#members.map(({ printing }) => printing.printer.present().uri);
  }

  /** The settings may have changed. Also called once at the start. */
  settingsChanged(): void {
    for (const { printing } of this.#members) printing.settingsChanged();
  }

  /** Called after each change of the view. */
  personIs(where: 'there' | 'gone'): void {
    this.#person = where;
    for (const { printing } of this.#members) printing.printer.settle();
  }

  /** For `/status`: the default, and all of them if there are several. */
  status(): object {
    const all = this.#members.map(({ name, printing: { printer, watch } }) => ({
      ...(name !== undefined && { name }),
      uri: printer.uri,
      ...watch.status(),
    }));
    return { printer: all[0], ...(all.length > 1 && { printers: all }) };
  }

  /** Empty if there is only one. */
  measured(): readonly PrinterNow[] {
    if (this.#members.length === 1) return [];
    return this.#members.flatMap(({ name, state }) =>
      name === undefined ? [] : [{ name, isReady: state === 'ready' }],
    );
  }

  /** Of all that answer, by the printer's name if there are several. */
  supplies(): readonly SupplyNow[] {
    const isOne = this.#members.length === 1;
    return this.#members.flatMap(({ name = '', printing: { watch } }) =>
      (watch.description()?.supplies ?? []).map((supply) => ({ ...supply, printer: isOne ? '' : name })),
    );
  }

  /** The first end of their certificates, in wall milliseconds. */
  certificateEnds(): number | undefined {
    const ends = this.#members.flatMap(
      ({ printing: { watch } }) => watch.description()?.certificate?.validTo ?? [],
    );
    return ends.length === 0 ? undefined : Math.min(...ends);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#members.map(({ printing }) => printing[Symbol.asyncDispose]()));
  }

  #printerIs(member: Member, state: PrinterState, tell: (all: PrinterState) => void): void {
    member.state = state;
    const states = this.#members.map((one) => one.state);
    if (states.includes('ready')) tell('ready');
    else tell(states.includes(undefined) ? undefined : 'not-ready');
  }
}

/** There is no terminal without a printer. */
function atLeastOne<One>([first, ...others]: readonly One[]): [One, ...One[]] {
  return [required(first, 'printer'), ...others];
}
