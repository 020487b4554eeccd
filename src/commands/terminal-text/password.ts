/**
 * The password of the user for a login: from a file, or from standard input if that is no terminal. Never from the
 * command line or the environment, because other users of the machine may read those (proc(5)).
 */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { addAbortSignal } from 'node:stream';
import { Secret } from '../../core/secret.ts';
import { CommandFailed } from '../failure.ts';
import { unreadable } from '../unreadable.ts';

export type StandardInput = Readable & { readonly isTTY?: boolean };

/** Bytes: more than any password, but a limit for endless input. */
const longest = 4096;

/** The first line. Rejects `CommandFailed`. */
export async function readPassword(options: {
  readonly file: string | undefined;
  readonly standardInput: StandardInput;
  readonly signal: AbortSignal;
  /** The name of the secret if it is no password. */
  readonly what?: string;
}): Promise<Secret> {
  const { standardInput, signal, what = 'password' } = options;
  const file = isStandardInput(options.file) ? undefined : options.file;
  if (file === undefined && standardInput.isTTY === true) {
    throw new CommandFailed('Give the password with --password-file FILE, or on standard input');
  }
  const source = file ?? 'standard input';
  const bytes = await firstOf(
    addAbortSignal(signal, file === undefined ? standardInput : createReadStream(file)),
    source,
  );
  const [line = ''] = bytes.toString('utf8').split(/\r?\n/, 1);
  if (line === '') throw new CommandFailed(`${source}: its first line contains no ${what}`);
  if (bytes.length > longest) throw new CommandFailed(`${source}: its first line is too long for a ${what}`);
  return new Secret(line);
}

async function firstOf(input: Readable, source: string): Promise<Buffer> {
  let read = Buffer.alloc(0);
  try {
    for await (const part of input) {
      read = Buffer.concat([read, Buffer.from(part as Buffer)]);
      if (read.includes('\n') || read.length > longest) break;
    }
  } catch (cause) {
    throw unreadable(source, cause, `give it on standard input: <${source}`);
  }
  return read;
}

/** By its name, standard input would be opened again as the service's user, who may not be allowed to. */
const isStandardInput = (file: string | undefined): boolean =>
  file === '-' || file === '/dev/stdin' || file === '/proc/self/fd/0' || file === '/dev/fd/0';
