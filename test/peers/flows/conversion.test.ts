/** The user's story at a printer that does not take what the cloud has: the pages come out, as they are asked for. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { attribute } from '../../../src/ipp/message.ts';
import { mimeMediaType, rangeOfInteger } from '../../../src/ipp/values.ts';
import { needsPeer } from '../../support/needs.ts';
import { startIppEvePrinter } from '../ippeveprinter.ts';
import { pagesOfRaster, rasterHeader } from '../raster-header.ts';
import { bytesOf, conversion, converterForTest } from '../../support/printer/conversion-samples.ts';
import { spooled } from '../../support/printer/samples.ts';
import { aliceCard, setStage } from '../../support/agent/stage.ts';
import { withoutLimit } from '../../support/patience.ts';

const session = { autoRelease: true };

needsPeer('gs', 'ghostscript')('with Ghostscript', () => {
  needsPeer('qpdf', 'qpdf')('and qpdf', () => {
    it('a PDF comes out of a printer of raster alone: converted, two copies, the last sheet first', async () => {
      const attributes = [
        attribute('document-format-supported', mimeMediaType('image/pwg-raster')),
        attribute('copies-supported', rangeOfInteger(1, 1)),
      ];
      await using stage = await setStage({
        // It knows the pages of PDF alone, and would count each raster as one.
        printer: { attributes, counters: 'absent' },
        terminal: { session },
      });
      const { cloud, printer, reader } = stage;
      const port = cloud.state.outputPorts.find(({ id }) => id === 7);
      cloud.state.outputPorts = cloud.state.outputPorts.map((one) =>
        one === port ? { ...one, isReverseFinisher: true } : one,
      );
      const waiting = cloud.state.documents.filter(({ owner }) => owner === 'alice');
      for (const one of waiting) one.info = { ...one.info, copies: 2 };
      const agent = await stage.start();
      await agent.told('terminal ready');
      await agent.told('reader up');
      reader.tap(aliceCard);
      for (const _ of waiting) {
        expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
      }
      await cloud.waitFor(() => waiting.every(({ info }) => info.status === 2));
      expect(printer.outputs).toHaveLength(waiting.length);

      const converter = await converterForTest();
      for (const [index, { bytes, info }] of waiting.entries()) {
        const output = printer.outputs[index];
        const printed = await readFile(output?.file ?? '');
        const wanted = conversion({ format: 'image/pwg-raster', media: 'iso_a4_210x297mm' });
        const plain = await bytesOf(await converter.convert(await spooled(bytes), wanted, withoutLimit()));
        const backwards = pagesOfRaster(plain).toReversed();
        expect(backwards).toHaveLength(info.totalPages);
        expect(pagesOfRaster(printed)).toEqual([...backwards, ...backwards]);
      }
      const metrics = await (await fetch(`${agent.operations}/metrics`)).text();
      expect(metrics).toContain(`platen_release_stage_seconds_count{stage="convert"} ${waiting.length}`);
      expect([...cloud.deviations, ...printer.deviations]).toEqual([]);
    });

    needsPeer('dbus-daemon', 'dbus-daemon')('and a system bus', () => {
      needsPeer('ippeveprinter', 'cups-ipp-utils')('ippeveprinter', () => {
        it('takes raster alone, and gets the pages of a PDF on the paper of its record', async () => {
          await using peer = await startIppEvePrinter({ formats: 'image/pwg-raster,image/urf' });
          const printer = { uri: peer.uri, stallSeconds: 5 };
          await using stage = await setStage({ terminal: { session, printer } });
          const { cloud, reader } = stage;
          const waiting = cloud.state.documents.filter(({ owner }) => owner === 'alice');
          const agent = await stage.start();
          await agent.told('terminal ready');
          await agent.told('reader up');
          reader.tap(aliceCard);
          for (const _ of waiting) {
            expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
          }
          const received = await peer.documents();
          expect(received.map((raster) => pagesOfRaster(raster).length)).toEqual(
            waiting.map(({ info }) => info.totalPages),
          );
          for (const raster of received) {
            expect(rasterHeader(raster)).toMatchObject({
              colorSpace: 19,
              bitsPerPixel: 24,
              pageSize: 'iso_a4_210x297mm',
            });
          }
        });
      });
    });
  });
});

it('without the programs the document is refused, the terminal says why, and nothing is printed', async () => {
  const attributes = [attribute('document-format-supported', mimeMediaType('image/pwg-raster'))];
  const config = { conversion: { ghostscript: 'no-such-ghostscript' } };
  await using stage = await setStage({ printer: { attributes }, terminal: { session }, config });
  const { cloud, printer, reader } = stage;
  const agent = await stage.start();
  await agent.told('terminal ready');
  await agent.told('reader up');
  reader.tap(aliceCard);
  expect(await agent.told('release ended')).toMatchObject({ outcome: 'failed', code: 'converter-missing' });
  const status = (await (await fetch(`${agent.operations}/status`)).json()) as {
    conditions: { code: string }[];
  };
  expect(status.conditions.map(({ code }) => code)).toContain('converter-missing');
  expect(printer.jobs).toEqual([]);
  expect(cloud.state.history).toEqual([]);
});
