/** The test page at a printer that takes no PDF: it goes through the real converter. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { attribute } from '../../src/ipp/message.ts';
import { mimeMediaType } from '../../src/ipp/values.ts';
import { commandHere } from '../support/command-here.ts';
import { setStage } from '../support/agent/stage.ts';
import { needsPeer } from '../support/needs.ts';

needsPeer('gs', 'ghostscript')('with Ghostscript', () => {
  needsPeer('qpdf', 'qpdf')('and qpdf', () => {
    it('the test page comes out as PWG raster where the printer takes nothing else', async () => {
      const raster = attribute('document-format-supported', mimeMediaType('image/pwg-raster'));
      await using stage = await setStage({ printer: { attributes: [raster] } });
      const { code, out } = await commandHere(['check', '-c', stage.configFile, '--print-test-page']);
      expect([code, out]).toEqual([0, expect.stringContaining('printed as job 1')]);
      const page = await readFile(stage.printer.outputs[0]?.file ?? '');
      expect(page.subarray(0, 4).toString()).toBe('RaS2');
    });

    it('the doctor tells which room documents are converted in', async () => {
      await using stage = await setStage();
      const { out } = await commandHere(['check', '-c', stage.configFile]);
      expect(out).toMatch(
        /ok +converter .* gs and qpdf are installed, and run in (?:a unit|namespaces|limits)/,
      );
    });
  });
});
