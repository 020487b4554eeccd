/** How long a job may stand (contract, section 3): slow is not stalled. */
import { describe, expect, it } from 'vitest';
import { hours, minutes, seconds } from '../../../src/core/duration.ts';
import type { Attribute } from '../../../src/ipp/message.ts';
import { attribute } from '../../../src/ipp/message.ts';
import { enumValue, integer, keyword } from '../../../src/ipp/values.ts';
import type { IppPrinterDeps } from '../../../src/printing/ipp/ipp-printer.ts';
import { hastyClock } from '../../support/hasty-clock.ts';
import { openPrinter } from '../../support/printer/printers.ts';
import type { ScriptedAnswer } from '../../support/printer/scripted-printer.ts';
import { idlePrinter, jobAnswer, startScriptedPrinter } from '../../support/printer/scripted-printer.ts';
import { withoutLimit } from '../../support/patience.ts';

const job = { jobId: 1, jobUri: '', jobName: 'Report.pdf [7f3a9c21]' };
const state = (number: number): Attribute => attribute('job-state', enumValue(number));
const [pending, processing, stopped, completed] = [3, 5, 6, 9].map(state) as [
  Attribute,
  Attribute,
  Attribute,
  Attribute,
];
const impressions = (count: number): Attribute => attribute('job-impressions-completed', integer(count));
const twentyPages = { pages: 10, copies: 2, sides: undefined };

/** `job`, `queue` and `printer` answer by how much time has passed. */
async function printerSaying(
  says: {
    job: (passed: number) => ScriptedAnswer;
    printer?: (passed: number) => ScriptedAnswer;
    queue?: (passed: number) => ScriptedAnswer;
  },
  options: Partial<IppPrinterDeps> = {},
) {
  const clock = options.clock ?? hastyClock();
  const uri = await startScriptedPrinter((_, operation) => {
    const passed = clock.monotonic();
    if (operation === 'Get-Printer-Attributes') return (says.printer ?? (() => idlePrinter()))(passed);
    if (operation === 'Get-Jobs') return (says.queue ?? (() => ({})))(passed);
    return says.job(passed);
  });
  return { ...openPrinter(uri, { clock, ...options }), clock };
}

