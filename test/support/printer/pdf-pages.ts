/** Which pages of a sample a printer got, and on what paper: by qpdf and poppler. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** What stands at the foot of each page of a sample, in the order of the pages. */
export async function footersOf(file: string): Promise<readonly string[]> {
  const plain = ['--qdf', '--stream-data=uncompress', '--object-streams=disable', file, '-'];
  const { stdout } = await promisify(execFile)('qpdf', plain, {
    encoding: 'latin1',
    maxBuffer: 64 * 1024 ** 2,
  });
  return stdout.match(/Page \d+ of \d+/g) ?? [];
}

/** Of each page, in points: `595 x 842`. */
export async function pageSizesOf(file: string): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)('pdfinfo', ['-f', '1', '-l', '9999', file]);
  return [...stdout.matchAll(/^Page +\d+ size: +(\d+)[\d.]* x (\d+)/gm)].map(
    ([, width, height]) => `${width} x ${height}`,
  );
}
