/**
 * A printer on PAPPL, the framework that Printer Applications are made of: its queue, history and IPP are PAPPL's own,
 * the driver beneath it (`pappl-printer.c`) keeps each document in a file and is ruled by files in `ctl`.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { needsPeer } from '../support/needs.ts';
import { freePort } from '../support/ports.ts';
import { startProcess, whenListening } from '../support/process-group.ts';

export interface PapplPrinter extends AsyncDisposable {
  readonly uri: string;
  /** Every document that came out, oldest first. */
  documents(): Promise<readonly Buffer[]>;
  /** What a finisher would have been told of each job. */
  works(): Promise<readonly Readonly<Record<string, number | string>>[]>;
  /** Jobs stay `processing` until `letGo`. */
  hold(): Promise<void>;
  letGo(): Promise<void>;
  /** From now on every job is given up. */
  giveUpJobs(): Promise<void>;
  takePaper(): Promise<void>;
  pause(): Promise<void>;
  /** From now on every job has so many pages, and counts each as it comes out. */
  pace(pages: number, millisecondsAPage: number): Promise<void>;
  switchOff(): Promise<void>;
  /** Killed and started again: no job is known, ids begin at 1. */
  restart(): Promise<void>;
}

const source = fileURLToPath(new URL('pappl-printer.c', import.meta.url));

/** `describe` for a suite that needs it, with the compiler that makes its driver. */
export function needsPappl(name: string, suite: () => void): void {
  needsPeer('/usr/include/pappl/pappl.h', 'libpappl-dev')(name, () => {
    needsPeer('gcc', 'gcc libc6-dev')('with a driver of the tests', suite);
  });
}

export async function startPapplPrinter(): Promise<PapplPrinter> {
  await using opening = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'platen-pappl-'));
  opening.defer(() => rm(folder, { recursive: true, force: true }));
  const ctl = join(folder, 'ctl');
  const out = join(folder, 'out');
  for (const path of [ctl, out, join(folder, 'spool')]) await mkdir(path);
  const program = join(folder, 'pappl-printer');
  await promisify(execFile)('gcc', ['-O1', '-o', program, source, '-lpappl', '-lcups']);
  const port = await freePort();
  const start = async () => {
    const started = await startProcess(program, [String(port), folder], {});
    await whenListening('the printer on PAPPL', port, started);
    return started;
  };
  let printer = await start();
  opening.defer(() => printer[Symbol.asyncDispose]());
  const kill = async () => {
    printer.signal('SIGKILL');
    await printer.exited;
  };
  const running = opening.move();

  // In one piece, for the driver looks while it is written.
  const tell = async (name: string, words = '') => {
    await writeFile(join(folder, name), words);
    await rename(join(folder, name), join(ctl, name));
  };
  return {
    uri: `ipp://localhost:${port}/ipp/print`,
    async documents() {
      const names = (await readdir(out)).filter((name) => name.endsWith('.whole'));
      return Promise.all(names.sort().map((name) => readFile(join(out, name))));
    },
    async works() {
      const names = (await readdir(out)).filter((name) => name.endsWith('.work'));
      const notes = await Promise.all(names.sort().map((name) => readFile(join(out, name), 'utf8')));
      return notes.map((note) => JSON.parse(note) as Readonly<Record<string, number | string>>);
    },
    hold: () => tell('hold'),
    letGo: () => rm(join(ctl, 'hold')),
    giveUpJobs: () => tell('abort'),
    takePaper: () => tell('empty'),
    pause: () => tell('pause'),
    pace: (pages, milliseconds) => tell('pace', `${pages} ${milliseconds}`),
    switchOff: kill,
    async restart() {
      await kill();
      printer = await start();
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
