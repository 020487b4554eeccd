/** A raw printer that talks back: what it says before a document and of the job, and what is made of it (B.1, T29). */
import { describe, expect, it } from 'vitest';
import { minutes } from '../../../src/core/duration.ts';
import { verdictOn } from '../../../src/domain/printer/job-verdict.ts';
import type { SocketPrinterVoice } from '../../../src/simulator/printer/raw/pjl-dialogue.ts';
import { openRawPrinterHere, sendBytes, virtualSocketPrinter } from '../../support/printer/raw-printers.ts';
import { createVirtualTime } from '../../support/virtual-time.ts';
import { pdfOf } from '../../support/printer/samples.ts';
import { withoutLimit } from '../../support/patience.ts';

const printed = async (voice: SocketPrinterVoice) => {
  const peer = await virtualSocketPrinter({ voice });
  const printer = openRawPrinterHere(peer.uri);
  return { peer, printer, report: await sendBytes(printer, pdfOf(100_000)) };
};

describe('before a document', () => {
  it.each([
    { what: 'a jam', code: 42_102, reasons: ['media-jam'] },
    { what: 'no paper', code: 41_202, reasons: ['media-needed'] },
    { what: 'an open door', code: 40_021, reasons: ['cover-open'] },
    { what: 'offline', code: 10_002, reasons: ['offline'] },
  ])('$what is a refusal, and not a byte goes out (I1, T29)', async ({ code, reasons }) => {
    const { peer, printer } = await printed({ kind: 'talks' });
    peer.speak({ kind: 'talks', code });
    await expect(sendBytes(printer, pdfOf(1000))).rejects.toMatchObject({
      code: 'printer-not-ready',
      delivery: 'not-sent',
      reasons,
    });
    expect(await printer.describe(withoutLimit())).toMatchObject({ ready: false, stateReasons: reasons });
    peer.speak({ kind: 'talks' });
    await sendBytes(printer, pdfOf(1000));
    expect(peer.outputs).toHaveLength(2);
    expect([peer.connections(), peer.inquiries()]).toEqual([3, 1]);
    expect(peer.deviations).toEqual([]);
  });

  it('only a printer that has answered is asked: one without PJL would print the question', async () => {
    const peer = await virtualSocketPrinter();
    const printer = openRawPrinterHere(peer.uri);
    await printer.describe(withoutLimit());
    for (const _ of [1, 2, 3]) expect(await sendBytes(printer, pdfOf(1000))).toBeUndefined();
    await printer.describe(withoutLimit());
    expect(peer.inquiries()).toBe(0);
    expect(await printer.describe(withoutLimit())).toMatchObject({ capabilities: { backChannel: 'silent' } });
  });

  it('a document brings the question in its envelope, and to a mute printer again after a while only', async () => {
    const peer = await virtualSocketPrinter();
    const time = createVirtualTime();
    const printer = openRawPrinterHere(peer.uri, { time });
    for (const passed of [0, 0, 61]) {
      time.forward(minutes(passed));
      await sendBytes(printer, pdfOf(1000));
    }
    await peer.waitFor(() => peer.outputs.length === 3);
    expect(peer.outputs.map(({ pjl }) => pjl.includes('@PJL INFO STATUS'))).toEqual([true, false, true]);
  });

  it('a printer that talks, and now only lets us wait, is busy: the document was not sent (B.4, 7)', async () => {
    const { peer, printer } = await printed({ kind: 'talks' });
    await peer.waitFor(() => peer.outputs.length === 1);
    await peer.behave({ kind: 'stop-reading', afterBytes: 0 });
    await expect(sendBytes(printer, pdfOf(1000))).rejects.toMatchObject({
      code: 'printer-busy',
      delivery: 'not-sent',
    });
    expect(peer.outputs).toHaveLength(1);
  });

  it('one that breaks the connection at the question was given nothing of the document (I1)', async () => {
    const { peer, printer } = await printed({ kind: 'talks' });
    await peer.behave({ kind: 'reset', afterBytes: 0 });
    await expect(sendBytes(printer, pdfOf(1000))).rejects.toMatchObject({
      code: 'printer-unreachable',
      delivery: 'not-sent',
    });
    expect(peer.outputs).toHaveLength(1);
  });

  it('another one in its place that says nothing gets the document all the same, over a connection of its own', async () => {
    const { peer, printer } = await printed({ kind: 'talks' });
    peer.speak({ kind: 'mute' });
    expect(await sendBytes(printer, pdfOf(1000))).toBeUndefined();
    await peer.waitFor(() => peer.outputs.length === 2);
    expect(await printer.describe(withoutLimit())).toMatchObject({ capabilities: { backChannel: 'silent' } });
  });

  it('the question stands where the envelope begins, so that no UEL is added to it', async () => {
    const { peer, printer } = await printed({ kind: 'talks' });
    await sendBytes(printer, pdfOf(100_000));
    await peer.waitFor(() => peer.received.length === 2);
    const [first, second] = peer.received;
    expect(second?.equals(first ?? Buffer.alloc(0))).toBe(true);
    expect(peer.connections()).toBe(2);
  });
});

