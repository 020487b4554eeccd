/**
 * Notices when a reader gives numbers of another shape than before: the reader was replaced or set up again, and no
 * card is known any longer. Several kinds of card at one reader are normal; numbers in the old shape in between show
 * that. This file keeps shapes and no numbers, except the mark of the last number.
 */
import type { CardNumber } from './card-number.ts';

/** `8 hexadecimal digits` */
export type CardShape = string;

export interface ShapeChange {
  readonly before: readonly CardShape[];
  readonly now: CardShape;
}

export interface ShapeWatch {
  /**
   * The change that this number confirms; `usual` if it shows that nothing changed; `undefined` if nothing is known
   * yet.
   */
  saw(card: CardNumber): ShapeChange | 'usual' | undefined;
}

/** After so many numbers a shape is a habit. */
const habit = 10;
/** So many different cards in a row with another shape are no accident. */
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
