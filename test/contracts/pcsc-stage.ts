/** A smart-card reader of ours with a pcscd of the tests' (`pcsc-daemon.ts`) behind it, and what it told. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openPcscReader } from '../../src/readers/pcsc/pcsc.ts';
import type { OpenReader, ReaderTime, RunningReader } from './reader.ts';
import { leapingTime, runReader } from './reader.ts';
import type { PcscDaemon } from '../support/reader/pcsc-daemon.ts';
import { createPcscDaemon } from '../support/reader/pcsc-daemon.ts';

export const acr = 'ACS ACR122U PICC Interface 00 00';

/** The numbers of the cards that were taken away, and why the reader was down each time. */
interface Told {
  readonly removed: readonly string[];
  readonly reasons: readonly string[];
}

export type OpenSmartCardReader = OpenReader & Told;

export function smartCardReaderAt(socket: string, reader?: string): OpenSmartCardReader {
  const removed: string[] = [];
  const reasons: string[] = [];
  const open: OpenReader = (options) =>
    openPcscReader({
      ...options,
      socket,
      reader,
      events: {
        ...options.events,
        onRemoved: ({ card }) => removed.push(card.reveal()),
        onDown(problem) {
          reasons.push(problem.message);
          options.events.onDown(problem);
        },
      },
    });
  return Object.assign(open, { removed, reasons });
}

/** Not started yet, with one empty reader. */
export function pcscd(): PcscDaemon {
  const folder = mkdtempSync(join(tmpdir(), 'platen-pcscd-'));
  const daemon = createPcscDaemon(join(folder, 'pcscd.comm'));
  daemon.readers.push({ name: acr, events: 0, bits: 2, answers: '' });
  onTestFinished(async () => {
    await daemon.kill();
    rmSync(folder, { recursive: true });
  });
  return daemon;
}

/** A reader that runs until the test ends, in the time of the test. */
export function runOn(
  daemon: PcscDaemon,
  { reader, time = leapingTime() }: { reader?: string; time?: ReaderTime } = {},
): RunningReader & Told & { readonly time: ReaderTime } {
  const open = smartCardReaderAt(daemon.path, reader);
  return {
    ...runReader(open, { clock: time.clock }),
    time,
    removed: open.removed,
    reasons: open.reasons,
  };
}

/** What a card answers that has this number. */
export const uid = (number: string): string => `${number}9000`;
