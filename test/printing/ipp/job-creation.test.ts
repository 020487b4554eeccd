import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import type { Duration } from '../../../src/core/duration.ts';
import { attribute } from '../../../src/ipp/message.ts';
import { operations } from '../../../src/ipp/registry.ts';
import { boolean, enumValue, integer } from '../../../src/ipp/values.ts';
import { hastyClock } from '../../support/hasty-clock.ts';
import {
  aDocument,
  impatientClock,
  openPrinter,
  plainPlan,
  virtualPrinter,
} from '../../support/printer/printers.ts';
import { sampleTicket } from '../../support/sample-ticket.ts';
import type { ScriptedAnswer } from '../../support/printer/scripted-printer.ts';
import { idlePrinter, jobAnswer, startScriptedPrinter } from '../../support/printer/scripted-printer.ts';
import { withoutLimit } from '../../support/patience.ts';

describe('a busy printer', () => {
  it.each(['busy', 'not-accepting'] as const)(
    'that says %s to Create-Job once is asked again',
    async (kind) => {
      const peer = await virtualPrinter();
      await peer.behaveOnce({ kind });
      const { printer } = openPrinter(peer.uri, { clock: hastyClock() });
      expect(await printer.createJob(plainPlan, withoutLimit())).toMatchObject({
        jobId: 1,
        jobName: plainPlan.jobName,
      });
      expect(peer.jobs).toHaveLength(1);
    },
  );

  it('is waited for 30 s in all, and then there is no job', async () => {
    const peer = await virtualPrinter();
    await peer.behave({ kind: 'busy' });
    const clock = hastyClock();
    const { printer } = openPrinter(peer.uri, { clock });
    await expect(printer.createJob(plainPlan, withoutLimit())).rejects.toMatchObject({
      code: 'printer-busy',
      delivery: 'answered',
      reasons: ['server-error-busy'],
    });
    expect(clock.monotonic()).toBe(30_000);
    expect(peer.jobs).toEqual([]);
  });

  it.each([
    ['works', 4, 'printer-busy', 30_000],
    ['rests: somebody told it to, and waiting cannot help', 3, 'printer-rejecting', 0],
  ])('that accepts no jobs while it %s is waited for as long as that can help', async (...row) => {
    const [, state, code, waited] = row;
    const uri = await startScriptedPrinter(() =>
      idlePrinter(
        attribute('printer-state', enumValue(state)),
        attribute('printer-is-accepting-jobs', boolean(false)),
      ),
    );
    const clock = hastyClock();
    const { printer } = openPrinter(uri, { clock });
    await expect(printer.prepare(sampleTicket(), await aDocument(), withoutLimit())).rejects.toMatchObject({
      code,
    });
    expect(clock.monotonic()).toBe(waited);
  });

  it('is told of while it is waited for, and when that is over', async () => {
    const peer = await virtualPrinter();
    await peer.behaveOnce({ kind: 'busy' });
    const reported: unknown[] = [];
    const { printer } = openPrinter(peer.uri, { clock: hastyClock() });
    await printer.createJob(plainPlan, { ...withoutLimit(), onWait: (wait) => reported.push(wait) });
    expect(reported).toEqual(['busy', undefined]);
  });

  it('is no longer waited for when the caller gives it up', async () => {
    const peer = await virtualPrinter();
    await peer.behave({ kind: 'busy' });
    const stop = new AbortController();
    const clock = {
      ...hastyClock(),
      sleep: async (_: Duration, options?: { signal?: AbortSignal }) => {
        stop.abort(new Error('the agent stops'));
        options?.signal?.throwIfAborted();
      },
    };
    const { printer } = openPrinter(peer.uri, { clock });
    await expect(printer.createJob(plainPlan, { signal: stop.signal })).rejects.toThrow('the agent stops');
  });
});

