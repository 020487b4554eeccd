/** The printing of Platen against PAPPL, on which Printer Applications and some printers' firmware are built. */
import fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import { sampleData } from '../../src/simulator/sample/sample-data.ts';
import type { PrinterStage } from '../contracts/printer.ts';
import { printerContract } from '../contracts/printer.ts';
import { openPrinter, sendTo } from '../support/printer/printers.ts';
import { pdfOf } from '../support/printer/samples.ts';
import { sampleTicket } from '../support/sample-ticket.ts';
import { releasedToBob } from './badge-at-peer.ts';
import type { PapplPrinter } from './pappl.ts';
import { needsPappl, startPapplPrinter } from './pappl.ts';
import { eventually, withoutLimit } from '../support/patience.ts';

async function startStage(): Promise<PrinterStage> {
  const peer = await startPapplPrinter();
  return {
    uri: peer.uri,
    kind: 'printer',
    documents: () => peer.documents(),
    hold: () => peer.hold(),
    letGo: () => peer.letGo(),
    abortJobs: () => peer.giveUpJobs(),
    async makeUnfit() {
      await peer.pause();
      return 'paused';
    },
    switchOff: () => peer.switchOff(),
    [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
  };
}

needsPappl('a printer on PAPPL', () => {
  printerContract(startStage);

  it('that calls itself empty, and is idle and accepts, is printed to; the reason is a remark', async () => {
    const peer = await startPapplPrinter();
    onTestFinished(() => peer[Symbol.asyncDispose]());
    await peer.takePaper();
    const { printer } = openPrinter(peer.uri);
    expect(await printer.describe(withoutLimit())).toMatchObject({ ready: true, remarks: ['media-empty'] });
    const job = await sendTo({ printer }, pdfOf(1000));
    expect(await printer.follow(job, withoutLimit())).toMatchObject({ state: 'completed' });
  });

  it('has its pages counted as they come out, all of them at the end', async () => {
    const peer = await startPapplPrinter();
    onTestFinished(() => peer[Symbol.asyncDispose]());
    await peer.pace(5, 200);
    const { printer } = openPrinter(peer.uri);
    const counted: number[] = [];
    const job = await sendTo({ printer }, pdfOf(1000));
    const report = await printer.follow(job, { ...withoutLimit(), onPages: (pages) => counted.push(pages) });
    expect(report).toMatchObject({ state: 'completed', impressionsCompleted: 5 });
    expect(counted).toEqual(counted.toSorted((one, other) => one - other));
    expect(counted.some((pages) => pages > 0 && pages < 5)).toBe(true);
  });

  it('killed and started again while it prints: the outcome is unknown, and the stranger with that job-id prints on', async () => {
    const peer = await startPapplPrinter();
    onTestFinished(() => peer[Symbol.asyncDispose]());
    await peer.hold();
    const { printer } = openPrinter(peer.uri);
    const ours = await sendTo({ printer }, pdfOf(1000));
    const progress = vi.fn<() => void>();
    const options = { ...withoutLimit(), onProgress: progress };
    const followed = printer.follow(ours, options).catch((error: unknown) => error);
    await eventually(() => expect(progress).toHaveBeenCalled());
    await peer.restart();
    const another = openPrinter(peer.uri).printer;
    const ticket = { ...sampleTicket(), releaseId: '00000000000000000000000000000000' };
    const theirs = await sendTo({ printer: another }, pdfOf(2000), { ticket });
    expect(theirs.jobId).toBe(ours.jobId);
    expect(await followed).toMatchObject({ code: 'outcome-unknown' });
    expect(await printer.cancel(ours, withoutLimit())).toBeUndefined();
    await peer.letGo();
    expect(await another.follow(theirs, withoutLimit())).toMatchObject({ state: 'completed' });
    expect((await peer.documents()).map(({ length }) => length)).toEqual([2000]);
  });

  it('killed and started again while it prints, and nobody knows the job: the outcome is unknown', async () => {
    const peer = await startPapplPrinter();
    onTestFinished(() => peer[Symbol.asyncDispose]());
    await peer.hold();
    const { printer } = openPrinter(peer.uri);
    await eventually(async () => expect(await printer.describe(withoutLimit())).toMatchObject({ upTime: 3 }));
    const ours = await sendTo({ printer }, pdfOf(1000));
    const progress = vi.fn<() => void>();
    const options = { ...withoutLimit(), onProgress: progress };
    const followed = printer.follow(ours, options).catch((error: unknown) => error);
    await eventually(() => expect(progress).toHaveBeenCalled());
    await peer.restart();
    expect(await followed).toMatchObject({ code: 'outcome-unknown' });
    expect(await peer.documents()).toEqual([]);
  });

  it('is told each staple, hole and paper of forty people who choose among what it offers, and none of the others', async () => {
    await using peer = await startPapplPrinter();
    const { printer } = openPrinter(peer.uri);
    const { capabilities } = await printer.describe(withoutLimit());
    const choices = capabilities?.work?.choices ?? {};
    expect(choices).toMatchObject({
      staple: ['staple'],
      punch: ['punch'],
      'output-bin': ['top', 'mailbox-1'],
    });
    const dice = fc.sample(
      fc.record({
        staple: fc.boolean(),
        punch: fc.boolean(),
        bin: fc.constantFrom('top', 'mailbox-1'),
        type: fc.constantFrom('stationery', 'stationery-letterhead'),
        copies: fc.integer({ min: 1, max: 3 }),
      }),
      { numRuns: 40, seed: 39 },
    );
    for (const { staple, punch, bin, type, copies } of dice) {
      const work = {
        ...(staple && { staple: 'staple' }),
        ...(punch && { punch: 'punch' }),
        'output-bin': bin,
        'media-type': type,
      };
      const ticket = sampleTicket({ copies, paperSize: 'A4' }, { changed: { work } });
      const job = await sendTo({ printer }, pdfOf(1000), { ticket });
      expect(await printer.follow(job, withoutLimit())).toMatchObject({ state: 'completed' });
    }
    expect(await peer.works()).toMatchObject(
      dice.map(({ staple, punch, type, copies }) => ({
        staple: Number(staple),
        punch: Number(punch),
        type,
        copies,
      })),
    );
  });

  /** Bob badges in, and one document of so many pages comes out. */
  async function expectReleased(peer: PapplPrinter, pages: number): Promise<void> {
    const documents = [{ owner: 'bob', name: 'Plan.pdf', pages }];
    const waiting = await releasedToBob(
      { uri: peer.uri, stallSeconds: 5 },
      { seed: { ...sampleData, documents } },
    );
    expect(await peer.documents()).toEqual(waiting);
  }

  it('prints what a badge lets out, byte for byte, once, and the cloud hears of it (I1)', async () => {
    await using peer = await startPapplPrinter();
    await peer.pace(2, 50);
    await expectReleased(peer, 2);
  });

  it('is believed where it counts five pages as one, as PAPPL does with what it passes on as it is', async () => {
    await using peer = await startPapplPrinter();
    await expectReleased(peer, 5);
  });
});
