/**
 * The backend by which CUPS prints to an IPP printer, run once without its scheduler (backend(7), ipp(8)): what it
 * makes of one document, by its exit code and its last word.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface BackendRun {
  /** What the exit code tells the scheduler; `undefined`: it had not ended when its time was over. */
  readonly verdict: string | undefined;
  /** The last STATE or ERROR line, but for what it says of every job. */
  readonly lastWord: string;
  readonly milliseconds: number;
}

export const ippBackend = '/usr/lib/cups/backend/ipp';

/** cups/backend.h, with what the scheduler does on it. */
const verdicts: Readonly<Record<number, string>> = {
  0: 'OK',
  1: 'FAILED',
  2: 'AUTH_REQUIRED',
  3: 'HOLD',
  4: 'STOP',
  5: 'CANCEL',
  6: 'RETRY',
  7: 'RETRY_CURRENT',
};

const ofEveryJob = /^STATE: (?:[+-]cups-(?:waiting|remote)-|[+-]connecting-to-device)/;

/** `atLimit` is called while it still runs: what it is ended by makes it cancel its job. */
export async function runBackend(
  uri: string,
  { title, bytes }: { readonly title: string; readonly bytes: Buffer },
  { limit, atLimit }: { readonly limit: number; atLimit(): void },
): Promise<BackendRun> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-backend-'));
  const file = join(folder, 'document.pdf');
  await writeFile(file, bytes);
  const since = performance.now();
  const backend = spawn(ippBackend, ['1', 'bob', title, '1', '', file], {
    stdio: ['ignore', 'ignore', 'pipe', 'ignore', 'ignore'],
    env: {
      PATH: process.env['PATH'],
      DEVICE_URI: uri,
      CONTENT_TYPE: 'application/pdf',
      FINAL_CONTENT_TYPE: 'application/pdf',
      PRINTER: 'office',
      TMPDIR: folder,
      CUPS_CACHEDIR: folder,
      CUPS_STATEDIR: folder,
      CUPS_SERVERROOT: folder,
      CUPS_SERVER: join(folder, 'nobody.sock'),
    },
  });
  let said = '';
  backend.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  let verdict: string | undefined;
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    atLimit();
    backend.kill('SIGTERM');
  }, limit);
  // It waits for the end of a job that it cancelled.
  const end = setTimeout(() => backend.kill('SIGKILL'), limit + 3000);
  await once(backend, 'close');
  clearTimeout(timer);
  clearTimeout(end);
  if (!isOver) verdict = verdicts[backend.exitCode ?? -1] ?? `ended by ${backend.signalCode}`;
  await rm(folder, { recursive: true, force: true });
  const words = said.split('\n').filter((line) => /^(?:STATE|ERROR):/.test(line) && !ofEveryJob.test(line));
  return {
    verdict,
    lastWord: words.at(-1) ?? '',
    milliseconds: isOver ? limit : performance.now() - since,
  };
}
