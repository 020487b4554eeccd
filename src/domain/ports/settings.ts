/** The cloud's settings of the terminals, kept over restarts. */
import type { CloudSettings } from '../terminal/terminal-settings.ts';

export interface KeptSettings extends CloudSettings {
  /** Wall time since when the service says so. */
  readonly since: number;
}

export interface SettingsStore {
  /** `undefined` if nothing is kept, or nothing that can be read. */
  load(terminal: string): KeptSettings | undefined;
  /** Saves all or none. Throws `store-refused` (full, read-only) or `store-failed`. */
  save(settings: ReadonlyMap<string, KeptSettings>): void;
}
