import { closeSync, openSync, readdirSync, readlinkSync, writeSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { minutes, seconds } from '../../../src/core/duration.ts';
import type { SpooledDocument } from '../../../src/domain/ports/printing.ts';
import { Problem } from '../../../src/domain/problem/problem.ts';
import { decodeMessage } from '../../../src/ipp/decode.ts';
import { attribute } from '../../../src/ipp/message.ts';
import { enumValue, integer } from '../../../src/ipp/values.ts';
import { hastyClock } from '../../support/hasty-clock.ts';
import { aDocument, openPrinter, plainPlan, virtualPrinter } from '../../support/printer/printers.ts';
import { pdfOf, spooled } from '../../support/printer/samples.ts';
import type { ScriptedAnswer } from '../../support/printer/scripted-printer.ts';
import {
  answer,
  jobAnswer,
  operationOf,
  startHttp,
  startScriptedPrinter,
} from '../../support/printer/scripted-printer.ts';
import { withoutLimit } from '../../support/patience.ts';
import { createVirtualTime } from '../../support/virtual-time.ts';

const job = { jobId: 1, jobUri: '', jobName: plainPlan.jobName };
const megabytes = 1_000_000;

/** A job that is one page further each time it is looked at. */
function pageByPage(): () => ScriptedAnswer {
  let pages = 0;
  return () => {
    pages += 1;
    const counter = attribute('job-impressions-completed', integer(pages));
    return jobAnswer(attribute('job-state', enumValue(5)), counter);
  };
}

describe('a document on its way to the printer', () => {
  it('is sent with its length to a printer that takes longer for it than the stall time, but never stalls', async () => {
    const time = createVirtualTime();
    const clock = time.clock();
    const stillPrinting = pageByPage();
    const received = createHash('sha256');
    let contentLength = 0;
    const uri = await startHttp(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) {
        chunks.push(chunk);
        if (chunks.length % 16 === 0) await clock.sleep(seconds(10), withoutLimit());
      }
      const { message, rest } = decodeMessage(Buffer.concat(chunks));
      if (operationOf(message) !== 'Send-Document') return answer(response, message, stillPrinting());
      contentLength = Number(request.headers['content-length']);
      received.update(rest);
      answer(response, message, {});
    });
    const { printer } = openPrinter(uri, { stall: seconds(30), clock });
    const document = await aDocument(12 * megabytes);
    const begun = clock.monotonic();
    await time.until(printer.send(job, plainPlan, document, withoutLimit()));
    expect(clock.monotonic() - begun).toBeGreaterThan(minutes(1));
    expect(received.digest('hex')).toBe(document.digest());
    expect(contentLength).toBeGreaterThan(document.length);
  });

  it('that breaks off is never taken for done (I12)', async () => {
    const peer = await virtualPrinter();
    const { printer } = openPrinter(peer.uri);
    const made = await printer.createJob(plainPlan, withoutLimit());
    await peer.behaveOnce({ kind: 'reset', afterBytes: 300_000 });
    const sending = printer.send(made, plainPlan, await aDocument(megabytes), withoutLimit());
    await expect(sending).rejects.toMatchObject({ code: 'transfer-broken', delivery: 'perhaps' });
    await expect(printer.follow(made, withoutLimit())).resolves.toMatchObject({ state: 'completed' });
    expect(peer.outputs).toMatchObject([{ bytes: 300_000, complete: false }]);
  });

  it.each([
    ['longer than all buffers in between', 30 * megabytes],
    ['that all buffers in between can hold', 200_000],
  ])('%s stalls when the printer stops reading', async (_, length) => {
    const time = createVirtualTime();
    const clock = time.clock();
    const peer = await virtualPrinter({ clock });
    const { printer } = openPrinter(peer.uri, { stall: seconds(30), clock });
    const made = await time.until(printer.createJob(plainPlan, withoutLimit()));
    await peer.behaveOnce({ kind: 'stop-reading', afterBytes: 100_000 });
    const sending = printer.send(made, plainPlan, await aDocument(length), withoutLimit());
    await expect(time.until(sending)).rejects.toMatchObject({ code: 'printer-stalled', delivery: 'perhaps' });
  });

  it('stalls by itself after two minutes in the midst', async () => {
    const time = createVirtualTime();
    const clock = time.clock();
    const peer = await virtualPrinter({ clock });
    const { printer } = openPrinter(peer.uri, { stall: 'auto', clock });
    const made = await time.until(printer.createJob(plainPlan, withoutLimit()));
    await peer.behaveOnce({ kind: 'stop-reading', afterBytes: 100_000 });
    const document = await aDocument(30 * megabytes);
    const since = clock.monotonic();
    await expect(time.until(printer.send(made, plainPlan, document, withoutLimit()))).rejects.toMatchObject({
      code: 'printer-stalled',
      delivery: 'perhaps',
    });
    expect(clock.monotonic() - since).toBeGreaterThanOrEqual(minutes(2));
    expect(clock.monotonic() - since).toBeLessThan(minutes(3));
  });

  it('is done when the printer has ended the job, though its answer never came (B.1)', async () => {
    const uri = await startHttp(async (request, response) => {
      const { message } = decodeMessage(await buffer(request));
      if (operationOf(message) === 'Send-Document') return;
      answer(response, message, jobAnswer(attribute('job-state', enumValue(9))));
    });
    await openPrinter(uri).printer.send(job, plainPlan, await aDocument(), withoutLimit());
  });

  it('that the printer answers before it has it all is broken off', async () => {
    const uri = await startHttp((request, response) => {
      const received: Buffer[] = [];
      request.on('data', (chunk: Buffer) => {
        if (received.push(chunk) === 10) answer(response, decodeMessage(Buffer.concat(received)).message, {});
      });
    });
    const sending = openPrinter(uri).printer.send(
      job,
      plainPlan,
      await aDocument(30 * megabytes),
      withoutLimit(),
    );
    await expect(sending).rejects.toMatchObject({ code: 'transfer-broken', delivery: 'perhaps' });
  });

  it('that the printer refuses has the reason of the refusal', async () => {
    const uri = await startScriptedPrinter(() => ({ status: 'client-error-document-format-error' }));
    const sending = openPrinter(uri).printer.send(job, plainPlan, await aDocument(), withoutLimit());
    await expect(sending).rejects.toMatchObject({
      code: 'document-not-printable',
      delivery: 'perhaps',
      reasons: ['client-error-document-format-error'],
    });
  });

  /** RFC 8011 appendix B.1.5.6: also where the document is larger than the printer's memory. */
  it.each(['send', 'print'] as const)(
    'that a printer gave up by a temporary error is not sent again (%s)',
    async (way) => {
      let documents = 0;
      const uri = await startScriptedPrinter((_, operation) => {
        if (operation === 'Get-Job-Attributes') return jobAnswer(attribute('job-state', enumValue(8)));
        documents += 1;
        return { status: 'server-error-temporary-error' };
      });
      const { printer } = openPrinter(uri);
      const document = await aDocument();
      const sending =
        way === 'send'
          ? printer.send(job, plainPlan, document, withoutLimit())
          : printer.print(plainPlan, document, withoutLimit());
      await expect(sending).rejects.toMatchObject({ delivery: 'perhaps' });
      expect(documents).toBe(1);
    },
  );

  it('that the caller gives up is broken off, and the printer does not get the rest', async () => {
    const peer = await virtualPrinter();
    const { printer } = openPrinter(peer.uri);
    const made = await printer.createJob(plainPlan, withoutLimit());
    const stop = new AbortController();
    const sending = printer.send(made, plainPlan, await aDocument(30 * megabytes), {
      signal: stop.signal,
      onFirstByte: () => stop.abort(new Error('the agent stops')),
    });
    await expect(sending).rejects.toMatchObject({ code: 'transfer-broken', delivery: 'perhaps' });
    await printer.follow(made, withoutLimit());
    expect(peer.outputs).toMatchObject([{ complete: false }]);
  });

  it('that was damaged in the spool never reaches the printer whole', async () => {
    const peer = await virtualPrinter();
    const { printer } = openPrinter(peer.uri);
    const made = await printer.createJob(plainPlan, withoutLimit());
    const document = await spooled(pdfOf(500_000));
    const file = openSync(spoolFile(), 'r+');
    writeSync(file, 'damage', 300_000);
    closeSync(file);
    const sending = printer.send(made, plainPlan, document, withoutLimit());
    await expect(sending).rejects.toMatchObject({ code: 'spool-failed', delivery: 'perhaps' });
    await printer.follow(made, withoutLimit());
    expect(peer.outputs).toMatchObject([{ complete: false }]);
  });
});

