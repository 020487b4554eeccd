/** `compression=gzip` where it pays; what comes out at the printer is what lay in the spool (contract, section 3). */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { attribute, group, string } from '../../../src/ipp/message.ts';
import { enumValue, keyword, mimeMediaType } from '../../../src/ipp/values.ts';
import { packed } from '../../../src/printing/ipp/job/compressed-document.ts';
import { openPrinter, sendTo, virtualPrinter } from '../../support/printer/printers.ts';
import { pdfOf, spooled } from '../../support/printer/samples.ts';
import { idlePrinter, jobAnswer, startScriptedPrinter } from '../../support/printer/scripted-printer.ts';
import { withoutLimit } from '../../support/patience.ts';

const compression = attribute('compression-supported', keyword('none'), keyword('gzip'));
const takes = attribute(
  'document-format-supported',
  ...['application/pdf', 'application/postscript', 'image/pwg-raster'].map(mimeMediaType),
);

const postscript = (octets: number) => Buffer.alloc(octets, '%!PS\n(Hello) show\n10 20 moveto\n');
const raster = (octets: number) => Buffer.concat([Buffer.from('RaS2'), Buffer.alloc(octets)]);
const noise = Buffer.concat([Buffer.from('%!PS\n'), pdfOf(200_000)]);

it.each([
  ['PostScript', postscript(300_000), 'gzip'],
  ['a raster', raster(300_000), 'gzip'],
  ['PDF', pdfOf(300_000), undefined],
  ['what hardly shrinks', noise, undefined],
  ['what is small anyway', postscript(50_000), undefined],
  ['what would fill the memory', Buffer.concat([postscript(70_000), pdfOf(5_000_000)]), undefined],
] as const)('%s goes out so, and comes out unchanged', async (_, bytes, expected) => {
  const peer = await virtualPrinter({ attributes: [compression, takes] });
  const { printer } = openPrinter(peer.uri);
  await printer.follow(await sendTo({ printer }, bytes), withoutLimit());
  const sent = peer.requests.find(({ operation }) => operation === 'Send-Document');
  expect(sent && string(group(sent.message, 'operation-attributes'), 'compression')).toBe(expected);
  const digest = createHash('sha256').update(bytes).digest('hex');
  expect(peer.outputs.map(({ sha256, complete }) => [sha256, complete])).toEqual([[digest, true]]);
  expect(peer.deviations).toEqual([]);
});

it('takes a fraction of the octets', async () => {
  const document = await spooled(postscript(1_000_000));
  const small = await packed(document, withoutLimit());
  expect(small?.length).toBeLessThan(document.length / 10);
});

it('a printer that lists it and refuses it is sent the document as it is, and no other packed one', async () => {
  const asked: (string | undefined)[] = [];
  const uri = await startScriptedPrinter((request, operation) => {
    const wanted = string(group(request, 'operation-attributes'), 'compression');
    if (operation === 'Get-Printer-Attributes') return idlePrinter(compression, takes);
    if (operation === 'Send-Document') asked.push(wanted);
    return wanted === 'gzip' ? { status: 'client-error-compression-not-supported' } : jobAnswer();
  });
  const { printer } = openPrinter(uri);
  await sendTo({ printer }, postscript(300_000));
  await sendTo({ printer }, postscript(300_000));
  expect(asked).toEqual(['gzip', undefined, undefined]);
});

/** Of a document in raster, which is worth packing. */
async function packedAt(habit: 'cannot-unpack=waits' | 'cannot-unpack=aborts') {
  const peer = await virtualPrinter({ habits: [habit] });
  const { printer } = openPrinter(peer.uri);
  const compressions = () =>
    peer.requests
      .filter(({ operation }) => operation === 'Send-Document')
      .map(({ message }) => string(group(message, 'operation-attributes'), 'compression'));
  return { peer, printer, compressions };
}

it('a job that waits for its document still, after a packed one was wrong, gets it plain, and the next at once', async () => {
  const { peer, printer, compressions } = await packedAt('cannot-unpack=waits');
  await printer.follow(await sendTo({ printer }, raster(300_000)), withoutLimit());
  await printer.follow(await sendTo({ printer }, raster(300_000)), withoutLimit());
  expect(compressions()).toEqual(['gzip', undefined, undefined]);
  expect(peer.outputs.map(({ complete }) => complete)).toEqual([true, true]);
});

it('a job that was aborted for it gets nothing more, nothing of it came out, and the next document goes out plain', async () => {
  const { peer, printer, compressions } = await packedAt('cannot-unpack=aborts');
  await expect(sendTo({ printer }, raster(300_000))).rejects.toMatchObject({
    reasons: ['client-error-compression-error'],
    delivery: 'answered',
  });
  await printer.follow(await sendTo({ printer }, raster(300_000)), withoutLimit());
  expect(compressions()).toEqual(['gzip', undefined]);
  expect(peer.outputs).toMatchObject([{ complete: true }]);
});

it.each(['compression-error', 'unsupported-compression'])(
  'a job that ends aborted with %s teaches that no document is to be packed',
  async (reason) => {
    const asked: (string | undefined)[] = [];
    const uri = await startScriptedPrinter((request, operation) => {
      if (operation === 'Get-Printer-Attributes') return idlePrinter(compression, takes);
      const wanted = string(group(request, 'operation-attributes'), 'compression');
      if (operation === 'Send-Document') asked.push(wanted);
      return jobAnswer(
        attribute('job-state', enumValue(operation === 'Get-Job-Attributes' ? 8 : 3)),
        attribute('job-state-reasons', keyword(reason)),
      );
    });
    const { printer } = openPrinter(uri);
    expect(await printer.follow(await sendTo({ printer }, raster(300_000)), withoutLimit())).toMatchObject({
      state: 'aborted',
    });
    await sendTo({ printer }, raster(300_000));
    expect(asked).toEqual(['gzip', undefined]);
  },
);
