/** What the cloud said of the terminals, kept over restarts. */
import type { CloudSettings } from '../terminal/terminal-settings.ts';

export interface KeptSettings extends CloudSettings {
  /** Wall time since which the service says so. */
  readonly since: number;
}

export interface SettingsStore {
  /** `undefined` where nothing is kept, or nothing that can be read. */
  load(terminal: string): KeptSettings | undefined;
  /** All or none. Throws `store-refused` (full, read-only) or `store-failed`. */
  save(settings: ReadonlyMap<string, KeptSettings>): void;
}
