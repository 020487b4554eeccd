/**
 * The way of a card number from a reader to the terminal: into the form the service stores it in, once; and what is
 * told of numbers that no rule fits, or that look otherwise than they did.
 */
import type { Log } from '../core/log.ts';
import type { CardFormat } from '../domain/card/format.ts';
import { explainFormat, formatCard } from '../domain/card/format.ts';
import type { ShapeWatch } from '../domain/card/shape.ts';
import { createShapeWatch } from '../domain/card/shape.ts';
import { CardNumber } from '../domain/card/card-number.ts';
import type { Conditions } from '../domain/condition.ts';
import type { CardRead } from '../domain/ports/readers.ts';
import { asProblem } from '../domain/problem/problem.ts';
import type { Terminal } from '../terminal/runner.ts';
import type { StationRelay } from './relay.ts';
import type { StationSignals } from './signals.ts';

/** The way of a card that was taken away: by the same rule as it came. A number that fits no rule opened no session. */
export function stationRemovals(world: {
  readonly terminal: Pick<Terminal, 'cardRemoved'>;
  format(): CardFormat;
}): (read: CardRead) => void {
  return ({ card }) => {
    const { output } = explainFormat(card.reveal(), world.format());
    if (typeof output === 'string') world.terminal.cardRemoved(new CardNumber(output));
  };
}

export function stationCards(world: {
  readonly terminal: Pick<Terminal, 'id' | 'cardRead' | 'cardUnreadable'>;
  format(): CardFormat;
  readonly conditions: Conditions;
  readonly log: Log;
  readonly signals: Pick<StationSignals, 'heldAt'>;
  readonly relay: Pick<StationRelay, 'takes'>;
  /** A number was not converted. */
  onUnreadable(reader: string): void;
}): (read: CardRead) => void {
  const { terminal, conditions, log } = world;
  const shapes = new Map<string, ShapeWatch>();

  return (read) => {
    lookAtShape(read);
    const card = converted(read);
    if (!card) return;
    world.signals.heldAt(read.reader, card);
    if (!world.relay.takes(read.reader, card)) terminal.cardRead(card);
  };

  function converted({ reader, card }: CardRead): CardNumber | undefined {
    try {
      return formatCard(card, world.format());
    } catch (error) {
      const problem = asProblem(error, 'card-not-convertible', 'the number could not be converted');
      log.warn('card not converted', { reader, code: problem.code, detail: problem.message });
      world.onUnreadable(reader);
      terminal.cardUnreadable(problem);
      return undefined;
    }
  }

  function lookAtShape({ reader, card }: CardRead): void {
    const watch = shapes.get(reader) ?? createShapeWatch();
    shapes.set(reader, watch);
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
