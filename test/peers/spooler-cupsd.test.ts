/** What is particular about a spooler, against a real CUPS: its policy, its memory, its restarts (D15, B.1). */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Clock } from '../../src/core/clock.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { Duration } from '../../src/core/duration.ts';
import { milliseconds, seconds } from '../../src/core/duration.ts';
import { verdictOn } from '../../src/domain/printer/job-verdict.ts';
import { complaintAbout } from '../../src/domain/printer/spooler-queue.ts';
import { group, string } from '../../src/ipp/message.ts';
import { ippAddress } from '../../src/printing/ipp/wire/ipp-address.ts';
import { ippSession } from '../../src/printing/ipp/ipp-session.ts';
import { systemTrust } from '../../src/printing/ipp/system-trust.ts';
import type { OpenedPrinter } from '../support/printer/printers.ts';
import { openPrinter, sendTo, virtualPrinter } from '../support/printer/printers.ts';
import { pdfOf, spooled } from '../support/printer/samples.ts';
import { recordLog } from '../support/recorded-log.ts';
import { sampleTicket } from '../support/sample-ticket.ts';
import { needsPeer } from '../support/needs.ts';
import type { Cupsd, CupsdOptions } from './cupsd.ts';
import { queueName, startCupsd } from './cupsd.ts';
import { eventually, withoutLimit } from '../support/patience.ts';

interface Stage extends OpenedPrinter {
  readonly peer: Cupsd;
  /** How often Platen paused between two looks. */
  naps(): number;
}

async function setUp({
  jobStall = seconds(10),
  ...options
}: CupsdOptions & { readonly jobStall?: Duration } = {}): Promise<Stage> {
  const peer = await startCupsd(options);
  onTestFinished(() => peer[Symbol.asyncDispose]());
  let naps = 0;
  const clock: Clock = {
    ...systemClock,
    sleep(span, nap) {
      naps += 1;
      return systemClock.sleep(span, nap);
    },
  };
  return { peer, naps: () => naps, ...openPrinter(peer.uri, { clock, jobStall }) };
}

const untilPrinterIs = (state: string, { printer }: Pick<Stage, 'printer'>) =>
  eventually(async () => expect(await printer.describe(withoutLimit())).toMatchObject({ state }));

/** CUPS tells by the second when a job was begun. */
function untilNextSecond(): Promise<void> {
  const now = systemClock.now();
  return systemClock.sleep(milliseconds(1000 - (now % 1000)));
}

/** From then on the time of its beginning tells one printing of a job from another. */
const untilSeenForASecond = () => systemClock.sleep(seconds(1.1));

/** A job that CUPS has begun and that goes no further, and its follower, which has seen it so. */
async function printing({ printer, peer, naps }: Pick<Stage, 'printer' | 'peer' | 'naps'>) {
  await peer.hold();
  const job = await sendTo({ printer }, pdfOf(1000));
  const followed = printer.follow(job, withoutLimit());
  followed.catch(() => {});
  await untilPrinterIs('processing', { printer });
  const before = naps();
  await eventually(() => expect(naps()).toBeGreaterThan(before + 1));
  return { job, followed };
}