describe('a Create-Job whose answer is lost (B.1)', () => {
  it('is not repeated, and the empty job it left is swept', async () => {
    const peer = await virtualPrinter();
    await peer.behaveOnce({ kind: 'answer-lost', to: 'Create-Job' });
    const { printer } = openPrinter(peer.uri);
    await expect(printer.createJob(plainPlan, withoutLimit())).rejects.toMatchObject({ delivery: 'perhaps' });
    expect(peer.jobs).toHaveLength(1);
    const jobName = 'Report.pdf [00000000]';
    const another = { ...plainPlan, jobName, naming: { ...plainPlan.naming, jobName } };
    await printer.createJob(another, withoutLimit());
    await printer.sweep(plainPlan, withoutLimit());
    expect(peer.jobs.map(({ state }) => state)).toEqual(['canceled', 'pending']);
  });

  it('that never comes counts as perhaps made', async () => {
    const peer = await virtualPrinter();
    await peer.behave({ kind: 'never-answer', to: 'Create-Job' });
    const { printer } = openPrinter(peer.uri, { clock: impatientClock });
    await expect(printer.createJob(plainPlan, withoutLimit())).rejects.toMatchObject({
      code: 'printer-unreachable',
      delivery: 'perhaps',
    });
  });

  it('or names no job-id counts as perhaps made', async () => {
    const uri = await startScriptedPrinter(() => ({}));
    await expect(openPrinter(uri).printer.createJob(plainPlan, withoutLimit())).rejects.toMatchObject({
      code: 'printer-protocol',
      delivery: 'perhaps',
    });
  });

  it('cannot be swept from a printer that is gone', async () => {
    const peer = await virtualPrinter();
    await peer.behave({ kind: 'refuse-connections' });
    const { printer } = openPrinter(peer.uri, { clock: hastyClock() });
    await expect(printer.sweep(plainPlan, withoutLimit())).rejects.toMatchObject({
      code: 'printer-unreachable',
    });
  });
});

