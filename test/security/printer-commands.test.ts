/**
 * Documents that were made to command the printer rather than to be printed (INVARIANTS.md T15, T16). An insider puts
 * them into the service; what reached the printer is judged by the printer, over IPP and over raw TCP alike.
 */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { universalExit } from '../../src/printing/pjl-guard.ts';
import { documentStatus } from '../../src/simulator/cloud/state.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import { setRunningRawStage } from '../support/agent/raw-stage.ts';
import type { RunningStage } from '../support/agent/running-stage.ts';
import { setRunningStage } from '../support/agent/running-stage.ts';

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
async function expectRefused({ cloud, document, release }: RunningStage, bytes: Buffer): Promise<void> {
  Object.assign(document, { bytes });
  expect(await release()).toMatchObject({ outcome: 'failed', code: 'document-not-printable' });
  expect(cloud.state.history).toEqual([]);
  expect(document.info.status).toBe(documentStatus.READY);
}

describe('a document that commands the printer is refused (T15, T16)', () => {
  it.each(exploits)('over IPP: %s', async (_, bytes) => {
    await using stage = await setRunningStage();
    await expectRefused(stage, bytes);
    expect(stage.printer.outputs).toEqual([]);
  });

  it.each(exploits)('over raw TCP: %s', async (_, bytes) => {
    await using stage = await setRunningRawStage();
    await expectRefused(stage, bytes);
    expect(stage.raw.connections()).toBe(0);
  });
});

/** Of the person who made it; it is in no document of ours. */
const mark = '% made by hand';
const leaving = `${mark}\r\nserverdict begin 0 exitserver`;
/** Named, and never run: pages come of it. */
const unused = '/never { 0 exitserver } def';
const program = (...lines: readonly string[]) => text('%!PS-Adobe-3.0', mark, ...lines, 'showpage');
const inPlaceOfPdf = (first: string) => Buffer.concat([text(first, mark, ''), pdf]);

/** Müller and others, "Exploiting Network Printers", section IV; PLRM 3, sections 3.7.7 and C.3. */
const lasting: readonly (readonly [string, Buffer])[] = [
  ['that leaves its job', program(leaving)],
  ['that leaves its job, far behind the beginning', program('% filling '.repeat(10_000), leaving)],
  ['that changes the printer by a parameter', program('<< /StartJobPassword (x) >> setsystemparams')],
  ['that changes a device for good', program('(%disk0%) << /InitializeAction 1 >> setdevparams')],
  [
    'under the name of PCL XL',
    text(`${universalExit}@PJL ENTER LANGUAGE=PCLXL`, '%!PS', leaving, 'showpage'),
  ],
];
const hidden: readonly (readonly [string, Buffer])[] = [
  ['behind a PDF', behindPdf('%!PS', leaving)],
  ['behind a PDF, announced by PJL', behindPdf('@PJL ENTER LANGUAGE=POSTSCRIPT', '%!PS', leaving)],
  ['behind a PDF, with nothing that tells what it is', behindPdf(leaving)],
  [
    'behind a PDF, in a language that the printer may not have',
    behindPdf('@PJL ENTER LANGUAGE=ZJS', leaving),
  ],
  ['in place of the beginning of a PDF', inPlaceOfPdf('%!PS-Adobe-3.0 PDF-1.4')],
  ['before a PDF, with nothing that tells what it is', inPlaceOfPdf(leaving)],
  ['before a PDF, behind an end of job', inPlaceOfPdf(` \u0004%!PS\r\n${leaving}`)],
];

describe('PostScript that outlasts its job is run in the room of the converter, not by the printer (T16)', () => {
  it.each(lasting)('over raw TCP: PostScript %s', async (_, bytes) => {
    await using stage = await setRunningRawStage();
    const { document, raw } = stage;
    Object.assign(document, { bytes });
    const { outcome } = await stage.release();
    expect(outcome).not.toBe('unknown');
    expect(Buffer.concat([...raw.received]).includes(mark)).toBe(false);
  });

  it('and pages come of it, in the language in which it came', async () => {
    await using stage = await setRunningRawStage();
    const { document, raw } = stage;
    Object.assign(document, { bytes: program('100 100 moveto 300 300 lineto stroke', unused) });
    expect(await stage.release()).toMatchObject({ outcome: 'completed' });
    const received = Buffer.concat([...raw.received]);
    expect(received.includes('@PJL ENTER LANGUAGE=POSTSCRIPT')).toBe(true);
    expect(received.includes(mark)).toBe(false);
  });

  it('over IPP it becomes PDF, where the printer takes that', async () => {
    await using stage = await setRunningStage();
    const page = '100 100 moveto 300 300 lineto stroke';
    Object.assign(stage.document, { bytes: program(page, 'showpage', page, 'showpage', page, unused) });
    const { outcome, code, reasons } = await stage.release();
    expect({ outcome, code, reasons }).toEqual({ outcome: 'completed' });
    const [output] = stage.printer.outputs;
    expect((await readFile(output?.file ?? '')).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it.each(hidden)('a PDF is written anew without what is hidden %s', async (_, bytes) => {
    await using stage = await setRunningRawStage();
    const { document, raw } = stage;
    Object.assign(document, { bytes });
    expect(await stage.release()).toMatchObject({ outcome: 'completed' });
    const received = Buffer.concat([...raw.received]);
    expect(received.includes('@PJL ENTER LANGUAGE=PDF\r\n%PDF-')).toBe(true);
    expect(received.includes(mark)).toBe(false);
  });

  it('and is refused where nothing can make another document of it', async () => {
    await using stage = await setRunningRawStage();
    const { release, document, raw } = stage;
    const pclXl = text(`${universalExit}@PJL ENTER LANGUAGE=PCLXL`, ') HP-PCL XL;2;0', '');
    Object.assign(document, { bytes: Buffer.concat([pclXl, text(`${universalExit}%!PS`, leaving)]) });
    expect(await release()).toMatchObject({ outcome: 'failed', code: 'document-not-printable' });
    expect(raw.connections()).toBe(0);
  });
});
