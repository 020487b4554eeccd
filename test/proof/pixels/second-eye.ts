/**
 * The pages of documents as a renderer of another make draws them for print: MuPDF, and poppler where colours are mixed of
 * inks, which Debian's MuPDF does without profiles.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Picture } from '../../support/printer/picture.ts';
import { centred, pictureOfPng } from '../../support/printer/picture.ts';

const run = promisify(execFile);

/** Pixels. */
export interface Paper {
  readonly width: number;
  readonly height: number;
}

/** For `mutool run`: each page as large as the paper lets it be, pages that lie across it turned to the left. */
const script = `
  var paper = { width: Number(scriptArgs[1]), height: Number(scriptArgs[2]) };
  var documents = scriptArgs.slice(3);
  for (var name in documents) {
    var document = new Document(scriptArgs[0] + '/' + documents[name] + '.pdf');
    for (var number = 0; number < document.countPages(); number++) {
      var page = document.loadPage(number), bounds = page.bound();
      var width = bounds[2] - bounds[0], height = bounds[3] - bounds[1];
      var lies = (width > height) != (paper.width > paper.height);
      var scale = lies
        ? Math.min(paper.width / height, paper.height / width)
        : Math.min(paper.width / width, paper.height / height);
      var matrix = lies ? [0, -scale, scale, 0, 0, width * scale] : [scale, 0, 0, scale, 0, 0];
      page.toPixmap(matrix, DeviceRGB, false, false, 'Print', 'CropBox')
        .saveAsPNG(scriptArgs[0] + '/' + documents[name] + '-' + number + '.png');
    }
  }`;

/** Drawn already, and unpacked when it is looked at: all at once would not fit into memory. */
export type Seen = () => Picture;

/** The pages of each document, in the middle of the paper. */
export async function seenByMupdf(documents: readonly Buffer[], paper: Paper): Promise<readonly Seen[][]> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-second-eye-'));
  try {
    await writeFile(join(folder, 'script.js'), script);
    const names = documents.map((_, index) => String(index));
    for (const name of names) await writeFile(join(folder, `${name}.pdf`), documents[Number(name)] ?? '');
    const { width, height } = paper;
    await run('mutool', ['run', join(folder, 'script.js'), folder, String(width), String(height), ...names]);
    return await picturesIn(folder, names, paper);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function picturesIn(folder: string, names: readonly string[], paper: Paper): Promise<Seen[][]> {
  const files = await readdir(folder);
  return Promise.all(
    names.map((name) => {
      const own = files.filter((file) => file.startsWith(`${name}-`) && file.endsWith('.png'));
      const number = (file: string) => Number(/-(\d+)\.png$/.exec(file)?.[1]);
      own.sort((one, other) => number(one) - number(other));
      return Promise.all(
        own.map(async (file) => {
          const png = await readFile(join(folder, file));
          return () => centred(pictureOfPng(png), paper);
        }),
      );
    }),
  );
}

/** Of a document whose pages are as the paper is. */
export async function seenByPoppler(document: Buffer, paper: Paper): Promise<readonly Seen[]> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-second-eye-'));
  try {
    const path = join(folder, '0');
    await writeFile(`${path}.pdf`, document);
    const size = ['-scale-to-x', String(paper.width), '-scale-to-y', String(paper.height)];
    await run('pdftoppm', ['-png', '-cropbox', ...size, `${path}.pdf`, path]);
    return (await picturesIn(folder, ['0'], paper))[0] ?? [];
  } finally {
    await rm(folder, { recursive: true });
  }
}
