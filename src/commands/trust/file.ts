/** The file an administrator names as `cloud.caFile`. What is there already is never replaced. */
import type { FileHandle } from 'node:fs/promises';
import { open, readFile, rm } from 'node:fs/promises';
import { CommandFailed } from '../failure.ts';

/** For the agent's user to read, whoever runs the command. */
const readableByAll = 0o644;

/** Rejects `CommandFailed`, and then the file is as it was. */
export async function saveTrustFile(file: string, pem: string): Promise<'written' | 'there already'> {
  const handle = await create(file);
  if (!handle) {
    if ((await contentOf(file)) === pem) return 'there already';
    throw new CommandFailed(`${file}: is there and holds something else; name another file`);
  }
  try {
    await handle.writeFile(pem);
    // The mode of `open` has passed the umask, which may hide the file from the agent.
    await handle.chmod(readableByAll);
    await handle.sync();
    return 'written';
  } catch (cause) {
    await rm(file, { force: true });
    throw failure(file, 'written', cause);
  } finally {
    await handle.close();
  }
}

/** `undefined` where there is something already, a symbolic link without a target included. */
async function create(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'wx', readableByAll);
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') return undefined;
    throw failure(file, 'written', cause);
  }
}

async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw failure(file, 'read', cause);
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown error';

const failure = (file: string, done: 'written' | 'read', cause: unknown): CommandFailed =>
  new CommandFailed(`${file}: cannot be ${done} (${codeOf(cause)})`, { cause });
