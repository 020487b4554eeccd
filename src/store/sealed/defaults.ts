/** The port KeptDefaults as a sealed file. */
import { z } from 'zod';
import type { Chance } from '../../core/chance.ts';
import type { KeptDefaults } from '../../domain/ports/defaults.ts';
import { openKeptByCard } from './kept-by-card.ts';
import type { SealedFiles } from './sealed-files.ts';

const value = z.object({ grey: z.boolean(), twoSided: z.boolean() });

export const openDefaults = (parts: { files: SealedFiles; chance: Chance }): KeptDefaults =>
  openKeptByCard({ ...parts, fileName: 'defaults', value });
