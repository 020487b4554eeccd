/**
 * A document that gives the printer commands is refused before the intent, whichever way the printer is reached
 * (INVARIANTS.md T15, T16): nothing of it comes to a raw printer, nor, as `hostile-document.test.ts` shows, to one of IPP;
 * CUPS has its row in `test/peers/whole-agent-cupsd.test.ts`.
 */
import { describe, expect, it } from 'vitest';
import { universalExit } from '../../src/printing/pjl-guard.ts';
import { documentStatus } from '../../src/simulator/cloud/state.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import { setRunningRawStage } from '../support/agent/raw-stage.ts';

const pdf = samplePdf({ title: 'Report', pages: 1 });
const pjl = (...lines: readonly string[]) =>
  Buffer.from(`${universalExit}${lines.map((line) => `@PJL ${line}\r\n`).join('')}`, 'latin1');

describe('a document for a raw printer', () => {
  it.each<[string, Buffer, string]>([
    [
      'that deletes a file of the printer’s',
      Buffer.concat([pjl('FSDELETE NAME="0:\\x"', 'ENTER LANGUAGE=PDF'), pdf]),
      'document-not-printable',
    ],
    [
      'that makes fifty copies of itself',
      Buffer.concat([pjl('SET COPIES=50', 'ENTER LANGUAGE=PDF'), pdf]),
      'document-not-printable',
    ],
    [
      'that speaks in the printer’s place',
      Buffer.concat([pdf, pjl('ECHO @PJL USTATUS JOB')]),
      'document-not-printable',
    ],
    ['that is cut', pdf.subarray(0, 500), 'document-damaged'],
  ])('%s is refused, and the printer is not even connected to', async (_, bytes, code) => {
    await using stage = await setRunningRawStage();
    const { cloud, document, raw } = stage;
    Object.assign(document, { bytes });
    expect(await stage.release()).toMatchObject({ outcome: 'failed', code });
    expect(raw.connections()).toBe(0);
    expect(cloud.state.history).toEqual([]);
    expect(document.info.status).toBe(documentStatus.READY);
  });

  it('that brings harmless PJL of its own comes out unchanged', async () => {
    await using stage = await setRunningRawStage();
    const { document, raw } = stage;
    const head = pjl('SET RESOLUTION=600', 'SET COPIES=1', 'ENTER LANGUAGE=PDF');
    Object.assign(document, { bytes: Buffer.concat([head, pdf, pjl('EOJ')]) });
    expect(await stage.release()).toMatchObject({ outcome: 'completed' });
    expect(raw.received.map((all) => all.equals(document.bytes))).toEqual([true]);
  });
});
