import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CommandFailed } from '../../src/commands/failure.ts';
import { readPassword } from '../../src/commands/terminal-text/password.ts';
import { systemClock } from '../../src/core/clock.ts';
import { milliseconds } from '../../src/core/duration.ts';
import { withoutLimit } from '../support/patience.ts';

const { signal } = withoutLimit();
const input = (...parts: readonly string[]) => Readable.from(parts.map((part) => Buffer.from(part)));
const nothing = input();

async function fileWith(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-password-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'password');
  await writeFile(file, text);
  return file;
}

describe('the password', () => {
  it.each(['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'])(
    'from %s is from standard input, whoever may open it by that name',
    async (file) => {
      const password = await readPassword({ file, standardInput: input('secret\n'), signal });
      expect(password.reveal()).toBe('secret');
    },
  );

  it.each([
    ['secret', 'secret'],
    ['secret\n', 'secret'],
    ['secret\r\nanother\n', 'secret'],
    [' with blanks \n', ' with blanks '],
    ['pässwörd\n', 'pässwörd'],
  ])('is the first line of the file or of standard input: %j', async (text, password) => {
    const file = await fileWith(text);
    expect((await readPassword({ file, standardInput: nothing, signal })).reveal()).toBe(password);
    const bytes = Array.from(Buffer.from(text), (byte) => Buffer.from([byte]));
    const standardInput = Readable.from(bytes);
    expect((await readPassword({ file: undefined, standardInput, signal })).reveal()).toBe(password);
  });

  it.each(['', '\n', '\nsecret\n', 'x'.repeat(5000)])('is not there in %j', async (text) => {
    const refused = readPassword({ file: undefined, standardInput: input(text), signal });
    await expect(refused).rejects.toThrow(/^standard input: .* password$/);
  });

  it('cannot be had from a file that is not there', async () => {
    const refused = readPassword({ file: '/nowhere', standardInput: nothing, signal });
    await expect(refused).rejects.toThrow(new CommandFailed('/nowhere: cannot be read (ENOENT)'));
  });

  it('is not asked for on a terminal, where it would be seen', async () => {
    const standardInput = Object.assign(input('secret\n'), { isTTY: true });
    const refused = readPassword({ file: undefined, standardInput, signal });
    await expect(refused).rejects.toThrow('--password-file');
  });

  it('is not waited for longer than the command may run', async () => {
    const standardInput = new Readable({ read() {} });
    const stop = systemClock.deadline(milliseconds(10));
    await expect(readPassword({ file: undefined, standardInput, signal: stop })).rejects.toThrow(
      CommandFailed,
    );
  });
});
