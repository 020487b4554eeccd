/** A queue of CUPS as its answers are read, where the real one cannot be made to say so at will. */
import { describe, expect, it } from 'vitest';
import { seconds } from '../../src/core/duration.ts';
import { verdictOn } from '../../src/domain/printer/job-verdict.ts';
import type { Attribute } from '../../src/ipp/message.ts';
import { attribute, strings } from '../../src/ipp/message.ts';
import * as ipp from '../../src/ipp/values.ts';
import { hastyClock } from '../support/hasty-clock.ts';
import { openPrinter } from '../support/printer/printers.ts';
import type { ScriptedAnswer } from '../support/printer/scripted-printer.ts';
import { idlePrinter, jobAnswer, startScriptedPrinter } from '../support/printer/scripted-printer.ts';
import { withoutLimit } from '../support/patience.ts';

const job = { jobId: 1, jobUri: '', jobName: 'Report.pdf [7f3a9c21]' };
const state = (number: number) => attribute('job-state', ipp.enumValue(number));
const [pending, processing, canceled, completed] = [3, 5, 7, 9].map(state) as [
  Attribute,
  Attribute,
  Attribute,
  Attribute,
];
const begunAt = (second: number) => attribute('time-at-processing', ipp.integer(second));
const neverBegun = attribute('time-at-processing', ipp.noValue);
const counters = (count: number) => [
  attribute('job-impressions-completed', ipp.integer(count)),
  attribute('job-media-sheets-completed', ipp.integer(count)),
];

/** A queue whose job and attributes are as told. */
async function queueSaying(script: {
  readonly job?: (look: number) => ScriptedAnswer;
  readonly queue?: readonly Attribute[];
}) {
  let looks = 0;
  let cancels = 0;
  const asked = new Set<string>();
  const uri = await startScriptedPrinter(({ groups: [own] }, operation) => {
    if (operation === 'Cancel-Job') cancels += 1;
    if (operation === 'Get-Job-Attributes') return script.job?.((looks += 1)) ?? {};
    for (const name of strings(own?.attributes ?? [], 'requested-attributes')) asked.add(name);
    return operation === 'Get-Printer-Attributes' ? idlePrinter(...(script.queue ?? [])) : {};
  });
  const { host } = new URL(uri);
  const opened = openPrinter(`cups://${host}/office`, { clock: hastyClock(), stall: seconds(30) });
  return { ...opened, cancels: () => cancels, asked };
}

describe('a job in a queue', () => {
  it('that was begun is taken without its counters, which tell nothing of the printer', async () => {
    const { printer } = await queueSaying({ job: () => jobAnswer(completed, begunAt(7), ...counters(1)) });
    expect(await printer.follow(job, withoutLimit())).toEqual({ state: 'completed', reasons: [] });
  });

  it.each([
    ['was begun may have come out, whatever is counted', begunAt(7), 'UNKNOWN'],
    ['was never begun has not come out', neverBegun, 'NOOUTPUT'],
  ] as const)('that was cancelled and %s', async (_, begun, verdict) => {
    const { printer } = await queueSaying({ job: () => jobAnswer(canceled, begun, ...counters(0)) });
    expect(
      verdictOn({ sent: 'all', report: await printer.follow(job, withoutLimit()), expected: undefined }),
    ).toBe(verdict);
  });

  it.each<[string, (look: number) => ScriptedAnswer]>([
    ['was begun twice', (look) => jobAnswer(processing, begunAt(look < 3 ? 7 : 8))],
    ['waits again after it was begun', (look) => jobAnswer(look < 3 ? processing : pending, begunAt(7))],
    ['was begun twice and is done', (look) => jobAnswer(look < 3 ? processing : completed, begunAt(look))],
  ])('that %s has an unknown outcome (B.1)', async (_, said) => {
    const { printer } = await queueSaying({ job: said });
    await expect(printer.follow(job, withoutLimit())).rejects.toMatchObject({ code: 'outcome-unknown' });
  });

  it('that would be printed again is cancelled', async () => {
    const { printer, cancels } = await queueSaying({ job: (look) => jobAnswer(processing, begunAt(look)) });
    await expect(printer.follow(job, withoutLimit())).rejects.toMatchObject({ code: 'outcome-unknown' });
    expect(cancels()).toBe(1);
  });

  it('that waits its turn has not been begun, and is waited for', async () => {
    const { printer } = await queueSaying({
      job: (look) => (look < 5 ? jobAnswer(pending, neverBegun) : jobAnswer(completed, begunAt(9))),
    });
    expect(await printer.follow(job, withoutLimit())).toMatchObject({ state: 'completed' });
  });
});

describe('a queue', () => {
  const reasons = (...words: readonly string[]) =>
    attribute('printer-state-reasons', ...words.map(ipp.keyword));
  const printerState = (number: number) => attribute('printer-state', ipp.enumValue(number));
  const [idle, busy, stopped] = [3, 4, 5].map(printerState) as [Attribute, Attribute, Attribute];
  const message = (text: string) => attribute('printer-state-message', ipp.textWithoutLanguage(text));

  it.each<[string, readonly Attribute[], readonly string[]]>([
    ['idle, and remembers an empty tray', [idle, reasons('media-empty-error')], []],
    ['idle, and remembers a printer that was away', [idle, message('The printer is not responding.')], []],
    ['idle and takes no new jobs up', [idle, reasons('hold-new-jobs')], ['hold-new-jobs']],
    ['stopped', [stopped, reasons('paused')], ['paused']],
    ['stopped and does not say why', [stopped], ['stopped']],
    ['printing, with a tray that is empty', [busy, reasons('media-empty-error')], []],
    ['calling its printer', [busy, reasons('connecting-to-device')], ['connecting-to-device']],
    ['printing to a printer that is off', [busy, reasons('offline-report')], ['offline-report']],
    [
      'printing to a printer that does not answer',
      [busy, message('The printer may not exist or is unavailable at this time.')],
      ['offline-report'],
    ],
    ['printing', [busy, reasons('cups-waiting-for-job-completed')], []],
  ])('that is %s', async (_, queue, obstacles) => {
    const { printer } = await queueSaying({ queue });
    expect(await printer.describe(withoutLimit())).toMatchObject({
      obstacles,
      ready: obstacles.length === 0,
    });
  });

  it.each([
    ['ipp://anna:hunter2@10.0.0.7/ipp/print?encryption=no', 'ipp://10.0.0.7/ipp/print'],
    ['usb://Maker/Model?serial=1', 'usb://Maker/Model'],
    ['file:///dev/null', 'file:/dev/null'],
    ['nonsense', ''],
  ])('that prints to %s is shown as printing to %j (I5)', async (device, shown) => {
    const { printer, asked } = await queueSaying({ queue: [attribute('device-uri', ipp.uri(device))] });
    expect(await printer.describe(withoutLimit())).toMatchObject({
      queue: { name: 'office', device: shown },
    });
    expect([...asked]).toEqual(expect.arrayContaining(['printer-error-policy', 'device-uri']));
  });

  it('whose type says that it is a class is one', async () => {
    const { printer } = await queueSaying({ queue: [attribute('printer-type', ipp.enumValue(0x1005))] });
    expect(await printer.describe(withoutLimit())).toMatchObject({ queue: { isClass: true } });
  });
});
