/**
 * Values kept for the holders of cards, their language and their defaults, each kind in a sealed file. A card stands
 * there as its HMAC (RFC 2104, with SHA-256, cut to 128 bits) under a key of this file alone. So a person who can open
 * the file cannot try out which cards were used here. The time is not kept.
 */
import { createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Chance } from '../../core/chance.ts';
import type { CardNumber } from '../../domain/card/card-number.ts';
import { paperWork } from '../../domain/printer/paper-work-form.ts';
import { languageCodes } from '../../domain/language.ts';
import type { KeptDefaults } from '../../domain/ports/defaults.ts';
import type { Languages } from '../../domain/ports/languages.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import type { SealedFiles } from './sealed-files.ts';

const keyBytes = 32;
const markBytes = 16;
/** The oldest entries go first. */
const mostCards = 10_000;

interface KeptByCard<T> {
  of(card: CardNumber): T | undefined;
  /** On disk when it returns. */
  keep(card: CardNumber, value: T): void;
  forget(card: CardNumber): void;
}

interface KeptDeps<T> {
  readonly files: SealedFiles;
  readonly chance: Chance;
  readonly fileName: string;
  readonly value: z.ZodType<T>;
}

/** If the file cannot be read, it counts as empty, and people choose again. */
function openKeptByCard<T>({ files, chance, fileName, value: one }: KeptDeps<T>): KeptByCard<T> {
  /** The cards in the order of their last change. */
  const shape = z.object({ key: z.base64url(), cards: z.array(z.tuple([z.string(), one])) });
  const kept = keptIn();
  const key = Buffer.from(kept?.key ?? chance.bytes(keyBytes).toString('base64url'), 'base64url');
  let cards: ReadonlyMap<string, T> = new Map(kept?.cards);

  function keptIn(): z.output<typeof shape> | undefined {
    try {
      const stored = files.read(fileName, shape);
      return stored.kind === 'value' ? stored.value : undefined;
    } catch (error) {
      // The next choice will meet the same disk, and its log record tells.
      if (isProblem(error)) return undefined;
      throw error;
    }
  }

  const markOf = (card: CardNumber): string =>
    createHmac('sha256', key).update(card.reveal()).digest().subarray(0, markBytes).toString('base64url');

  function write(next: readonly (readonly [string, T])[]): void {
    files.write(fileName, { key: key.toString('base64url'), cards: next });
    cards = new Map(next);
  }

  const others = (mark: string) => [...cards].filter(([each]) => each !== mark);

  return {
    of: (card) => cards.get(markOf(card)),
    keep(card, value) {
      const mark = markOf(card);
      if (isDeepStrictEqual(cards.get(mark), value)) return;
      write([...others(mark), [mark, value] as const].slice(-mostCards));
    },
    forget(card) {
      const mark = markOf(card);
      if (cards.has(mark)) write(others(mark));
    },
  };
}

const value = z.object({ grey: z.boolean(), twoSided: z.boolean(), work: paperWork.optional() });

/** The port KeptDefaults as a sealed file. */
export const openDefaults = (parts: { files: SealedFiles; chance: Chance }): KeptDefaults =>
  openKeptByCard({ ...parts, fileName: 'defaults', value });

/** The port Languages as a sealed file. */
export function openLanguages(parts: { files: SealedFiles; chance: Chance }): Languages {
  const kept = openKeptByCard({ ...parts, fileName: 'languages', value: z.enum(languageCodes) });
  return { of: kept.of, remember: kept.keep };
}
