/** Pictures of single pages, by the programs of the converter in its room: what is on them, and what has none. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { seconds } from '../../../src/core/duration.ts';
import { Problem } from '../../../src/domain/problem/problem.ts';
import { createPagePictures, pictureLimits } from '../../../src/printing/preview/page-pictures.ts';
import { needsPeer } from '../../support/needs.ts';
import { bombPdf, emptyPdf, loopingPdf, shellOfPdf } from '../../support/printer/hostile-documents.ts';
import type { SandboxBenchOptions } from '../../support/printer/conversion-samples.ts';
import { sandboxWith } from '../../support/printer/conversion-samples.ts';
import { byGhostscript, figures } from '../../support/printer/libtiff-samples.ts';
import { marks, pdfOf } from '../../support/printer/pdf-writer.ts';
import { pngOf } from '../../support/printer/png-writer.ts';
import { temporaryDirectory } from '../../support/printer/samples.ts';
import { seenIn } from '../../printing/preview/seen-picture.ts';
import { withoutLimit } from '../../support/patience.ts';

interface Asked extends SandboxBenchOptions {
  readonly page?: number;
  /** The service does not say how long it is. */
  readonly isLengthUnknown?: boolean;
}

/** One for most: how far it shuts in is found out once. */
const usual = sandboxWith({ limits: pictureLimits });

function pictureOf(bytes: Buffer, { page = 1, isLengthUnknown = false, ...wish }: Asked = {}) {
  const isUsual = Object.keys(wish).length === 0;
  const limits = { ...pictureLimits, ...wish.limits };
  const pictures = createPagePictures({ sandbox: isUsual ? usual : sandboxWith({ ...wish, limits }) });
  const download = { length: isLengthUnknown ? undefined : bytes.length, bytes: streamOf(bytes) };
  return pictures.of(download, { page, paperSize: undefined }, withoutLimit());
}

/** In pieces, as a network brings them. */
const streamOf = (bytes: Buffer): Readable =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / 5000) }, (_, at) =>
      Buffer.from(bytes.subarray(at * 5000, (at + 1) * 5000)),
    ),
  );

async function seen(bytes: Buffer, asked?: Asked) {
  const made = await pictureOf(bytes, asked);
  if (made.kind !== 'picture') throw new Error(made.kind);
  return seenIn(made.png);
}

const run = promisify(execFile);

/** The file that Ghostscript makes of this program. */
async function madeBy(device: string, program: string, ...options: string[]): Promise<Buffer> {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, 'page.ps'), program);
  const common = ['-q', '-dBATCH', '-dNOPAUSE', '-r72', `-sDEVICE=${device}`, ...options];
  await run('gs', [...common, `-sOutputFile=${join(folder, 'out')}`, join(folder, 'page.ps')]);
  return readFileSync(join(folder, 'out'));
}

const sheet = (entries: string, content: string) => ({ entries, content });
const fourPages = pdfOf([
  sheet('/MediaBox[0 0 595 842]', marks(595, 842)),
  sheet('/MediaBox[0 0 842 595]', marks(842, 595)),
  sheet('/MediaBox[0 0 595 842]/Rotate 90', marks(595, 842)),
  sheet('/MediaBox[0 0 9000 9000]', marks(9000, 9000)),
]);
/** Red, and blue on the right. */
const coloured = '1 0 0 setrgbcolor 0 0 200 100 rectfill 0 0 1 setrgbcolor 100 0 100 100 rectfill showpage';
const postscript = `%!PS-Adobe-3.0\n<</PageSize[200 100]>>setpagedevice ${coloured} ${coloured.replace('1 0 0', '0 1 0')}`;

