/**
 * The way of a badge from its reader to the terminal. Its number is converted once into the form that the service
 * stores. Then it goes to a login here, or to the service itself. The result goes back to the light and beeper of the
 * reader that read it. This file also reports numbers that fit no rule or look different from before.
 */
import type { ReaderConfig } from '../config/schema/reader.ts';
import type { Env } from '../domain/env.ts';
import { CardNumber } from '../domain/card/card-number.ts';
import type { CardFormat } from '../domain/card/format.ts';
import { explainFormat, formatCard } from '../domain/card/format.ts';
import type { ShapeWatch } from '../domain/card/shape.ts';
import { createShapeWatch } from '../domain/card/shape.ts';
import type { CardRead, ReaderSignal } from '../domain/ports/readers.ts';
import type { CardRelay } from '../domain/ports/service.ts';
import { asProblem } from '../domain/problem/problem.ts';
import type { RelayOutcome } from '../domain/relay-outcome.ts';
import type { RelayingTerminal } from './relay.ts';
import { BadgeRelay } from './relay.ts';

export interface BadgesDeps extends Pick<Env, 'clock' | 'log' | 'conditions'> {
  readonly readers: readonly ReaderConfig[];
  readonly terminal: RelayingTerminal & { readonly id: string };
  format(): CardFormat;
  relay(): CardRelay;
  signalAt(reader: string, signal: ReaderSignal): void;
  readonly counted: {
    cardUnreadable(at: { readonly terminal: string; readonly reader: string }): void;
    cardRelayed(at: {
      readonly terminal: string;
      readonly reader: string;
      readonly outcome: RelayOutcome;
    }): void;
  };
}

export class Badges implements Disposable {
  readonly #deps: BadgesDeps;
  readonly #relay: BadgeRelay;
  readonly #shapes = new Map<string, ShapeWatch>();
  /**
   * Found by the identity of the badge, not by its number. The reader is known as long as the terminal knows the badge,
   * and no longer (D3).
   */
  readonly #heldAt = new WeakMap<CardNumber, string>();

  constructor(deps: BadgesDeps) {
    this.#deps = deps;
    const { readers, terminal, counted, clock, log } = deps;
    this.#relay = new BadgeRelay({
      readers,
      terminal,
      clock,
      log,
      relay: () => deps.relay(),
      signal: (signal, card) => this.signal(signal, card),
      onOutcome: (reader, outcome) => counted.cardRelayed({ terminal: terminal.id, reader, outcome }),
    });
  }

  read(read: CardRead): void {
    this.#lookAtShape(read);
    const card = this.#converted(read);
    if (!card) return;
    this.#heldAt.set(card, read.reader);
    if (!this.#relay.takes(read.reader, card)) this.#deps.terminal.tell({ type: 'card', card });
  }

  /** The number is converted by the same rule as when the card came. A number that fits no rule opened no session. */
  removed({ card }: CardRead): void {
    const { output } = explainFormat(card.reveal(), this.#deps.format());
    if (typeof output === 'string') {
      this.#deps.terminal.tell({ type: 'card-removed', card: new CardNumber(output) });
    }
  }

  /** To the reader that read this card. A typed card has no reader. */
  signal(signal: ReaderSignal, card: CardNumber): void {
    const reader = this.#heldAt.get(card);
    if (reader !== undefined) this.#deps.signalAt(reader, signal);
  }

  [Symbol.dispose](): void {
    this.#relay[Symbol.dispose]();
  }

  #converted({ reader, card }: CardRead): CardNumber | undefined {
    const { terminal, counted, log, format, signalAt } = this.#deps;
    try {
      return formatCard(card, format());
    } catch (error) {
      const problem = asProblem(error, 'card-not-convertible', 'the number could not be converted');
      log.warn('card not converted', { reader, code: problem.code, detail: problem.message });
      counted.cardUnreadable({ terminal: terminal.id, reader });
      signalAt(reader, 'refused');
      terminal.tell({ type: 'card-unreadable', problem });
      return undefined;
    }
  }

  #lookAtShape({ reader, card }: CardRead): void {
    const { conditions, terminal } = this.#deps;
    const watch = this.#shapes.get(reader) ?? createShapeWatch();
    this.#shapes.set(reader, watch);
    const seen = watch.saw(card);
    const subject = `numbers of ${reader}`;
    if (seen === 'usual') conditions.clear(terminal.id, subject);
    else if (seen) {
      const detail = `${reader} gives ${seen.now} now, and gave ${seen.before.join(' or ')}`;
      const scope = terminal.id;
      conditions.raise({ code: 'card-shape-changed', severity: 'warning', scope, subject, detail });
    }
  }
}
