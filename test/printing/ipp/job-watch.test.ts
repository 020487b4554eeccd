import { describe, expect, it } from 'vitest';
import { minutes, seconds } from '../../../src/core/duration.ts';
import type { Attribute } from '../../../src/ipp/message.ts';
import { attribute } from '../../../src/ipp/message.ts';
import { enumValue, integer, keyword, nameWithoutLanguage } from '../../../src/ipp/values.ts';
import { hastyClock } from '../../support/hasty-clock.ts';
import { openPrinter, virtualPrinter } from '../../support/printer/printers.ts';
import type { ScriptedAnswer } from '../../support/printer/scripted-printer.ts';
import { idlePrinter, jobAnswer, startScriptedPrinter } from '../../support/printer/scripted-printer.ts';
import { withoutLimit } from '../../support/patience.ts';

const job = { jobId: 1, jobUri: '', jobName: 'Report.pdf [7f3a9c21]' };
const processing = attribute('job-state', enumValue(5));
const completed = attribute('job-state', enumValue(9));
const impressions = (count: number): Attribute => attribute('job-impressions-completed', integer(count));

/** A printer whose job is as told; `printer` answers what is asked of the printer itself. */
async function watching(
  states: (look: number) => ScriptedAnswer,
  { stall = seconds(30), printer = () => idlePrinter() } = {},
) {
  let looks = 0;
  const uri = await startScriptedPrinter((_, operation) => {
    if (operation === 'Get-Printer-Attributes') return printer();
    if (operation === 'Cancel-Job') return {};
    looks += 1;
    return states(looks);
  });
  const clock = hastyClock();
  const opened = openPrinter(uri, { clock, stall });
  return { ...opened, clock };
}

describe('a job that is followed', () => {
  it('ends as the printer says, with the counters it has', async () => {
    const sheets = attribute('job-media-sheets-completed', integer(2));
    const reasons = attribute('job-state-reasons', keyword('job-completed-with-warnings'));
    const { printer } = await watching((look) =>
      look < 3 ? jobAnswer(processing) : jobAnswer(completed, reasons, impressions(4), sheets),
    );
    expect(await printer.follow(job, withoutLimit())).toEqual({
      state: 'completed',
      reasons: ['job-completed-with-warnings'],
      impressionsCompleted: 4,
      sheetsCompleted: 2,
    });
  });

  it.each([
    [seconds(1), 12],
    [minutes(1), 45],
  ])('is looked at at once, and within %d ms no more than %d times', async (span, most) => {
    const looks: number[] = [];
    const { printer, clock } = await watching((look) => {
      looks[look] = clock.monotonic();
      return look < 60 ? jobAnswer(processing, impressions(look)) : jobAnswer(completed);
    });
    await printer.follow(job, withoutLimit());
    const [first = Infinity, ...rest] = looks.filter((at) => at <= span);
    expect(first).toBe(0);
    expect(rest.length).toBeGreaterThan(3);
    expect(rest.length).toBeLessThan(most);
  });

  it('tells what it is seen to do on the way: to come on, or to stand', async () => {
    const looks = [
      jobAnswer(processing, impressions(0)),
      jobAnswer(processing, impressions(0)),
      jobAnswer(processing, impressions(1)),
      jobAnswer(attribute('job-state', enumValue(6)), impressions(1)),
      jobAnswer(attribute('job-state', enumValue(6)), impressions(1)),
      jobAnswer(processing, impressions(1)),
    ];
    const { printer } = await watching((look) => looks[look - 1] ?? jobAnswer(completed));
    const reported: string[] = [];
    const tells = { onProgress: () => reported.push('comes on'), onStanding: () => reported.push('stands') };
    await printer.follow(job, { ...withoutLimit(), ...tells });
    expect(reported).toEqual(['comes on', 'comes on', 'comes on', 'stands', 'stands', 'comes on']);
  });

  it('is told of with every count of its pages, just as the printer says it', async () => {
    const counts = [0, 2, 2, 1, 2_147_483_647];
    const { printer } = await watching((look) => {
      const count = counts[look - 1];
      return count === undefined ? jobAnswer(completed) : jobAnswer(processing, impressions(count));
    });
    const reported: number[] = [];
    await printer.follow(job, { ...withoutLimit(), onPages: (count) => reported.push(count) });
    expect(reported).toEqual(counts);
  });

  it('does not stall while anything changes', async () => {
    const { printer, clock } = await watching((look) =>
      look < 200 ? jobAnswer(processing, impressions(Math.floor(look / 10))) : jobAnswer(completed),
    );
    expect(await printer.follow(job, withoutLimit())).toMatchObject({ state: 'completed' });
    expect(clock.monotonic()).toBeGreaterThan(minutes(6));
  });

  it.each<[string, ScriptedAnswer]>([
    ['is not found', { status: 'client-error-not-found' }],
    ['is gone', { status: 'client-error-gone' }],
    [
      'is another one by now',
      jobAnswer(completed, attribute('job-name', nameWithoutLanguage('Report.pdf [00000000]'))),
    ],
  ])('has an unknown outcome when it %s', async (_, said) => {
    const { printer } = await watching(() => said);
    await expect(printer.follow(job, withoutLimit())).rejects.toMatchObject({ code: 'outcome-unknown' });
    expect(await printer.cancel(job, withoutLimit())).toBeUndefined();
  });

  it('goes on where a printer that has answered for it refuses to for a moment', async () => {
    const { printer } = await watching((look) => {
      if (look > 3 && look < 7) return { status: 'client-error-not-authenticated' };
      return look < 9 ? jobAnswer(processing, impressions(1)) : jobAnswer(completed, impressions(2));
    });
    expect(await printer.follow(job, withoutLimit())).toMatchObject({ state: 'completed' });
  });

  it('is let go of by a printer that never answered for it (RFC 8011 section 4.3.4)', async () => {
    let looks = 0;
    const { printer } = await watching((look) => {
      looks = look;
      return { status: 'client-error-not-authorized' };
    });
    expect(await printer.follow(job, withoutLimit())).toMatchObject({ letGo: 'not-told' });
    expect(looks).toBeLessThan(3);
  });

  it('is waited for over an outage, which is not held against it', async () => {
    const { printer, clock } = await watching((look) => {
      if (look < 5) return jobAnswer(processing, impressions(1));
      if (look < 400) return { status: 'server-error-internal-error' };
      return look < 405 ? jobAnswer(processing, impressions(1)) : jobAnswer(completed);
    });
    expect(await printer.follow(job, withoutLimit())).toMatchObject({ state: 'completed' });
    expect(clock.monotonic()).toBeGreaterThan(minutes(6));
  });

  it('is given up when the printer is gone for 10 minutes', async () => {
    const peer = await virtualPrinter();
    await peer.behave({ kind: 'refuse-connections' });
    const clock = hastyClock();
    const { printer } = openPrinter(peer.uri, { clock });
    await expect(printer.follow(job, withoutLimit())).rejects.toMatchObject({ code: 'printer-unreachable' });
    expect(clock.monotonic()).toBeGreaterThan(minutes(10));
    expect(clock.monotonic()).toBeLessThan(minutes(11));
  });

  it('is let go of when the caller gives it up', async () => {
    const stop = new AbortController();
    const { printer } = await watching((look) => {
      if (look === 3) stop.abort(new Error('the agent stops'));
      return jobAnswer(processing);
    });
    await expect(printer.follow(job, { signal: stop.signal })).rejects.toThrow('the agent stops');
  });
});