describe('before the intent', () => {
  const without = (...names: readonly (keyof typeof operations)[]) =>
    attribute(
      'operations-supported',
      ...Object.values(operations)
        .filter((id) => !names.some((name) => operations[name] === id))
        .map(enumValue),
    );
  const prepareOn = async (script: (operation: string | undefined) => ScriptedAnswer, copies = 1) => {
    const asked: (string | undefined)[] = [];
    const uri = await startScriptedPrinter((_, operation) => {
      asked.push(operation);
      return script(operation);
    });
    const { printer, recorded } = openPrinter(uri);
    const prepared = printer.prepare(sampleTicket({ copies }), await aDocument(), withoutLimit());
    return { prepared, asked, recorded };
  };
  const ignoring =
    (name: string) =>
    (operation: string | undefined): ScriptedAnswer =>
      operation === 'Validate-Job'
        ? {
            status: 'successful-ok-ignored-or-substituted-attributes',
            groups: [{ tag: 'unsupported-attributes', attributes: [attribute(name, integer(3))] }],
          }
        : idlePrinter();

  it('a printer without Validate-Job is not asked for it', async () => {
    const { prepared, asked } = await prepareOn(() => idlePrinter(without('Validate-Job')));
    await prepared;
    expect(asked).toEqual(['Get-Printer-Attributes']);
  });

  it('documents alike are validated once in 5 s, and the printer is looked at for each while no job came out (T29)', async () => {
    const asked: (string | undefined)[] = [];
    const uri = await startScriptedPrinter((_, operation) => {
      asked.push(operation);
      return idlePrinter();
    });
    let later = 0;
    const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + later };
    const { printer } = openPrinter(uri, { clock });
    const prepare = async (copies: number) => {
      asked.length = 0;
      await printer.prepare(sampleTicket({ copies }), await aDocument(), withoutLimit());
      return asked.join(' ');
    };
    expect(await prepare(1)).toBe('Get-Printer-Attributes Validate-Job');
    expect(await prepare(1)).toBe('Get-Printer-Attributes');
    expect(await prepare(2)).toBe('Get-Printer-Attributes Validate-Job');
    expect(await prepare(2)).toBe('Get-Printer-Attributes');
    later = 5001;
    expect(await prepare(2)).toBe('Get-Printer-Attributes Validate-Job');
  });

  it('a printer without Create-Job gets its document in one step (Print-Job)', async () => {
    const { prepared } = await prepareOn(() => idlePrinter(without('Create-Job')));
    expect(await prepared).toMatchObject({ inOneStep: true });
  });

  it('a printer with neither is refused', async () => {
    const { prepared } = await prepareOn(() => idlePrinter(without('Create-Job', 'Print-Job')));
    await expect(prepared).rejects.toMatchObject({ code: 'printer-refused-job' });
  });

  it('attributes that the printer ignores are logged by name', async () => {
    const { prepared, recorded } = await prepareOn(ignoring('sides'));
    await prepared;
    expect(recorded.records('printer ignores job attributes')).toMatchObject([
      { attributes: ['sides'], release: '7f3a9c21' },
    ]);
  });

  it('copies that a printer ignores are made here: the wrong number of pages must not come out', async () => {
    const { prepared } = await prepareOn(ignoring('copies'), 3);
    const plan = await prepared;
    expect(plan.conversion).toMatchObject({ copies: 3 });
  });

  it('the job is cancelled when the printer says only then that it ignores copies', async () => {
    const asked: (string | undefined)[] = [];
    const uri = await startScriptedPrinter((_, operation) => {
      asked.push(operation);
      const job = jobAnswer(attribute('job-state', enumValue(asked.includes('Cancel-Job') ? 7 : 4)));
      const ignored = {
        tag: 'unsupported-attributes',
        attributes: [attribute('copies', integer(3))],
      } as const;
      return operation === 'Create-Job' ? { groups: [ignored, ...(job.groups ?? [])] } : job;
    });
    const { printer } = openPrinter(uri);
    const thrice = { ...plainPlan, job: [attribute('copies', integer(3))], musts: ['copies'] };
    await expect(printer.createJob(thrice, withoutLimit())).rejects.toMatchObject({
      code: 'printer-refused-job',
      delivery: 'answered',
      reasons: ['copies'],
    });
    expect(asked).toContain('Cancel-Job');
  });

  it.each([
    ['client-error-document-format-not-supported', 'document-not-printable'],
    ['client-error-forbidden', 'printer-forbids'],
    ['client-error-not-authorized', 'printer-forbids'],
    ['client-error-not-possible', 'printer-limit'],
    ['client-error-account-limit-reached', 'printer-limit'],
    ['server-error-device-error', 'printer-not-ready'],
  ] as const)('a validation that ends in %s is %s', async (status, code) => {
    const { prepared } = await prepareOn((operation) =>
      operation === 'Validate-Job' ? { status } : idlePrinter(),
    );
    await expect(prepared).rejects.toMatchObject({ code, reasons: [status] });
  });

  it('an unsupported attribute that is the format means the document', async () => {
    const { prepared } = await prepareOn((operation) =>
      operation === 'Validate-Job'
        ? {
            status: 'client-error-attributes-or-values-not-supported',
            groups: [
              { tag: 'unsupported-attributes', attributes: [attribute('document-format', integer(1))] },
            ],
          }
        : idlePrinter(),
    );
    await expect(prepared).rejects.toMatchObject({ code: 'document-not-printable' });
  });

  it('the job belongs to the name it was made under, in every request', async () => {
    const names = new Set<string>();
    const uri = await startScriptedPrinter((request) => {
      names.add(
        JSON.stringify(request.groups[0]?.attributes.find(({ name }) => name === 'requesting-user-name')),
      );
      return jobAnswer(attribute('job-state', enumValue(9)));
    });
    const { printer } = openPrinter(uri);
    const plan = { ...plainPlan, naming: { ...plainPlan.naming, userName: 'anna.lind' } };
    const job = await printer.createJob(plan, withoutLimit());
    await printer.send(job, plan, await aDocument(), withoutLimit());
    await printer.follow(job, withoutLimit());
    await printer.cancel(job, withoutLimit());
    expect([...names]).toEqual([expect.stringContaining('anna.lind')]);
  });
});
