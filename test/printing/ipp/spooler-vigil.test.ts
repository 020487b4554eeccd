/** A spooler that goes away with a job of ours, and what it is told first when it is back (INVARIANTS.md D15, I1). */
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/core/clock.ts';
import { systemClock } from '../../../src/core/clock.ts';
import type { Duration } from '../../../src/core/duration.ts';
import { seconds } from '../../../src/core/duration.ts';
import type { Attribute } from '../../../src/ipp/message.ts';
import { attribute } from '../../../src/ipp/message.ts';
import * as ipp from '../../../src/ipp/values.ts';
import { busyLimit, returnHaste, returnLeisure, returnPause } from '../../../src/printing/timings.ts';
import { sampleTicket } from '../../support/sample-ticket.ts';
import { startMortalSpooler } from '../mortal-spooler.ts';
import { aDocument, openPrinter, plainPlan } from '../../support/printer/printers.ts';
import type { ScriptedAnswer } from '../../support/printer/scripted-printer.ts';
import { jobAnswer } from '../../support/printer/scripted-printer.ts';
import { eventually, withoutLimit } from '../../support/patience.ts';

const state = (number: number) => attribute('job-state', ipp.enumValue(number));
const named = (name: string) => attribute('job-name', ipp.nameWithoutLanguage(name));
const begunAt = (second: number) => attribute('time-at-processing', ipp.integer(second));
const [processing, canceled, completed] = [5, 7, 9] as const;
const neverBegun = attribute('time-at-processing', ipp.noValue);
const jobOf = (number: number, ...more: readonly Attribute[]) =>
  jobAnswer(state(number), named(plainPlan.jobName), ...more);

/** A job that is being printed, seen so by its follower. */
async function printing({
  for: span = seconds(0),
  as = jobOf(processing, begunAt(7)),
}: {
  readonly for?: Duration;
  readonly as?: ScriptedAnswer;
} = {}) {
  const spooler = await startMortalSpooler();
  let ahead = 0;
  const naps = new Set<number>();
  const clock: Clock = {
    ...systemClock,
    monotonic: () => systemClock.monotonic() + ahead,
    sleep(nap, options) {
      naps.add(nap);
      return systemClock.sleep(nap, options);
    },
  };
  const opened = openPrinter(spooler.uri, { clock, stall: seconds(600) });
  const { printer } = opened;
  spooler.jobIs(as);
  const job = await printer.createJob(plainPlan, withoutLimit());
  const followed = printer.follow(job, withoutLimit());
  followed.catch(() => {});
  // Who asks again has taken in the first answer: nothing passes before that.
  const questions = () => spooler.asked.filter((one) => one === 'Get-Job-Attributes');
  const enough = span > 0 ? 2 : 1;
  await eventually(() => expect(questions().length).toBeGreaterThanOrEqual(enough));
  // One for what is asked, one on which nothing is said.
  await eventually(async () => expect(await spooler.connections()).toBeGreaterThanOrEqual(2));
  ahead += span;
  const passes = (more: Duration) => void (ahead += more);
  return { ...opened, spooler, job, followed, passes, naps };
}

/** Everything that was asked for from now on, but looks at the queue. */
function askedSince({ asked }: { readonly asked: readonly string[] }) {
  const before = asked.length;
  return () => asked.slice(before);
}

const cancels = (asked: readonly string[]) => asked.filter((one) => one.startsWith('Cancel-Job'));

/** Cancelled as soon as it was asked to. */
const untilCancelled = (...job: readonly Attribute[]) => {
  let isCancelled = false;
  return (operation: string | undefined) => {
    if (operation === 'Cancel-Job') isCancelled = true;
    return isCancelled ? jobOf(canceled, ...job) : jobOf(processing, ...job);
  };
};