describe('a job that is cancelled', () => {
  const canceled = jobAnswer(attribute('job-state', enumValue(7)), impressions(0));

  it('is asked to end once, and followed to its end', async () => {
    const { printer } = await watching((look) => (look < 4 ? jobAnswer(processing) : canceled));
    expect(await printer.cancel(job, withoutLimit())).toMatchObject({
      state: 'canceled',
      impressionsCompleted: 0,
    });
  });

  it('is not asked to end when it has', async () => {
    const { printer } = await watching(() => jobAnswer(completed));
    expect(await printer.cancel(job, withoutLimit())).toMatchObject({ state: 'completed' });
  });

  it('keeps the pages that were counted, where the printer forgets them as it cancels it (I1, I11)', async () => {
    const blank = [impressions(0), attribute('job-media-sheets-completed', integer(0))];
    const { printer } = await watching((look) =>
      look < 3
        ? jobAnswer(attribute('job-state', enumValue(6)), impressions(2))
        : jobAnswer(attribute('job-state', enumValue(7)), ...blank),
    );
    for (const end of [await printer.follow(job, withoutLimit()), await printer.cancel(job, withoutLimit())])
      expect(end).toMatchObject({ state: 'canceled', impressionsCompleted: 2 });
  });

  it('has no end that can be said when it goes on for 15 s, or the printer is gone', async () => {
    const { printer, clock } = await watching(() => jobAnswer(processing));
    expect(await printer.cancel(job, withoutLimit())).toBeUndefined();
    expect(clock.monotonic()).toBeGreaterThanOrEqual(15_000);
    const peer = await virtualPrinter();
    await peer.behave({ kind: 'refuse-connections' });
    const gone = openPrinter(peer.uri, { clock: hastyClock() });
    expect(await gone.printer.cancel(job, withoutLimit())).toBeUndefined();
  });

  it('comes back to the caller only by the signal', async () => {
    const stop = new AbortController();
    const { printer } = await watching((look) => {
      if (look === 3) stop.abort(new Error('the agent stops'));
      return jobAnswer(processing);
    });
    await expect(printer.cancel(job, { signal: stop.signal })).rejects.toThrow('the agent stops');
  });
});
