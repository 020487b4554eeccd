/** The printing of Platen against the IPP Everywhere printer of CUPS: a protocol written by somebody else. */
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import type { PrinterStage } from '../contracts/printer.ts';
import { printerContract } from '../contracts/printer.ts';
import { openPrinter, sendTo } from '../support/printer/printers.ts';
import { sampleTicket } from '../support/sample-ticket.ts';
import { pdfOf, spooled } from '../support/printer/samples.ts';
import { needsPeer } from '../support/needs.ts';
import type { IppEvePrinter } from './ippeveprinter.ts';
import { startIppEvePrinter } from './ippeveprinter.ts';
import { withoutLimit } from '../support/patience.ts';

async function startStage(): Promise<PrinterStage> {
  const peer = await startIppEvePrinter();
  return {
    uri: peer.uri,
    kind: 'printer',
    documents: () => peer.documents(),
    hold: () => peer.hold(),
    letGo: () => peer.letGo(),
    abortJobs: () => peer.exitWith(3),
    async makeUnfit() {
      await peer.fillTrays(0);
      return 'media-empty';
    },
    switchOff: async () => peer.signal('SIGKILL'),
    [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
  };
}

async function setUp(): Promise<IppEvePrinter> {
  const peer = await startIppEvePrinter();
  onTestFinished(() => peer[Symbol.asyncDispose]());
  return peer;
}

needsPeer('dbus-daemon', 'dbus-daemon')('with a system bus', () => {
  needsPeer('ippeveprinter', 'cups-ipp-utils')('ippeveprinter', () => {
    printerContract(startStage);

    it('prints with the attributes the document asks for, under the names the contract fixes', async () => {
      const peer = await setUp();
      const { printer } = openPrinter(peer.uri);
      const ticket = sampleTicket(
        { copies: 3, sides: 'two-sided-short-edge', paperSize: 'A4', grayscale: true, collate: false },
        { sendUsername: true },
      );
      await printer.follow(await sendTo({ printer }, pdfOf(1000), { ticket }), withoutLimit());
      expect(await peer.lastJob()).toMatchObject({
        IPP_COPIES: '3',
        IPP_SIDES: 'two-sided-short-edge',
        IPP_MEDIA: 'iso_a4_210x297mm',
        IPP_PRINT_COLOR_MODE: 'monochrome',
        IPP_MULTIPLE_DOCUMENT_HANDLING: 'separate-documents-uncollated-copies',
        IPP_JOB_NAME: 'Report.pdf \\[7f3a9c21]',
        IPP_DOCUMENT_NAME_SUPPLIED: 'Report.pdf',
        IPP_JOB_ORIGINATING_USER_NAME: 'anna.lind',
      });
    });

    it('reports an aborted job with the impressions that came out, and no media sheets', async () => {
      const peer = await setUp();
      await peer.say('ATTR: job-impressions=10 job-impressions-completed=4');
      await peer.exitWith(3);
      const { printer } = openPrinter(peer.uri);
      const report = await printer.follow(await sendTo({ printer }, pdfOf(1000)), withoutLimit());
      expect(report).toMatchObject({
        state: 'aborted',
        reasons: ['aborted-by-system'],
        impressions: 10,
        impressionsCompleted: 4,
      });
      expect(report.sheetsCompleted).toBeUndefined();
    });

    it('is ready with a jam it calls a mere report, for it prints on', async () => {
      const peer = await setUp();
      await peer.say('STATE: +media-jam');
      const { printer } = openPrinter(peer.uri);
      await printer.follow(await sendTo({ printer }, pdfOf(1000)), withoutLimit());
      const description = await printer.describe(withoutLimit());
      expect(description).toMatchObject({ ready: true, stateReasons: ['media-jam-report'] });
    });

    it('is trusted over ipps only when its certificate is among the roots (T22)', async () => {
      const peer = await setUp();
      const uri = peer.uri.replace('ipp:', 'ipps:');
      await expect(openPrinter(uri).printer.describe(withoutLimit())).rejects.toMatchObject({
        code: 'printer-certificate-refused',
        delivery: 'not-sent',
        reasons: ['DEPTH_ZERO_SELF_SIGNED_CERT'],
      });
      const roots = getCACertificates('default');
      onTestFinished(() => setDefaultCACertificates(roots));
      setDefaultCACertificates([...roots, await peer.certificate()]);
      const { printer } = openPrinter(uri);
      const job = await sendTo({ printer }, pdfOf(1_000_000));
      expect(await printer.follow(job, withoutLimit())).toMatchObject({ state: 'completed' });
      expect((await peer.documents())[0]?.equals(pdfOf(1_000_000))).toBe(true);
    });

    it('is broken off from, not taken for done, when it dies with the job', async () => {
      const peer = await setUp();
      await peer.hold();
      const { printer } = openPrinter(peer.uri);
      const document = await spooled(pdfOf(50_000_000));
      const plan = await printer.prepare(sampleTicket(), document, withoutLimit());
      const job = await printer.createJob(plan, withoutLimit());
      const onFirstByte = () => peer.signal('SIGKILL');
      await expect(
        printer.send(job, plan, document, { ...withoutLimit(), onFirstByte }),
      ).rejects.toMatchObject({
        code: 'transfer-broken',
        delivery: 'perhaps',
      });
    });
  });
});