describe('of the job', () => {
  it('the end, told under our name, is the printer’s own confirmation, with its count of pages', async () => {
    const { peer, report, printer } = await printed({ kind: 'talks', pages: 3 });
    expect(report).toEqual({ state: 'completed', reasons: [], impressionsCompleted: 3 });
    expect(verdictOn({ sent: 'all', report, expected: undefined })).toBe('CONFIRMED');
    await peer.waitFor(() => peer.outputs.length === 1);
    expect(peer.outputs).toMatchObject([{ complete: true, bytes: 100_000 }]);
    expect(peer.deviations).toEqual([]);
    expect(await printer.describe(withoutLimit())).toMatchObject({
      capabilities: { backChannel: 'answers', counts: 'impressions' },
    });
  });

  it('the pages are told while they come out', async () => {
    const { uri } = await virtualSocketPrinter({ voice: { kind: 'talks', pages: 3 } });
    const reported: number[] = [];
    await sendBytes(openRawPrinterHere(uri), pdfOf(100_000), { onPages: (count) => reported.push(count) });
    expect(reported).toEqual([1, 2, 3]);
  });

  it.each([
    [2, 'PARTIAL'],
    [0, 'UNKNOWN'],
  ] as const)('a cancellation after %i pages is told as such: %s', async (pages, verdict) => {
    const { report } = await printed({ kind: 'cancels', pages });
    expect(report).toEqual({
      state: 'canceled',
      reasons: ['job-canceled-at-device'],
      impressionsCompleted: pages,
    });
    expect(verdictOn({ sent: 'all', report, expected: undefined })).toBe(verdict);
  });

  it('a jam is told with the stall, once nothing has moved for its time', async () => {
    await expect(printed({ kind: 'jams' })).rejects.toMatchObject({
      code: 'printer-stalled',
      delivery: 'perhaps',
      reasons: ['media-jam'],
    });
  });

  it.each([
    ['an orderly close without the end', { kind: 'leaves' }],
    ['nothing of jobs at all', { kind: 'answers' }],
    ['the end of somebody else’s', { kind: 'ends-another' }],
  ] as const)('%s confirms nothing: the document is handed over', async (_, voice) => {
    const { report, peer } = await printed(voice);
    expect(report).toBeUndefined();
    await peer.waitFor(() => peer.outputs.length === 1);
  });

  it('who told nothing of one is not asked to with the next', async () => {
    const { peer, printer } = await printed({ kind: 'answers' });
    await sendBytes(printer, pdfOf(1000));
    await peer.waitFor(() => peer.outputs.length === 2);
    expect(peer.outputs.map(({ pjl }) => pjl.some((line) => line.includes('USTATUS')))).toEqual([
      true,
      false,
    ]);
  });

  it.each([
    ['garbage', Buffer.from('\u0000\u001b%-12345X\r\n\f"@PJL', 'latin1'), 100],
    ['a line without end', Buffer.alloc(64 * 1024, 'x'), 4],
    ['pages that never count up', Buffer.from('@PJL USTATUS PAGE\r\n1\r\n\f'), 500],
  ])('%s is heard out and means nothing (T14)', async (_, octets, count) => {
    const { report } = await printed({ kind: 'babbles', octets, count });
    expect(report).toBeUndefined();
  });
});
