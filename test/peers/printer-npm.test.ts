/**
 * The printing of Platen against npm's IPP printer. It has no Create-Job, so the contract of printers is not its own:
 * it prints by Print-Job, where the job is known only when the document is already there.
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPrinter } from '../support/printer/printers.ts';
import { pdfOf, spooled } from '../support/printer/samples.ts';
import { sampleTicket } from '../support/sample-ticket.ts';
import { releasedToBob } from './badge-at-peer.ts';
import type { NpmPrinter } from './npm-printer.ts';
import { startNpmPrinter } from './npm-printer.ts';
import { eventually, withoutLimit } from '../support/patience.ts';

async function setUp(): Promise<NpmPrinter> {
  const peer = await startNpmPrinter();
  onTestFinished(() => peer[Symbol.asyncDispose]());
  return peer;
}

/** operations-supported, RFC 8011 section 5.4.15 */
const asking = 0x000b;
const [printJob, validateJob, createJob] = [0x0002, 0x0004, 0x0005];

/** By Print-Job, up to the printer's answer. */
async function print(
  printer: ReturnType<typeof openPrinter>['printer'],
  bytes: Buffer,
  onFirstByte = () => {},
) {
  const document = await spooled(bytes);
  const plan = await printer.prepare(sampleTicket(), document, withoutLimit());
  expect(plan).toMatchObject({ inOneStep: true });
  return printer.print(plan, document, { ...withoutLimit(), onFirstByte });
}

describe("npm's IPP printer", () => {
  it('refuses IPP/2.0, and is described by 1.1 as ready, with what it takes', async () => {
    const peer = await setUp();
    const { printer } = openPrinter(peer.uri);
    expect(await printer.describe(withoutLimit())).toMatchObject({
      ready: true,
      state: 'idle',
      acceptingJobs: true,
      formats: expect.arrayContaining(['application/pdf', 'application/postscript']),
      versions: ['1.1'],
    });
    expect(peer.asked).toEqual([asking, asking]);
  });

  // Its reader of messages copies what it has with each piece that comes: more takes it minutes.
  it.each([1000, 1_000_000, 4_000_000])(
    'prints a document of %i octets by Print-Job, unchanged and once',
    async (length) => {
      const peer = await setUp();
      const { printer } = openPrinter(peer.uri);
      const job = await print(printer, pdfOf(length));
      expect(await printer.follow(job, withoutLimit())).toMatchObject({ state: 'completed' });
      expect(peer.documents()).toEqual([pdfOf(length)]);
      expect(peer.asked.filter((operation) => operation === printJob)).toHaveLength(1);
      expect(peer.asked).not.toContain(createJob);
    },
  );

  it('that is gone in the middle of the document is not asked to print it again: nobody knows what came out (I1)', async () => {
    const peer = await setUp();
    peer.hold();
    const { printer } = openPrinter(peer.uri);
    const inTheMidst = Promise.withResolvers<void>();
    const printed = print(printer, pdfOf(50_000_000), inTheMidst.resolve).catch((error: unknown) => error);
    await eventually(() => expect(peer.asked).toContain(printJob));
    // The attributes of the job go out before the document does.
    await inTheMidst.promise;
    await peer.switchOff();
    expect(await printed).toMatchObject({ delivery: 'perhaps' });
    expect(peer.asked.filter((operation) => operation === printJob)).toHaveLength(1);
  });

  it('lets a badge release what waits, byte for byte, once, and the cloud hears of it (I1)', async () => {
    const peer = await setUp();
    const waiting = await releasedToBob({ uri: peer.uri, stallSeconds: 5 });
    expect(peer.documents()).toEqual(waiting);
    expect(peer.asked).toContain(validateJob);
  });
});