/** A document of which this much is here; what is pushed comes in. */
function comingDocument(length: number) {
  const bytes = new Readable({ read: () => {} });
  // Told to who reads; it may break before anybody does.
  bytes.on('error', () => {});
  const document: SpooledDocument = {
    length,
    format: 'application/pdf',
    holds: () => false,
    digest: () => undefined,
    whole: () => Promise.reject(new Error('not waited for here')),
    read: () => bytes,
    [Symbol.dispose]: () => {},
  };
  return { document, bytes };
}

describe('a document that still comes in while it is sent', () => {
  it('may pause for longer than the stall time: it is not the printer that stalls', async () => {
    const time = createVirtualTime();
    const clock = time.clock();
    const peer = await virtualPrinter({ clock });
    const { printer } = openPrinter(peer.uri, { stall: seconds(10), clock });
    const made = await time.until(printer.createJob(plainPlan, withoutLimit()));
    const { document, bytes } = comingDocument(200_000);
    const sending = printer.send(made, plainPlan, document, withoutLimit());
    bytes.push(pdfOf(100_000));
    await time.until(clock.sleep(seconds(25), withoutLimit()));
    bytes.push(pdfOf(100_000));
    bytes.push(null);
    await time.until(sending);
    await time.until(printer.follow(made, withoutLimit()));
    expect(peer.outputs).toMatchObject([{ bytes: 200_000, complete: true }]);
  });

  it('and is late for longer than a printer may be kept waiting, is broken off', async () => {
    const peer = await virtualPrinter();
    const { printer } = openPrinter(peer.uri, { clock: hastyClock() });
    const made = await printer.createJob(plainPlan, withoutLimit());
    const { document, bytes } = comingDocument(200_000);
    const sending = printer.send(made, plainPlan, document, withoutLimit());
    bytes.push(pdfOf(100_000));
    await expect(sending).rejects.toMatchObject({ cause: { code: 'document-cut' } });
  });

  it.each([
    ['breaks off on its way leaves nobody sure of the page', 100_000, 'transfer-broken', 'perhaps'],
    ['breaks off before its first byte was not printed', 0, 'document-cut', 'not-sent'],
  ])('and %s', async (_, came, code, delivery) => {
    const peer = await virtualPrinter();
    const { printer } = openPrinter(peer.uri);
    const made = await printer.createJob(plainPlan, withoutLimit());
    const { document, bytes } = comingDocument(200_000);
    const sending = printer.send(made, plainPlan, document, {
      ...withoutLimit(),
      onFirstByte: () => bytes.destroy(new Problem('document-cut', 'cut')),
    });
    if (came > 0) bytes.push(pdfOf(came));
    else bytes.destroy(new Problem('document-cut', 'cut'));
    await expect(sending).rejects.toMatchObject({ code, delivery });
  });
});

/** The one nameless file this process has open. */
function spoolFile(): string {
  const descriptors = readdirSync('/proc/self/fd').map((fd) => `/proc/self/fd/${fd}`);
  const found = descriptors.find((path) => {
    try {
      return /platen-test-.* \(deleted\)$/.test(readlinkSync(path));
    } catch {
      return false;
    }
  });
  if (found === undefined) throw new Error('no spool file is open');
  return found;
}
