/** What stands on the pages of a PDF, read by a program of others: pdftotext(1). */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The text of each page. */
export async function pageWords(pdf: Buffer): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-words-'));
  const file = join(folder, 'out.pdf');
  try {
    await writeFile(file, pdf);
    const { stdout } = await promisify(execFile)('pdftotext', ['-layout', file, '-']);
    return stdout.split('\f').slice(0, -1);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
