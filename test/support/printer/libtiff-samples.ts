/** Pages as scanners and fax machines pack them: in TIFF out of libtiff, which Ghostscript and poppler write with. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Sample {
  readonly tiff: Buffer;
  /** The same pages, 240 by 320 pixels at 75 dots an inch. */
  readonly pdf: Buffer;
}

/** Two pages of black and white. */
export const figures = `%!
<</PageSize[230.4 307.2]>>setpagedevice
20 20 80 60 rectfill 120 200 60 80 rectfill 20 200 60 30 rectfill
0 1 3{10 mul 150 add 20 5 60 rectfill}for showpage
40 100 60 100 rectfill 0 0 10 10 rectfill showpage
`;

/** One page. */
export const inColour = `%!
<</PageSize[230.4 307.2]>>setpagedevice
.8 .1 .1 setrgbcolor 20 20 80 60 rectfill 0 0 1 setrgbcolor 120 200 60 80 rectfill showpage
`;

type Writer = (folder: string) => readonly [command: string, words: readonly string[]];

async function sampleOf(program: string, write: Writer): Promise<Sample> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-tiff-'));
  try {
    const [source, pdf] = [join(folder, 'page.ps'), join(folder, 'page.pdf')];
    await writeFile(source, program);
    await run('gs', ['-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', `-sOutputFile=${pdf}`, source]);
    await run(...write(folder));
    return { tiff: await readFile(join(folder, 'page.tif')), pdf: await readFile(pdf) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

export const byGhostscript = (device: string, program: string, ...options: string[]): Promise<Sample> =>
  sampleOf(program, (folder) => [
    'gs',
    [
      '-q',
      '-dBATCH',
      '-dNOPAUSE',
      '-r75',
      `-sDEVICE=${device}`,
      ...options,
      `-sOutputFile=${join(folder, 'page.tif')}`,
      join(folder, 'page.ps'),
    ],
  ]);

export const byPoppler = (compression: string): Promise<Sample> =>
  sampleOf(inColour, (folder) => [
    'pdftocairo',
    [
      '-tiff',
      '-tiffcompression',
      compression,
      '-r',
      '75',
      '-singlefile',
      '-antialias',
      'none',
      join(folder, 'page.pdf'),
      join(folder, 'page'),
    ],
  ]);
