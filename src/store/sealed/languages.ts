/**
 * The port Languages in a sealed file. A card stands there as its HMAC (RFC 2104, with SHA-256, cut to 128 bits) under a
 * key of this file alone, so that nobody who opens it can try out which cards were here; when it was chosen is not kept.
 */
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Chance } from '../../core/chance.ts';
import type { CardNumber } from '../../domain/card/card-number.ts';
import { languageCodes } from '../../domain/language.ts';
import type { LanguageCode } from '../../domain/language.ts';
import type { Languages } from '../../domain/ports/languages.ts';
import { isProblem } from '../../domain/problem/problem.ts';
import type { SealedFiles } from './sealed-files.ts';

const fileName = 'languages';
const keyBytes = 32;
const markBytes = 16;
/** The choice that was made longest ago goes first. */
const mostCards = 10_000;

const shape = z.object({
  key: z.base64url(),
  /** In the order of the choices. */
  cards: z.array(z.tuple([z.string(), z.enum(languageCodes)])),
});

/** What cannot be read counts as never chosen: people choose again. */
export function openLanguages({ files, chance }: { files: SealedFiles; chance: Chance }): Languages {
  const kept = keptIn(files);
  const key = Buffer.from(kept?.key ?? chance.bytes(keyBytes).toString('base64url'), 'base64url');
  let cards: ReadonlyMap<string, LanguageCode> = new Map(kept?.cards);

  const markOf = (card: CardNumber): string =>
    createHmac('sha256', key).update(card.reveal()).digest().subarray(0, markBytes).toString('base64url');

  return {
    of: (card) => cards.get(markOf(card)),
    remember(card, language) {
      const mark = markOf(card);
      if (cards.get(mark) === language) return;
      const others = [...cards].filter(([one]) => one !== mark);
      const next = [...others, [mark, language] as const].slice(-mostCards);
      files.write(fileName, { key: key.toString('base64url'), cards: next });
      cards = new Map(next);
    },
  };
}

function keptIn(files: SealedFiles): z.output<typeof shape> | undefined {
  try {
    const stored = files.read(fileName, shape);
    return stored.kind === 'value' ? stored.value : undefined;
  } catch (error) {
    // The next choice meets the same disk, and its record tells.
    if (isProblem(error)) return undefined;
    throw error;
  }
}
