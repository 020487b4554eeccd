/** Platen's own version, as `package.json` states it. */
import manifest from '../../package.json' with { type: 'json' };

export const version: string = manifest.version;
