/** The file an administrator names as `cloud.caFile`. What is there already is never replaced. */
import { readFileSync } from 'node:fs';
import { CommandFailed } from '../failure.ts';
import { unreadable } from '../unreadable.ts';
import type { NewFile } from '../new-file.ts';

/** Throws `CommandFailed`, and then the file is as it was. */
export function saveTrustFile(file: NewFile, pem: string): 'written' | 'there already' {
  if (file.isNew) {
    file.write(pem);
    return 'written';
  }
  if (contentOf(file.path) === pem) return 'there already';
  throw new CommandFailed(`${file.path}: exists already with other content. Give another file`);
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw unreadable(file, cause);
  }
}
