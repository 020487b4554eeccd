/**
 * Notices when a reader gives numbers of another shape than it used to: it was replaced or set up anew, and nobody's
 * card is known any longer. Different kinds of card at one reader are usual; numbers that come in their old shape
 * in between show that. Keeps shapes and no number, only the last one's mark.
 */
import type { CardNumber } from './card-number.ts';

/** `8 hexadecimal digits` */
export type CardShape = string;

export interface ShapeChange {
  readonly before: readonly CardShape[];
  readonly now: CardShape;
}

export interface ShapeWatch {
  /** The change that this number bears out; `usual` where it shows that nothing changed; else nothing is known yet. */
  saw(card: CardNumber): ShapeChange | 'usual' | undefined;
}

/** So many numbers make a habit. */
const habit = 10;
/** So many different cards in a row against it are no chance. */
const enoughStrangers = 3;

export function shapeOf(card: CardNumber): CardShape {
  const number = card.reveal();
  const alphabet = /^[0-9]+$/.test(number)
    ? 'decimal digits'
    : /^[0-9A-F]+$/i.test(number)
      ? 'hexadecimal digits'
      : 'characters';
  return `${number.length} ${alphabet}`;
}

export function createShapeWatch(): ShapeWatch {
  const usual = new Set<CardShape>();
  let seen = 0;
  let strangers: CardShape[] = [];
  let last: string | undefined;

  // A hexadecimal number may happen to have no letter in it.
  const isUsual = (shape: CardShape) =>
    usual.has(shape) || usual.has(shape.replace('decimal', 'hexadecimal'));

  return {
    saw(card) {
      const shape = shapeOf(card);
      const mark = card.mark();
      const isSameCard = mark === last;
      last = mark;
      if (seen < habit || isUsual(shape)) {
        seen += 1;
        for (const one of [shape, ...strangers]) usual.add(one);
        strangers = [];
        return 'usual';
      }
      if (!isSameCard) strangers.push(shape);
      if (strangers.length < enoughStrangers) return undefined;
      strangers = strangers.slice(-enoughStrangers);
      return { before: [...usual], now: shape };
    },
  };
}
