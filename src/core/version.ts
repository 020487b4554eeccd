/** Platen's own version, as in `package.json`. */
import { parseInstant } from './clock.ts';
import manifest from '../../package.json' with { type: 'json' };

export const version: string = manifest.version;

/** A wall time before this version was made: a correct clock never shows less. */
export const madeAfter = parseInstant('2026-11-01T00:00:00Z') ?? 0;
