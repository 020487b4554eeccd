/**
 * Documents that were made to command the printer rather than to be printed (reliability.md T15, T16). An insider puts
 * them into the service; what reached the printer is judged by the printer, over IPP and over raw TCP alike.
 */
import { describe, expect, it } from 'vitest';
import { universalExit } from '../../src/printing/pjl-guard.ts';
import { documentStatus } from '../../src/simulator/cloud-state.ts';
import { samplePdf } from '../../src/simulator/sample-pdf.ts';
import { setRawScene } from '../faults/raw-scene.ts';
import type { Scene } from '../faults/scene.ts';
import { setScene } from '../faults/scene.ts';

const pdf = samplePdf({ title: 'Report', pages: 1 });
const text = (...lines: readonly string[]) => Buffer.from(lines.join('\r\n'), 'latin1');
const behindPdf = (...lines: readonly string[]) =>
  Buffer.concat([pdf, text(`${universalExit}${lines[0]}`, ...lines.slice(1), '')]);
const upgrade = '@PJL FSDOWNLOAD FORMAT:BINARY SIZE=4 NAME="0:\\x"';

const exploits: readonly (readonly [string, Buffer])[] = [
  [
    'a PDF with firmware behind it, in the language in which printers take it',
    behindPdf('@PJL ENTER LANGUAGE=ACL', 'new'),
  ],
  [
    'a command behind a language that the printer may not have, and then reads on in PJL',
    behindPdf('@PJL ENTER LANGUAGE=PCL', upgrade, 'new'),
  ],
  ['copies behind the value of another variable', behindPdf('@PJL SET DUPLEX=ON COPIES=50', '@PJL EOJ')],
];

/** Nothing came out, and the document waits for its owner. */
async function expectRefused({ cloud, document, release }: Scene, bytes: Buffer): Promise<void> {
  Object.assign(document, { bytes });
  expect(await release()).toMatchObject({ outcome: 'failed', code: 'document-not-printable' });
  expect(cloud.state.history).toEqual([]);
  expect(document.info.status).toBe(documentStatus.READY);
}

describe('a document that commands the printer is refused (T15, T16)', () => {
  it.each(exploits)('over IPP: %s', async (_, bytes) => {
    await using scene = await setScene();
    await expectRefused(scene, bytes);
    expect(scene.printer.outputs).toEqual([]);
  });

  it.each(exploits)('over raw TCP: %s', async (_, bytes) => {
    await using scene = await setRawScene();
    await expectRefused(scene, bytes);
    expect(scene.raw.connections()).toBe(0);
  });
});

const leaving = 'serverdict begin 0 exitserver';
const lasting: readonly (readonly [string, Buffer])[] = [
  ['hidden behind a PDF', behindPdf('%!PS', leaving)],
  ['hidden behind a PDF, announced by PJL', behindPdf('@PJL ENTER LANGUAGE=POSTSCRIPT', '%!PS', leaving)],
  ['far behind the beginning', text('%!PS-Adobe-3.0', '% filling '.repeat(10_000), leaving, 'showpage')],
];

describe('PostScript that would change the printer for all who come after does not reach it as it is (T16)', () => {
  it.each(lasting)('%s', async (_, bytes) => {
    await using scene = await setRawScene();
    const { document, raw } = scene;
    Object.assign(document, { bytes });
    await scene.release();
    expect(Buffer.concat([...raw.received]).includes('exitserver')).toBe(false);
  });

  it('and is refused where nothing can make another document of it', async () => {
    await using scene = await setRawScene();
    const { release, document, raw } = scene;
    const pclXl = text(`${universalExit}@PJL ENTER LANGUAGE=PCLXL`, ') HP-PCL XL;2;0');
    Object.assign(document, { bytes: Buffer.concat([pclXl, text(`${universalExit}%!PS`, leaving)]) });
    expect(await release()).toMatchObject({ outcome: 'failed', code: 'document-not-printable' });
    expect(raw.connections()).toBe(0);
  });
});