describe('a spooler that dies and comes back', () => {
  it('is told to purge the job that it has begun again, before anything else', async () => {
    const { spooler, followed } = await printing({ for: seconds(20) });
    await spooler.die();
    spooler.jobIs(untilCancelled(begunAt(30)));
    const asked = askedSince(spooler);
    await spooler.comeBack();
    await expect(followed).rejects.toMatchObject({ code: 'outcome-unknown' });
    expect(cancels(asked())).toEqual(['Cancel-Job and purge']);
  });

  it.each([
    ['within the second in which it began', jobOf(5, begunAt(7))],
    ['and says that the job was never begun, for its disk was behind', jobOf(3, neverBegun)],
    ['and has already printed it once more', jobOf(9, begunAt(8))],
  ])('%s leaves its outcome unknown', async (_, after) => {
    const { spooler, followed } = await printing();
    await spooler.die();
    spooler.jobIs((operation) => (operation === 'Cancel-Job' ? {} : after));
    const asked = askedSince(spooler);
    await spooler.comeBack();
    await eventually(() => expect(asked()).toContain('Get-Job-Attributes'));
    spooler.jobIs(jobOf(canceled));
    await expect(followed).rejects.toMatchObject({ code: 'outcome-unknown' });
  });

  it.each([
    ['of another name', [named('Salaries.pdf')]],
    ['whose name it hides', [attribute('job-name', ipp.noValue)]],
  ])('and has given its id to a job %s cancels nothing of that', async (_, name) => {
    const { spooler, followed } = await printing();
    await spooler.die();
    spooler.jobIs(jobAnswer(state(5), ...name, begunAt(30)));
    const asked = askedSince(spooler);
    await spooler.comeBack();
    await expect(followed).rejects.toMatchObject({ code: 'outcome-unknown' });
    expect(cancels(asked())).toEqual([]);
  });

  it('and forgot the job is not asked to cancel anything', async () => {
    const { spooler, followed } = await printing();
    await spooler.die();
    spooler.jobIs({ status: 'client-error-not-found' });
    const asked = askedSince(spooler);
    await spooler.comeBack();
    await expect(followed).rejects.toMatchObject({ code: 'outcome-unknown' });
    expect(cancels(asked())).toEqual([]);
  });

  it('is given the next document only when the job has ended', async () => {
    const { spooler, printer, followed, recorded } = await printing();
    await spooler.die();
    await eventually(() => expect(recorded.records('spooler has gone')).toHaveLength(1));
    const document = await aDocument();
    const prepared = printer.prepare(sampleTicket(), document, withoutLimit());
    spooler.jobIs(untilCancelled(begunAt(30)));
    const asked = askedSince(spooler);
    await spooler.comeBack();
    await prepared;
    await expect(followed).rejects.toMatchObject({ code: 'outcome-unknown' });
    const order = asked();
    expect(order.indexOf('Cancel-Job and purge')).toBeGreaterThan(-1);
    expect(order.indexOf('Get-Printer-Attributes')).toBeGreaterThan(order.indexOf('Cancel-Job and purge'));
  });

  it('only much later leaves the next document here', async () => {
    const { spooler, printer, passes, recorded } = await printing();
    await spooler.die();
    await eventually(() => expect(recorded.records('spooler has gone')).toHaveLength(1));
    const document = await aDocument();
    const prepared = printer.prepare(sampleTicket(), document, withoutLimit());
    prepared.catch(() => {});
    passes(busyLimit);
    await expect(prepared).rejects.toMatchObject({
      code: 'printer-unreachable',
      message: 'the spooler went away with a job of ours',
      delivery: 'not-sent',
    });
  });

  it('says nothing that would make the job one that has not come out', async () => {
    const { spooler, printer, job, followed } = await printing();
    await spooler.die();
    spooler.jobIs(jobOf(canceled, neverBegun));
    await spooler.comeBack();
    await expect(followed).rejects.toMatchObject({ code: 'outcome-unknown' });
    expect(await printer.cancel(job, withoutLimit())).toBeUndefined();
  });

  it('is called all the time at first, and at leisure when it stays away', async () => {
    const { spooler, passes, naps } = await printing();
    await spooler.die();
    await eventually(() => expect(naps).toContain(returnPause));
    expect(naps).not.toContain(returnLeisure);
    passes(returnHaste);
    await eventually(() => expect(naps).toContain(returnLeisure));
  });

  it('twice is told so until it has been heard to the end', async () => {
    const { spooler, followed } = await printing({ for: seconds(20) });
    await spooler.die();
    spooler.jobIs({ status: 'server-error-busy' });
    const asked = askedSince(spooler);
    await spooler.comeBack();
    await eventually(() => expect(asked()).toContain('Get-Job-Attributes'));
    await spooler.die();
    spooler.jobIs(untilCancelled(begunAt(30)));
    await spooler.comeBack();
    await expect(followed).rejects.toMatchObject({ code: 'outcome-unknown' });
    expect(cancels(asked())).toEqual(['Cancel-Job and purge']);
  });
});

