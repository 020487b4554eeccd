/** The machine as `platen init` finds it: the file as it is, where its key is, and who will read both. */
import type { ConfigDraft } from '../../config/config-edit.ts';
import type { Io } from '../io.ts';
import type { Present } from './config.ts';
import type { Reader } from './file.ts';
import type { KeyPlace } from './service/key.ts';
import type { RunProgram } from './programs.ts';
import type { Vault } from './service/sealed.ts';

export interface Machine extends Reader {
  readonly file: string;
  /** The file as it was; absent: there is none. */
  readonly before: string | undefined;
  /** What init starts from: the file, or a new one. */
  readonly start: string;
  /** What the answers are written into. */
  readonly draft: ConfigDraft;
  /** What the file answers by itself. */
  readonly present: Present;
  readonly vault: Vault | undefined;
  readonly place: KeyPlace | undefined;
  readonly run: RunProgram;
  readonly io: Io;
}
