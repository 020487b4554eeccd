/**
 * The printers of one terminal: one, or several at one screen. Each prints by itself, with a desk, a watch and conditions of
 * its own; here they are told apart, and what the terminal says of them all is put together.
 */
import type { TerminalConfig } from '../../config/schema/config.ts';
import { atPrinter, printersOf } from '../../config/printers/printers-of.ts';
import { required } from '../../core/required.ts';
import type { Service } from '../../core/service.ts';
import type { PrinterNow } from '../../operations/gateway-metrics.ts';
import type { ReleaseDesk } from '../../release/desk.ts';
import { deskOf } from '../../release/desks.ts';
import type { PrinterWatch } from '../../status/printer-watch.ts';
import type { PrintersAtHand } from '../../terminal/printers/at-hand.ts';
import type { StationPrintingDeps } from '../printing.ts';
import { StationPrinting } from '../printing.ts';
import type { StationSettings } from '../settings.ts';
import { printerAtHand } from './at-hand.ts';

interface StationPrintersDeps
  extends Omit<StationPrintingDeps, 'settings' | 'name' | 'apart' | 'lastOutput' | 'onPrinter'> {
  readonly config: TerminalConfig;
  readonly settings: StationSettings;
  /** Whether any of them is ready; `undefined`: it is not known of all, and ready is none that is. */
  onPrinter(state: PrinterState): void;
}

type PrinterState = 'ready' | 'not-ready' | undefined;

interface Member {
  readonly name: string | undefined;
  readonly printing: StationPrinting;
  state: PrinterState;
}

export class StationPrinters implements AsyncDisposable {
  /** Of whichever printer a ticket names. */
  readonly desk: ReleaseDesk;
  readonly atHand: PrintersAtHand;
  readonly #members: readonly [Member, ...Member[]];

  constructor(deps: StationPrintersDeps) {
    const { config, settings } = deps;
    const lastOutput = { at: 0 };
    const members = printersOf(config).map((printer, place): Member => {
      const { name } = printer;
      const member: Member = {
        name,
        state: undefined,
        printing: new StationPrinting({
          ...deps,
          lastOutput,
          name,
          apart: place === 0 ? undefined : name,
          config: atPrinter(config, printer),
          settings: settings.at(printer),
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
      members.map(({ name, printing: { watch, settings: ofPrinter } }) =>
        printerAtHand({ name, watch, settings: ofPrinter, delivery: config.delivery }),
      ),
    );
  }

  /** Of the default. */
  get watch(): PrinterWatch {
    return this.#members[0].printing.watch;
  }

  get services(): readonly Service[] {
    return this.#members.map(({ printing }) => printing.watch);
  }

  /** Of this moment. */
  uris(): readonly string[] {
    return this.#members.map(({ printing }) => printing.printer.present().uri);
  }

  /** The settings are others, perhaps; also once at the start. */
  settingsChanged(): void {
    for (const { printing } of this.#members) printing.settingsChanged();
  }

  /** Something may have come to its end. */
  settle(): void {
    for (const { printing } of this.#members) printing.printer.settle();
  }

  /** For `/status`: the default, and all of them where there are several. */
  status(): object {
    const all = this.#members.map(({ name, printing: { printer, watch } }) => ({
      ...(name !== undefined && { name }),
      uri: printer.uri,
      ...watch.status(),
    }));
    return { printer: all[0], ...(all.length > 1 && { printers: all }) };
  }

  /** Where there are several. */
  measured(): readonly PrinterNow[] {
    if (this.#members.length === 1) return [];
    return this.#members.flatMap(({ name, state }) =>
      name === undefined ? [] : [{ name, isReady: state === 'ready' }],
    );
  }

  /** The first of them to end, wall milliseconds. */
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

/** A terminal without any is none. */
function atLeastOne<One>([first, ...others]: readonly One[]): [One, ...One[]] {
  return [required(first, 'printer'), ...others];
}