needsPeer('cupsd', 'cups-daemon')('CUPS', () => {
  needsPeer('lpadmin', 'cups-client')('and its administration', () => {
    describe('a queue', () => {
      it('tells its policy and where it prints to, and has nothing to be mended', async () => {
        const { printer } = await setUp();
        const { queue } = await printer.describe(withoutLimit());
        expect(queue).toEqual({
          name: queueName,
          errorPolicy: 'abort-job',
          isClass: false,
          device: 'kept:/here',
        });
        expect(queue && complaintAbout(queue)).toBeUndefined();
        expect(printer.confirms).toBe('spooler');
      });

      it.each(['retry-job', 'retry-current-job', 'stop-printer'])(
        'with the policy %s is complained of (D15)',
        async (errorPolicy) => {
          const { printer } = await setUp({ errorPolicy });
          const { queue } = await printer.describe(withoutLimit());
          expect(queue && complaintAbout(queue)).toContain(
            'lpadmin -p office -o printer-error-policy=abort-job',
          );
        },
      );

      it('is reached over the domain socket', async () => {
        const { peer } = await setUp();
        const { printer } = openPrinter(`cups:${queueName}`, { cupsSocket: peer.socket });
        await printer.follow(await sendTo({ printer }, pdfOf(1000)), withoutLimit());
        expect(await peer.documents()).toEqual([pdfOf(1000)]);
      });

      it('that does not exist is told as such, and nothing was sent', async () => {
        const { peer } = await setUp();
        const { printer } = openPrinter(peer.uri.replace(queueName, 'another'));
        await expect(printer.describe(withoutLimit())).rejects.toMatchObject({
          code: 'printer-path-unknown',
          message: 'the spooler has no queue another',
        });
      });

      it('that rejects jobs is not ready', async () => {
        const { peer, printer } = await setUp();
        await peer.administer('cupsreject', queueName);
        expect(await printer.describe(withoutLimit())).toMatchObject({ ready: false, acceptingJobs: false });
      });

      it('takes the jobs of a user by name, and lets them be cancelled as that user', async () => {
        const { peer, printer } = await setUp();
        await peer.hold();
        const job = await sendTo({ printer }, pdfOf(1000), {
          ticket: sampleTicket({}, { sendUsername: true }),
        });
        expect(await printer.cancel(job, withoutLimit())).toMatchObject({ state: 'canceled' });
      });

      it('prints to a printer over IPP', async () => {
        const behind = await virtualPrinter();
        const { printer } = await setUp({ device: behind.uri });
        const job = await sendTo({ printer }, pdfOf(1_000_000));
        expect(await printer.follow(job, withoutLimit())).toMatchObject({ state: 'completed' });
        expect(behind.outputs.map(({ bytes, complete }) => ({ bytes, complete }))).toEqual([
          { bytes: 1_000_000, complete: true },
        ]);
      });

      it('that keeps documents is told of (I4)', async () => {
        const { printer, recorded } = await setUp({ preserveJobFiles: 'Yes' });
        await printer.follow(await sendTo({ printer }, pdfOf(1000)), withoutLimit());
        expect(recorded.records('spooler keeps the document')).toHaveLength(1);
      });

      it('that keeps documents is told to purge ours (I4)', async () => {
        const { peer, printer } = await setUp({ preserveJobFiles: 'Yes' });
        await printer.follow(await sendTo({ printer }, pdfOf(1000)), withoutLimit());
        await eventually(async () => expect(await peer.keptFiles()).toEqual([]));
        expect(await peer.documents()).toEqual([pdfOf(1000)]);
      });

      it.each(['Yes', 'No'] as const)(
        'F7: takes the document of a job that was cancelled meanwhile, PreserveJobFiles %s: nothing comes out, nothing is kept (I4)',
        async (preserveJobFiles) => {
          const { peer, printer } = await setUp({ preserveJobFiles });
          const document = await spooled(pdfOf(1000));
          const plan = await printer.prepare(sampleTicket(), document, withoutLimit());
          const job = await printer.createJob(plan, withoutLimit());
          await peer.administer('cancel', '-U', 'platen', String(job.jobId));
          await printer.send(job, plan, document, withoutLimit());
          expect(await peer.keptFiles()).toEqual([]);
          const report = await printer.follow(job, withoutLimit());
          expect(verdictOn({ sent: 'all', report: report, expected: undefined })).toBe('NOOUTPUT');
          await eventually(async () => expect(await peer.keptFiles()).toEqual([]));
          expect(await peer.documents()).toEqual([]);
        },
      );
    });

    describe('the privacy of jobs', () => {
      /** The job-name that CUPS tells each of them of a job that anna.lind has made. */
      async function namesSeenUnder(options: CupsdOptions) {
        const { peer, printer } = await setUp(options);
        await peer.hold();
        const ticket = sampleTicket({}, { sendUsername: true });
        const { jobId, jobName } = await sendTo({ printer }, pdfOf(1000), { ticket });
        const address = ippAddress(peer.uri);
        await using session = ippSession({
          address,
          trust: systemTrust(),
          clock: systemClock,
          log: recordLog().log,
        });
        const nameSeenBy = async (userName: string) => {
          const answer = await session.client.ask(
            { operation: 'Get-Job-Attributes', jobId, userName },
            withoutLimit(),
          );
          return string(group(answer, 'job-attributes'), 'job-name');
        };
        return { jobName, owner: await nameSeenBy('anna.lind'), agent: await nameSeenBy('platen') };
      }

      it('as CUPS ships it hides the name from all but who made the job', async () => {
        const { jobName, owner, agent } = await namesSeenUnder({ jobPrivacy: 'stock' });
        expect({ owner, agent }).toEqual({ owner: jobName, agent: undefined });
      });

      it('switched off hides nothing', async () => {
        const { jobName, owner, agent } = await namesSeenUnder({ jobPrivacy: 'none' });
        expect({ owner, agent }).toEqual({ owner: jobName, agent: jobName });
      });
    });

    describe('a printer behind a queue', () => {
      it('that does not answer keeps the next document here', async () => {
        const stage = await setUp();
        const { peer, printer } = stage;
        await peer.say('ERROR: The printer is not responding.');
        const { job } = await printing(stage);
        // The backend says so when it comes to it.
        await eventually(async () =>
          expect(await printer.describe(withoutLimit())).toMatchObject({ ready: false }),
        );
        const next = await spooled(pdfOf(1000));
        await expect(printer.prepare(sampleTicket(), next, withoutLimit())).rejects.toMatchObject({
          code: 'printer-not-ready',
          reasons: ['offline-report'],
        });
        await printer.cancel(job, withoutLimit());
      });

      it('without paper stalls the job; an idle queue that remembers it still takes the next one', async () => {
        const stage = await setUp({ jobStall: seconds(0.7) });
        const { peer, printer } = stage;
        await peer.say('STATE: +media-empty-error');
        const { followed, job } = await printing(stage);
        await expect(followed).rejects.toMatchObject({
          code: 'printer-stalled',
          reasons: expect.arrayContaining(['media-empty-error']) as string[],
        });
        const report = await printer.cancel(job, withoutLimit());
        // The counters of a spooler prove nothing about the printer.
        expect(report).toEqual({ state: 'canceled', reasons: report?.reasons });
        expect(verdictOn({ sent: 'all', report, expected: undefined })).toBe('UNKNOWN');
        expect(await printer.describe(withoutLimit())).toMatchObject({ ready: true, state: 'idle' });
      });
    });

    describe('a job', () => {
      it('that a stopped queue never began has not come out', async () => {
        const { peer, printer } = await setUp({ jobStall: seconds(0.7) });
        const document = await spooled(pdfOf(1000));
        const plan = await printer.prepare(sampleTicket(), document, withoutLimit());
        await peer.administer('cupsdisable', queueName);
        const job = await printer.createJob(plan, withoutLimit());
        await printer.send(job, plan, document, withoutLimit());
        await expect(printer.follow(job, withoutLimit())).rejects.toMatchObject({ code: 'printer-stalled' });
        const report = await printer.cancel(job, withoutLimit());
        expect(verdictOn({ sent: 'all', report, expected: undefined })).toBe('NOOUTPUT');
        await peer.administer('cupsenable', queueName);
        expect(await peer.documents()).toEqual([]);
      });

      it('that the queue would print again is stopped, and its outcome unknown (D15)', async () => {
        const stage = await setUp({ errorPolicy: 'retry-job' });
        const { peer } = stage;
        const { followed } = await printing(stage);
        await peer.exitWith(1);
        await peer.letGo();
        await expect(followed).rejects.toMatchObject({ code: 'outcome-unknown' });
        await untilPrinterIs('idle', stage);
        expect(await peer.documents()).toEqual([]);
      });

      it('goes on over a reload of CUPS, which ends connections and no job', async () => {
        const stage = await setUp();
        const { peer, recorded } = stage;
        const { followed } = await printing(stage);
        await untilSeenForASecond();
        peer.reload();
        await eventually(() => expect(recorded.records('spooler has gone')).toHaveLength(1));
        await peer.letGo();
        expect(await followed).toMatchObject({ state: 'completed' });
        expect(await peer.documents()).toHaveLength(1);
      });

      it.each([
        ['SIGTERM', 'not at all', 0],
        ['SIGKILL', 'once, by what it left behind', 1],
      ] as const)(
        'over a restart of CUPS by %s comes out %s, and its outcome is unknown (B.1)',
        async (signal, _, outputs) => {
          const stage = await setUp();
          const { peer } = stage;
          const { followed } = await printing(stage);
          await untilNextSecond();
          await peer.restart(signal);
          await expect(followed).rejects.toMatchObject({ code: 'outcome-unknown' });
          await peer.letGo();
          await untilPrinterIs('idle', stage);
          await eventually(async () => expect(await peer.documents()).toHaveLength(outputs));
        },
      );
    });
  });
});