describe('a job that does not move', () => {
  it.each([
    ['processed by a printer that counts nothing', [processing]],
    ['processed by a printer whose counter stays 0', [processing, impressions(0)]],
    ['processed by a printer whose counter stands still', [processing, impressions(1)]],
    ['pending', [pending]],
  ])('is waited for ten minutes and half a minute a page where it is %s', async (_, reported) => {
    const { printer, clock } = await printerSaying({ job: () => jobAnswer(...reported) });
    const following = printer.follow(job, { ...withoutLimit(), expected: twentyPages });
    await expect(following).rejects.toMatchObject({ code: 'printer-stalled' });
    expect(clock.monotonic()).toBeGreaterThan(minutes(20));
    expect(clock.monotonic()).toBeLessThan(minutes(21));
  });

  it('is done however late it counts, and tells all the while that it comes on', async () => {
    const { printer } = await printerSaying({
      job: (passed) =>
        passed < minutes(9) ? jobAnswer(processing, impressions(0)) : jobAnswer(completed, impressions(10)),
    });
    let reported = 0;
    const report = await printer.follow(job, { ...withoutLimit(), onProgress: () => (reported += 1) });
    expect(report).toMatchObject({ state: 'completed', impressionsCompleted: 10 });
    expect(reported).toBeGreaterThan(200);
  });

  it('has its time of the configuration, where that says one (jobStallSeconds)', async () => {
    const { printer, clock } = await printerSaying(
      { job: () => jobAnswer(stopped) },
      { jobStall: seconds(45) },
    );
    const following = printer.follow(job, { ...withoutLimit(), expected: twentyPages });
    await expect(following).rejects.toMatchObject({ code: 'printer-stalled' });
    expect(clock.monotonic()).toBeGreaterThan(45_000);
    expect(clock.monotonic()).toBeLessThan(50_000);
  });

  it('stands in a stopped printer for as long as nobody decides otherwise (T29)', async () => {
    const { printer } = await printerSaying({
      job: (passed) => jobAnswer(passed < minutes(13) ? stopped : completed),
    });
    let reported = 0;
    await printer.follow(job, { ...withoutLimit(), onStanding: () => (reported += 1) });
    expect(reported).toBeGreaterThan(300);
  });

  it('stands as well where the printer names an obstacle and calls it processing', async () => {
    const noPaper = attribute('printer-state-reasons', keyword('media-empty-error'));
    const { printer, clock } = await printerSaying({
      job: (passed) => jobAnswer(passed < minutes(4) ? processing : completed),
      printer: (passed) => (passed < minutes(1) ? idlePrinter(noPaper) : idlePrinter()),
    });
    const stood: number[] = [];
    await printer.follow(job, {
      ...withoutLimit(),
      onStanding: () => stood.push(clock.monotonic()),
    });
    expect(stood[0]).toBeLessThan(seconds(10));
    expect(stood.at(-1)).toBeLessThan(seconds(70));
  });

  it('is no stall while the queue before it moves', async () => {
    const theirs = (count: number) => ({
      groups: [
        {
          tag: 'job-attributes' as const,
          attributes: [attribute('job-id', integer(99)), impressions(count)],
        },
      ],
    });
    const { printer, clock } = await printerSaying({
      job: (passed) => jobAnswer(passed < minutes(13) ? pending : completed),
      queue: (passed) => theirs(Math.floor(passed / minutes(5))),
    });
    expect(await printer.follow(job, withoutLimit())).toMatchObject({ state: 'completed' });
    expect(clock.monotonic()).toBeGreaterThan(minutes(13));
  });

  it('is not held to time in which nothing ran: a suspended computer, a paused machine', async () => {
    const brisk = hastyClock();
    let leapt = 0;
    const clock = { ...brisk, monotonic: () => brisk.monotonic() + leapt };
    const { printer } = await printerSaying(
      {
        job: () => {
          const passed = brisk.monotonic();
          if (passed > seconds(30)) leapt = hours(10);
          return jobAnswer(passed < minutes(2) ? processing : completed);
        },
      },
      { clock },
    );
    expect(await printer.follow(job, withoutLimit())).toMatchObject({ state: 'completed' });
  });
});

describe('a job that has ended', () => {
  it('is looked at for a moment longer where its pages are counted after its end', async () => {
    let looks = 0;
    const { printer } = await printerSaying({
      job: () => {
        looks += 1;
        return jobAnswer(completed, impressions(looks < 4 ? 2 : 5));
      },
    });
    const expected = { pages: 5, copies: 1, sides: undefined };
    expect(await printer.follow(job, { ...withoutLimit(), expected })).toMatchObject({
      impressionsCompleted: 5,
    });
  });

  it('and stays short is reported so', async () => {
    const { printer, clock } = await printerSaying({ job: () => jobAnswer(completed, impressions(1)) });
    const expected = { pages: 5, copies: 1, sides: undefined };
    expect(await printer.follow(job, { ...withoutLimit(), expected })).toMatchObject({
      impressionsCompleted: 1,
    });
    expect(clock.monotonic()).toBeLessThan(seconds(6));
  });
});

