/** One person's document on its way to a printer, as the tests of printing tell it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { Secret } from '../../src/core/secret.ts';
import type { Document } from '../../src/domain/document.ts';
import type { SpooledDocument } from '../../src/domain/ports.ts';
import type { Ticket } from '../../src/domain/release.ts';
import { openSpool } from '../../src/printing/spool.ts';

/** Never aborted. */
export const patience = (): { signal: AbortSignal } => ({ signal: new AbortController().signal });

export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'platen-printing-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** `%PDF-1.7` and bytes of which no two blocks are alike. */
export function pdfOf(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at + 4 <= length; at += 4) bytes.writeUInt32LE((at * 2_654_435_761) >>> 0, at);
  bytes.write('%PDF-1.7\n');
  return bytes;
}

/** In an encrypted spool file of its own, until the test ends. */
export async function spooled(bytes: Buffer): Promise<SpooledDocument> {
  const spool = await openSpool({
    directory: temporaryDirectory(),
    chance: systemChance,
  });
  const download = { length: bytes.length, bytes: Readable.from([bytes], { objectMode: false }) };
  const document = await spool.store(download, patience());
  onTestFinished(() => document[Symbol.dispose]());
  return document;
}

/** `document` changes what is wanted of the print, `ticket` the rest. */
export function ticketFor(document: Partial<Document> = {}, ticket: Partial<Ticket> = {}): Ticket {
  return {
    releaseId: '7f3a9c21000000000000000000000000',
    terminal: 'lobby',
    sessionId: 'session-1',
    document: {
      uuid: 'doc-1',
      name: 'Report.pdf',
      totalPages: 1,
      colorPages: 0,
      copies: 1,
      grayscale: false,
      sides: undefined,
      paperSize: undefined,
      collate: undefined,
      storageOnline: true,
      ...document,
    },
    user: { id: 41, providerId: 7, userName: 'anna.lind', fullName: 'Anna Lind' },
    token: { value: new Secret('user-token'), expiresAt: 1e9 },
    monochrome: false,
    sendUsername: false,
    ...ticket,
  };
}
