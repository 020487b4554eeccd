/** Platen's own version, as `package.json` states it. */
import { parseInstant } from './clock.ts';
import manifest from '../../package.json' with { type: 'json' };

export const version: string = manifest.version;

/** Wall time, before this version was made: no clock that is right shows less. */
export const madeAfter = parseInstant('2026-11-01T00:00:00Z') ?? 0;