describe('a job that the printer will not tell of', () => {
  const refused = { status: 'client-error-forbidden' } as const;

  it('is let go of at once where it never did', async () => {
    const { printer, clock } = await printerSaying({ job: () => refused });
    expect(await printer.follow(job, withoutLimit())).toMatchObject({ letGo: 'not-told' });
    expect(clock.monotonic()).toBe(0);
  });

  it('is not, where the printer has told of it and does so again', async () => {
    const { printer } = await printerSaying({
      job: (passed) =>
        passed > 0 && passed < seconds(20) ? refused : jobAnswer(passed === 0 ? processing : completed),
    });
    const report = await printer.follow(job, withoutLimit());
    expect(report).toMatchObject({ state: 'completed' });
    expect(report).not.toHaveProperty('letGo');
  });

  const upFor = (span: number) => idlePrinter(attribute('printer-up-time', integer(span)));
  const marked = (clock: { now(): number }) => ({
    ...job,
    marks: { upTime: { seconds: 3600, at: clock.now() } },
  });

  it('is let go of half a minute later where the printer has told of it once', async () => {
    const { printer, clock } = await printerSaying({
      job: (passed) => (passed === 0 ? jobAnswer(processing) : refused),
      printer: (passed) => upFor(3600 + Math.floor(passed / 1000)),
    });
    expect(await printer.follow(marked(clock), withoutLimit())).toMatchObject({
      letGo: 'not-told',
      state: 'processing',
    });
    expect(clock.monotonic()).toBeLessThan(seconds(35));
  });

  const nonsense: ScriptedAnswer = { groups: [{ tag: 'job-attributes', attributes: [] }] };

  it.each<[string, ScriptedAnswer, ScriptedAnswer | undefined]>([
    ['and that was restarted since', refused, upFor(12)],
    ['and that tells nothing of its own life', refused, idlePrinter()],
    ['and then answers nonsense, and was restarted since', nonsense, upFor(12)],
    ['and then answers nonsense, of itself too', nonsense, { status: 'server-error-internal-error' }],
  ])('is unknown where the printer has told of it once %s (I12)', async (_, later, printerNow) => {
    const { printer, clock } = await printerSaying({
      job: (passed) => (passed === 0 ? jobAnswer(processing) : later),
      printer: () => printerNow ?? {},
    });
    await expect(printer.follow(marked(clock), withoutLimit())).rejects.toMatchObject({
      code: 'outcome-unknown',
    });
  });
});

/** Printed a job before, and counted its page while it was at it. */
async function printerThatCounts(says: (look: number, passed: number) => ScriptedAnswer) {
  let looks = 0;
  const opened = await printerSaying({
    job: (passed) => {
      looks += 1;
      if (looks < 3) return jobAnswer(looks < 2 ? processing : completed, impressions(1));
      return says(looks - 2, passed);
    },
  });
  await opened.printer.follow({ ...job }, withoutLimit());
  return opened;
}

it.each(['follow', 'cancel'] as const)(
  'the sheet in the path counts, also behind others, before a job that is given up is over (%s): it is not missing (I1)',
  async (way) => {
    let looks = 0;
    const { printer } = await printerSaying({
      job: () => jobAnswer(state(7), impressions((looks += 1) < 3 ? 5 : 6)),
    });
    const expected = { pages: 10, copies: 1, sides: undefined };
    expect(await printer[way]({ ...job }, { ...withoutLimit(), expected })).toMatchObject({
      impressionsCompleted: 6,
    });
  },
);

describe('a job of a printer that has counted before', () => {
  const canceled = state(7);
  const stopping = attribute('job-state-reasons', keyword('processing-to-stop-point'));

  it('and is called completed with nothing counted is not taken for printed, though the printer is believed less from now on', async () => {
    const { printer } = await printerThatCounts(() => jobAnswer(completed, impressions(0)));
    expect(await printer.follow({ ...job }, withoutLimit())).toMatchObject({ isProvenCounter: true });
    expect(await printer.follow({ ...job }, withoutLimit())).not.toHaveProperty('isProvenCounter');
  });

  it.each([
    ['whose sheet in the path is counted a moment later', [canceled]],
    ['that comes to its stop', [canceled, stopping]],
  ])('and is canceled at its panel %s has a page (I1)', async (_, reported) => {
    for (const way of ['follow', 'cancel'] as const) {
      const { printer } = await printerThatCounts((look) =>
        look < 4 ? jobAnswer(...reported, impressions(0)) : jobAnswer(canceled, impressions(1)),
      );
      expect(await printer[way]({ ...job }, withoutLimit())).toMatchObject({
        state: 'canceled',
        impressionsCompleted: 1,
      });
    }
  });
});
