/** The machine before `platen init` changes it: the file, the place of its key, and the user who will read both. */
import type { ConfigDraft } from '../../config/config-edit.ts';
import type { Io } from '../io.ts';
import type { Present } from './config.ts';
import type { Reader } from './file.ts';
import type { KeyPlace } from './service/key.ts';
import type { RunProgram } from './programs.ts';
import type { Vault } from './service/sealed.ts';

export interface Machine extends Reader {
  readonly file: string;
  /** The old text of the file; absent: there is no file. */
  readonly before: string | undefined;
  /** The text that init starts from: the file, or a new one. */
  readonly start: string;
  /** Init writes the answers into this. */
  readonly draft: ConfigDraft;
  /** The answers that are in the file already. */
  readonly present: Present;
  readonly vault: Vault | undefined;
  readonly place: KeyPlace | undefined;
  readonly run: RunProgram;
  readonly io: Io;
}
