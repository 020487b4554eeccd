/** The port Languages as a sealed file. */
import { z } from 'zod';
import type { Chance } from '../../core/chance.ts';
import { languageCodes } from '../../domain/language.ts';
import type { Languages } from '../../domain/ports/languages.ts';
import { openKeptByCard } from './kept-by-card.ts';
import type { SealedFiles } from './sealed-files.ts';

export function openLanguages(parts: { files: SealedFiles; chance: Chance }): Languages {
  const kept = openKeptByCard({ ...parts, fileName: 'languages', value: z.enum(languageCodes) });
  return { of: kept.of, remember: kept.keep };
}