describe('a connection that ends by itself', () => {
  it.each([
    ['while the job was seen being printed for a while', seconds(5), jobOf(5, begunAt(7))],
    ['when it was idle for long', seconds(90), jobOf(3, neverBegun)],
  ])('%s changes nothing', async (_, span, as) => {
    const { spooler, followed, recorded } = await printing({ for: span, as });
    const asked = askedSince(spooler);
    spooler.hangUp();
    await eventually(() => expect(recorded.records('spooler has gone')).toHaveLength(1));
    await eventually(() =>
      expect(asked().filter((one) => one === 'Get-Job-Attributes').length).toBeGreaterThan(1),
    );
    spooler.jobIs(jobOf(completed, begunAt(7)));
    expect(await followed).toMatchObject({ state: 'completed' });
    expect(cancels(asked())).toEqual([]);
  });

  it('in the first second of a job is taken for a restart', async () => {
    const { spooler, followed } = await printing();
    spooler.jobIs(untilCancelled(begunAt(7)));
    const asked = askedSince(spooler);
    spooler.hangUp();
    await expect(followed).rejects.toMatchObject({ code: 'outcome-unknown' });
    expect(cancels(asked())).toEqual(['Cancel-Job and purge']);
  });
});

describe('a spooler that keeps a document', () => {
  it.each([
    ['completed', 9],
    ['canceled', 7],
  ] as const)('of a %s job is told to purge it (I4)', async (end, number) => {
    const { spooler, followed } = await printing();
    spooler.jobIs(jobOf(number, begunAt(7), attribute('job-preserved', ipp.boolean(true))));
    expect(await followed).toMatchObject({ state: end });
    await eventually(() => expect(spooler.asked).toContain('Cancel-Job and purge'));
  });

  it('that came only after its job was cancelled is told to purge it all the same', async () => {
    const { spooler, followed } = await printing();
    const preserved = (is: boolean) => attribute('job-preserved', ipp.boolean(is));
    spooler.jobIs(jobOf(canceled, begunAt(7), preserved(false)));
    await followed;
    spooler.jobIs(jobOf(canceled, begunAt(7), preserved(true)));
    await eventually(() => expect(spooler.asked).toContain('Cancel-Job and purge'));
  });

  it('no more is not told', async () => {
    const { spooler, followed } = await printing();
    spooler.jobIs(jobOf(completed, begunAt(7), attribute('job-preserved', ipp.boolean(false))));
    await followed;
    expect(cancels(spooler.asked)).toEqual([]);
  });
});

describe('a connection to a spooler', () => {
  it('is given up when the job has ended', async () => {
    const { spooler, followed, printer } = await printing();
    spooler.jobIs(jobOf(completed, begunAt(7)));
    await followed;
    await printer[Symbol.asyncDispose]();
    await eventually(async () => expect(await spooler.connections()).toBe(0));
  });
});
