/** What the tests of printing print: documents in an encrypted spool. */
import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { systemChance } from '../../../src/core/chance.ts';
import { withoutLimit } from '../patience.ts';
import { temporaryDirectory as directoryOfItsOwn } from '../temporary-directory.ts';
import type { SpooledDocument } from '../../../src/domain/ports/printing.ts';
import { openSpool } from '../../../src/printing/spool/spool.ts';

/** Until the test ends. */
export function temporaryDirectory(): string {
  const directory = directoryOfItsOwn();
  onTestFinished(() => directory[Symbol.dispose]());
  return directory.path;
}

const beginning = '%PDF-1.7\n';
const page = '/Type /Page\n';
const end = '\n%%EOF\n';

/** `%PDF-1.7`, the word for a page, bytes of which no two blocks are alike, and the end of a PDF. */
export function pdfOf(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at + 4 <= length; at += 4) bytes.writeUInt32LE((at * 2_654_435_761) >>> 0, at);
  bytes.write(beginning + page);
  bytes.write(end, length - end.length);
  return bytes;
}

/** In an encrypted spool file of its own, until the test ends. */
export async function spooled(bytes: Buffer): Promise<SpooledDocument> {
  const spool = await openSpool({
    directory: temporaryDirectory(),
    chance: systemChance,
    inMemory: 0,
  });
  const download = { length: bytes.length, bytes: Readable.from([bytes], { objectMode: false }) };
  const document = await spool.store(download, withoutLimit());
  onTestFinished(() => document[Symbol.dispose]());
  return document;
}