needsPeer('gs', 'ghostscript')('with Ghostscript', () => {
  it('a page stands upright in the middle of a square of a screen’s size, on white paper, and clear around it', async () => {
    const picture = await seen(fourPages);
    expect(picture.side).toBe(1024);
    // A4 is 0.707 as wide as it is high.
    expect([picture.at(0.1, 0.5), picture.at(0.9, 0.5)]).toEqual(['clear', 'clear']);
    expect(picture.at(0.5, 0.9)).toBe('#ffffff');
    // Its marks: red at the lower left, blue at the upper left.
    expect([picture.at(0.17, 0.98), picture.at(0.155, 0.02)]).toEqual(['#ff0000', '#0000ff']);
  });

  it.each([
    ['lies', 2, [0.02, 0.82]],
    ['is turned by its own word', 3, [0.02, 0.18]],
    ['is three metres wide', 4, [0.02, 0.98]],
  ] as const)('a page that %s is shown so', async (_, page, [x, y]) => {
    const picture = await seen(fourPages, { page });
    expect(picture.at(x, y)).toBe('#ff0000');
    expect(picture.at(0.5, 0.02)).toBe(page === 4 ? '#ffffff' : 'clear');
  });

  it('PostScript, JPEG, PNG, TIFF and text have pictures, and later pages where they have pages', async () => {
    const { tiff } = await byGhostscript('tiffg4', figures);
    const jpeg = await madeBy('jpeg', postscript, '-g200x100', '-dLastPage=1');
    const inks = await madeBy('jpegcmyk', postscript, '-g200x100', '-dLastPage=1');
    const png = pngOf({ width: 1, height: 1, kind: 2, bits: 8, lines: Buffer.from([0, 0, 255]) });
    expect((await seen(Buffer.from(postscript))).at(0.2, 0.5)).toBe('#ff0000');
    expect((await seen(Buffer.from(postscript), { page: 2 })).at(0.2, 0.5)).toBe('#00ff00');
    expect((await seen(png)).at(0.5, 0.5)).toBe('#0000ff');
    for (const bytes of [jpeg, inks]) {
      const picture = await seen(bytes);
      expect(picture.at(0.5, 0.1)).toBe('clear');
      expect(picture.at(0.2, 0.5)).toMatch(/^#[ef].[0-2].[0-2].$/);
      expect(picture.at(0.8, 0.5)).toMatch(/^#[0-3].[0-5].[9a-f].$/);
    }
    expect((await seen(tiff, { page: 2 })).at(0.5, 0.5)).toMatch(/^#/);
    expect((await seen(Buffer.from('One line.\n\fAnother.\n'))).at(0.5, 0.5)).toBe('#ffffff');
  });

  it('behind the last page there is none, and it is no fault', async () => {
    const text = Buffer.from('One line.\n');
    for (const bytes of [fourPages, Buffer.from(postscript), text]) {
      expect(await pictureOf(bytes, { page: 5 })).toEqual({ kind: 'no-such-page' });
    }
  });

  it('a document of ten thousand pages costs no more than another, and its last page is there', async () => {
    const picture = await seen(shellOfPdf(10_000), { page: 10_000 });
    expect(picture.at(0.5, 0.5)).toBe('#ffffff');
  });

  it('what nobody here can draw has no preview', async () => {
    const documents = ['\u001bE\u001b&l1O', ') HP-PCL XL;2;0;', 'RaS2', 'UNIRAST\0', '\u0000\u0001'];
    for (const document of documents) {
      expect(await pictureOf(Buffer.from(document, 'latin1'))).toEqual({ kind: 'no-preview' });
    }
  });

  it('a document whose length nobody tells is shown all the same, unless it is long', async () => {
    expect((await seen(fourPages, { isLengthUnknown: true })).at(0.5, 0.9)).toBe('#ffffff');
    const long = Buffer.concat([fourPages, Buffer.alloc(9 * 1024 ** 2)]);
    await expect(pictureOf(long, { isLengthUnknown: true })).rejects.toMatchObject({
      code: 'document-not-convertible',
    });
  });

  describe('a hostile document', () => {
    const refused = { code: 'document-not-convertible' };

    it.each([
      ['without pages', emptyPdf()],
      ['whose page tree is a ring', loopingPdf()],
      ['cut in the middle', fourPages.subarray(0, 60)],
      ['that says it is a JPEG', Buffer.from('ffd8ffe00002', 'hex')],
      ['of a JPEG as wide as a house', Buffer.from('ffd8ffc0000b08ffffffff01012200ffda', 'hex')],
      ['that is PostScript and raises an error', Buffer.from('%!PS\n1 0 div')],
    ])('%s is refused', async (_, bytes) => {
      await expect(pictureOf(bytes)).rejects.toMatchObject(refused);
    });

    it('of ten gigabytes of spaces ends at its limit', async () => {
      const limits = { cpu: seconds(1), wall: seconds(4) };
      await expect(pictureOf(bombPdf(), { limits })).rejects.toMatchObject(refused);
    });

    it('that never ends is ended, and so is one that asks for pages without end', async () => {
      const limits = { wall: seconds(0.8) };
      for (const program of ['{}loop', '{showpage}loop']) {
        await expect(pictureOf(Buffer.from(`%!PS\n${program}`), { limits })).rejects.toMatchObject(refused);
      }
    });
  });

  it('what breaks off on its way is refused with the reason of the download', async () => {
    const broken = new Problem('document-cut', 'the service hung up');
    async function* cut() {
      yield fourPages.subarray(0, 20_000);
      throw broken;
    }
    const pictures = createPagePictures({ sandbox: usual });
    const download = { length: 1_000_000, bytes: Readable.from(cut()) };
    await expect(pictures.of(download, { page: 1, paperSize: 'A4' }, withoutLimit())).rejects.toBe(broken);
  });

  needsPeer('qpdf', 'qpdf')('and qpdf', () => {
    it('a document under a password is refused', async () => {
      const folder = temporaryDirectory();
      const [open, shut] = [join(folder, 'open'), join(folder, 'shut')];
      writeFileSync(open, fourPages);
      await run('qpdf', [open, '--encrypt', 'geheim', 'auch', '256', '--', shut]);
      await expect(pictureOf(readFileSync(shut))).rejects.toMatchObject({ code: 'document-not-convertible' });
    });
  });
});

it('without the programs nothing is shown, and that has its own reason', async () => {
  const programs = { ghostscript: 'no-such-gs', qpdf: 'no-such-qpdf' };
  await expect(pictureOf(fourPages, { programs })).rejects.toMatchObject({ code: 'converter-missing' });
});
