/**
 * A driverless queue of CUPS before the IPP Everywhere printer of CUPS. Its filters write the PDF anew: what came out is
 * compared by its pages and its text, never by its bytes.
 */
import { expect, it, onTestFinished } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { isProblem } from '../../src/domain/problem/problem.ts';
import { verdictOn } from '../../src/domain/printer/job-verdict.ts';
import { samplePdf } from '../../src/simulator/sample/sample-pdf.ts';
import { bobCard, setStage } from '../support/agent/stage.ts';
import { openPrinter, sendTo } from '../support/printer/printers.ts';
import { pageWords } from '../support/page-words.ts';
import { sampleTicket } from '../support/sample-ticket.ts';
import { needsPeer } from '../support/needs.ts';
import type { Cupsd } from './cupsd.ts';
import { startCupsd } from './cupsd.ts';
import type { IppEvePrinter } from './ippeveprinter.ts';
import { startIppEvePrinter } from './ippeveprinter.ts';
import { eventually, withoutLimit } from '../support/patience.ts';

interface Driverless {
  readonly queue: Cupsd;
  readonly behind: IppEvePrinter;
}

async function setUp(): Promise<Driverless> {
  const behind = await startIppEvePrinter();
  onTestFinished(() => behind[Symbol.asyncDispose]());
  const queue = await startCupsd({ device: behind.uri, model: 'everywhere' });
  onTestFinished(() => queue[Symbol.asyncDispose]());
  return { queue, behind };
}

const threePages = samplePdf({ title: 'Through the filters', pages: 3 });

needsPeer('cupsd', 'cups-daemon')('CUPS', () => {
  needsPeer('/usr/lib/cups/filter/pdftopdf', 'cups-filters')('with its filters', () => {
    needsPeer('pdftotext', 'poppler-utils')('a driverless queue', () => {
      it('prints a document once, its pages and its words unchanged, and confirms as a spooler', async () => {
        const { queue, behind } = await setUp();
        // On a busy machine its filters have taken more than the 10 s after which the others are given up.
        const { printer } = openPrinter(queue.uri, { stall: seconds(25) });
        const job = await sendTo({ printer }, threePages);
        const report = await printer.follow(job, withoutLimit());
        expect(verdictOn({ sent: 'all', report, expected: undefined })).toBe('CONFIRMED');
        // What filters counted is no printer's word.
        expect(report).toEqual({ state: 'completed', reasons: report.reasons });
        const [document, ...more] = await behind.documents();
        expect(more).toEqual([]);
        const pages = await pageWords(document ?? Buffer.alloc(0));
        // This printer lays its pages face up: the filters give it the last one first.
        const numbers = pages.map((page) => /Page \d of \d/.exec(page)?.[0]);
        expect(numbers).toEqual(['Page 3 of 3', 'Page 2 of 3', 'Page 1 of 3']);
      });

      it('hands copies, sides and grey on to the printer', async () => {
        const { queue, behind } = await setUp();
        const { printer } = openPrinter(queue.uri);
        const ticket = sampleTicket({ copies: 2, sides: 'two-sided-long-edge', grayscale: true });
        await printer.follow(await sendTo({ printer }, threePages, { ticket }), withoutLimit());
        expect(await behind.lastJob()).toMatchObject({
          IPP_COPIES: '2',
          IPP_SIDES: 'two-sided-long-edge',
          IPP_PRINT_COLOR_MODE: 'monochrome',
        });
      });

      it('stops with a document that is no PDF, and nothing comes out once that is cancelled (T29)', async () => {
        const { queue, behind } = await setUp();
        const { printer } = openPrinter(queue.uri, { jobStall: seconds(1) });
        const job = await sendTo(
          { printer },
          Buffer.from('%PDF-1.7\nnothing of a PDF, nor a /Page\n%%EOF\n'),
        );
        // Mostly the queue stops; sometimes CUPS gives the job up by itself.
        const report = await printer.follow(job, withoutLimit()).catch((error: unknown) => {
          if (!isProblem(error, 'printer-stalled')) throw error;
          return printer.cancel(job, withoutLimit());
        });
        expect(['aborted', 'canceled']).toContain(report?.state);
        expect(report && verdictOn({ sent: 'all', report, expected: undefined })).toBe('UNKNOWN');
        expect(await behind.documents()).toEqual([]);
      });

      it('serves the whole agent: a badge lets out what waits, once, and the history has it (I1, I2)', async () => {
        const { queue, behind } = await setUp();
        const printer = { uri: queue.uri, stallSeconds: 10 };
        await using stage = await setStage({ terminal: { session: { autoRelease: true }, printer } });
        const waiting = stage.cloud.state.documents.filter(({ owner }) => owner === 'bob');
        const agent = await stage.start();
        await agent.told('terminal ready');
        await agent.told('reader up');
        stage.reader.tap(bobCard);
        for (const _ of waiting) {
          expect(await agent.told('release ended')).toMatchObject({ outcome: 'completed' });
          await agent.told('history accepted');
        }
        await eventually(async () => expect(await behind.documents()).toHaveLength(waiting.length));
        const wanted = await Promise.all(waiting.map(({ bytes }) => pageWords(Buffer.from(bytes))));
        const printed = await Promise.all((await behind.documents()).map(pageWords));
        expect(printed.map((pages) => pages.length)).toEqual(wanted.map((pages) => pages.length));
        expect(stage.cloud.deviations).toEqual([]);
      });
    });
  });
});
