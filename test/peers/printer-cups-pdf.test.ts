/**
 * The printing of Platen through CUPS to Debian's PDF writer. The contract of printers asks for the same bytes; this
 * one makes a file of its own from each document, so its pages are looked at.
 */
import { expect, it, onTestFinished } from 'vitest';
import { verdictOn } from '../../src/domain/printer/job-verdict.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import { openPrinter, sendTo } from '../support/printer/printers.ts';
import { pageWords } from '../support/page-words.ts';
import { needsPeer } from '../support/needs.ts';
import { releasedToBob } from './badge-at-peer.ts';
import type { CupsPdf } from './cups-pdf.ts';
import { needsCupsPdf, startCupsPdf } from './cups-pdf.ts';
import { eventually, withoutLimit } from '../support/patience.ts';

const fivePages = samplePdf({ title: 'Five pages', pages: 5 });

async function setUp(): Promise<CupsPdf> {
  const peer = await startCupsPdf();
  onTestFinished(() => peer[Symbol.asyncDispose]());
  return peer;
}

async function onlyFileOf(peer: CupsPdf): Promise<Buffer> {
  const [file, ...more] = await peer.files();
  expect(more).toEqual([]);
  if (file === undefined) throw new Error('no PDF was made');
  return file[1];
}

needsCupsPdf('cups-pdf', () => {
  needsPeer('pdftotext', 'poppler-utils')('and its files', () => {
    it('makes one PDF of a document, with the same words on the same pages', async () => {
      const peer = await setUp();
      const { printer } = openPrinter(peer.cupsd.uri);
      const report = await printer.follow(await sendTo({ printer }, fivePages), withoutLimit());
      expect(verdictOn({ sent: 'all', report, expected: undefined })).toBe('CONFIRMED');
      expect(await pageWords(await onlyFileOf(peer))).toEqual(await pageWords(fivePages));
    });

    it('is still printing while the PDF is being made, and has it when CUPS says completed', async () => {
      const peer = await setUp();
      await peer.hold();
      const { printer } = openPrinter(peer.cupsd.uri);
      const job = await sendTo({ printer }, fivePages);
      await eventually(() => expect(peer.hasBegun()).toBe(true));
      const said: string[] = [];
      const ended = printer.follow(job, withoutLimit()).then(({ state }) => said.push(state));
      expect(await printer.describe(withoutLimit())).toMatchObject({ state: 'processing' });
      expect(said).toEqual([]);
      await peer.letGo();
      await ended;
      expect(said).toEqual(['completed']);
      expect(await pageWords(await onlyFileOf(peer))).toHaveLength(5);
    });

    it('is called completed by CUPS also when no PDF was made: the word of a spooler', async () => {
      const peer = await setUp();
      await peer.breakGhostscript();
      const { printer } = openPrinter(peer.cupsd.uri);
      const report = await printer.follow(await sendTo({ printer }, fivePages), withoutLimit());
      expect(report).toEqual({ state: 'completed', reasons: report.reasons });
      expect(printer.confirms).toBe('spooler');
      expect([...(await peer.files()).keys()]).toEqual([]);
    });

    it('is cancelled while the PDF is being made, and only the next document comes out', async () => {
      const peer = await setUp();
      await peer.hold();
      const { printer } = openPrinter(peer.cupsd.uri);
      const job = await sendTo({ printer }, fivePages);
      await eventually(() => expect(peer.hasBegun()).toBe(true));
      expect(await printer.cancel(job, withoutLimit())).toMatchObject({ state: 'canceled' });
      await peer.letGo();
      const next = samplePdf({ title: 'The next one', pages: 1 });
      await printer.follow(await sendTo({ printer }, next), withoutLimit());
      expect(await pageWords(await onlyFileOf(peer))).toEqual(await pageWords(next));
    });

    it('makes a PDF of each document that a badge lets out, once, and the cloud hears of it (I1)', async () => {
      const peer = await setUp();
      const waiting = await releasedToBob({ uri: peer.cupsd.uri, stallSeconds: 25 });
      const words = await Promise.all(waiting.map(pageWords));
      expect([await pageWords(await onlyFileOf(peer))]).toEqual(words);
    });
  });
});
