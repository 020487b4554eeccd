/** What is noticed of a printer before somebody stands in front of it. */
import { expect, it, onTestFinished } from 'vitest';
import { systemChance } from '../../src/core/chance.ts';
import { systemClock } from '../../src/core/clock.ts';
import { minutes, seconds } from '../../src/core/duration.ts';
import type { Condition } from '../../src/domain/condition.ts';
import type { PrinterDescription } from '../../src/domain/ports/printer-description.ts';
import { Problem } from '../../src/domain/problem/problem.ts';
import { createPrinterWatch } from '../../src/status/printer-watch.ts';
import { createSteeredClock } from '../support/steered-clock.ts';

const jammed: PrinterDescription = {
  ready: false,
  state: 'stopped',
  acceptingJobs: true,
  formats: [],
  mediaReady: [],
  makeAndModel: '',
  firmware: '',
  stateReasons: ['toner-low-report', 'media-jam-error'],
};

/** The first condition that is raised when the printer says so. */
async function conditionFor(description: PrinterDescription, serialNumber?: string): Promise<Condition> {
  const over = new AbortController();
  const { promise: raised, resolve } = Promise.withResolvers<Condition>();
  const watch = createPrinterWatch({
    terminal: 'lobby',
    serialNumber,
    printer: { describe: async () => description },
    conditions: { raise: resolve, clear() {} },
    onState() {},
    onView() {},
    clock: systemClock,
    chance: systemChance,
  });
  const running = watch.run(over.signal);
  const condition = await raised;
  over.abort();
  await running;
  return condition;
}

it.each<[string, Partial<PrinterDescription>, string]>([
  [
    'in words of our own, with an advice, and the reasons to look up',
    {},
    'Paper is jammed in the printer. Clear the jam. The display shows where. (toner-low-report, media-jam-error)',
  ],
  ['as far as it is known', { stateReasons: ['com.example-odd'] }, 'the printer is stopped: com.example-odd'],
  ['that it accepts no jobs', { acceptingJobs: false }, 'the printer does not accept jobs'],
])('a printer that is not ready is told %s', async (_, facts, detail) => {
  expect(await conditionFor({ ...jammed, ...facts })).toMatchObject({ code: 'printer-not-ready', detail });
});

it('a printer that tells another serial number than the terminal has is told as that, and is ready', async () => {
  const idle = { ...jammed, ready: true, state: 'idle', stateReasons: [], serialNumber: 'VNB-1' } as const;
  expect(await conditionFor(idle, 'SN-0001')).toMatchObject({
    code: 'serial-number-wrong',
    subject: 'serial number',
    severity: 'warning',
    detail: 'the printer says that its serial number is VNB-1, and this terminal is configured with SN-0001',
  });
});

it('a printer that prints in spite of an empty tray is told as that, and is ready', async () => {
  const remarks = ['media-empty-error'];
  const idle = { ...jammed, ready: true, state: 'idle', stateReasons: remarks, remarks } as const;
  expect(await conditionFor(idle)).toMatchObject({
    code: 'printer-remark',
    severity: 'warning',
    detail: 'The printer is out of paper. Add paper. The printer still prints (media-empty-error)',
  });
});

it('a printer that runs out of toner is told as that, and is ready', async () => {
  const supplies = [{ name: 'Black', level: 0.05, fills: false }];
  const idle = { ...jammed, ready: true, state: 'idle', stateReasons: [], supplies } as const;
  expect(await conditionFor(idle)).toMatchObject({
    code: 'printer-supply-low',
    subject: 'supplies',
    severity: 'warning',
    detail: 'Black is below 10 %',
  });
});

it.each([
  ['printer-incapable', /Print-Job\. Switch on IPP printing /],
  ['printer-rejecting', /does nothing\. .*Let the queue accept jobs again/],
] as const)(
  'a printer that nothing can be printed to is told as %s, with what to do',
  async (code, detail) => {
    const message =
      code === 'printer-rejecting'
        ? 'the printer accepts no jobs, and does nothing'
        : 'the printer has neither Create-Job with Send-Document nor Print-Job';
    const idle = { ...jammed, state: 'idle', stateReasons: [] } as const;
    expect(await conditionFor({ ...idle, unfit: new Problem(code, message) })).toMatchObject({
      code,
      detail: expect.stringMatching(detail),
    });
  },
);

it.each([
  [undefined, { subject: 'printer', severity: 'error' }],
  ['Colour, A3', { subject: 'printer Colour, A3', severity: 'warning' }],
])(
  'one of several that is away is told by its name, and the default as the only one is',
  async (apart, reported) => {
    const over = new AbortController();
    const { promise: raised, resolve } = Promise.withResolvers<Condition>();
    const watch = createPrinterWatch({
      terminal: 'lobby',
      apart,
      printer: { describe: () => Promise.reject(new Problem('printer-unreachable', 'no answer')) },
      conditions: { raise: resolve, clear() {} },
      onState() {},
      onView() {},
      clock: systemClock,
      chance: systemChance,
    });
    const running = watch.run(over.signal);
    expect(await raised).toMatchObject({ scope: 'lobby', code: 'printer-unreachable', ...reported });
    over.abort();
    await running;
  },
);

/** A watch whose printer says what the test lays out; `undefined`: it does not answer. */
function watched() {
  const clock = createSteeredClock();
  const now: { printer: PrinterDescription | undefined } = { printer: jammed };
  const views: unknown[] = [];
  let looks = 0;
  const watch = createPrinterWatch({
    terminal: 'lobby',
    printer: {
      describe: async () => {
        looks += 1;
        if (!now.printer) throw new Problem('printer-unreachable', 'connection refused');
        return now.printer;
      },
    },
    conditions: { raise() {}, clear() {} },
    onState() {},
    onView: () => views.push(watch.view()),
    clock,
    chance: { ...systemChance, jitter: (span) => span },
  });
  const over = new AbortController();
  const running = watch.run(over.signal);
  onTestFinished(async () => {
    over.abort();
    await running;
  });
  return { clock, now, views, watch, looks: () => looks };
}

it('a printer is shown anew when a person would see something new, and only then', async () => {
  const { clock, now, views, watch, looks } = watched();
  expect(watch.view()).toBeUndefined();
  await clock.advance(minutes(1));
  now.printer = { ...jammed, stateReasons: ['media-empty-error'] };
  await clock.advance(minutes(1));
  now.printer = undefined;
  await clock.advance(minutes(1));
  now.printer = { ...jammed, ready: true, state: 'processing', stateReasons: [] };
  await clock.advance(minutes(2));
  now.printer = { ...now.printer, state: 'idle' };
  await clock.advance(minutes(2));
  expect(views).toEqual([
    { lamp: 'needs-attention', needs: 'jam' },
    { lamp: 'needs-attention', needs: 'paper' },
    { lamp: 'unreachable' },
    { lamp: 'busy' },
    { lamp: 'ready' },
  ]);
  expect(looks()).toBeGreaterThan(15);
});

it('a printer that was mended is seen within ten seconds, and one that is well is asked once a minute', async () => {
  const { clock, now, watch, looks } = watched();
  await clock.advance(seconds(1));
  now.printer = { ...jammed, ready: true, state: 'idle', stateReasons: [] };
  await clock.advance(seconds(10));
  expect(watch.view()).toEqual({ lamp: 'ready' });
  const before = looks();
  await clock.advance(minutes(10));
  expect(looks() - before).toBe(10);
});
