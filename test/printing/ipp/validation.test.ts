/**
 * What Validate-Job says is advice (apple/cups#4081): what it does not know to say is asked of Create-Job, and what it names
 * as unsupported is left out, told to the log and, where the paper shows it, to the person.
 */
import { describe, expect, it } from 'vitest';
import { attribute, group, string } from '../../../src/ipp/message.ts';
import type { Status } from '../../../src/ipp/registry.ts';
import { integer, keyword, rangeOfInteger } from '../../../src/ipp/values.ts';
import { openPrinter, sendTo, virtualPrinter } from '../../support/printer/printers.ts';
import { withoutLimit } from '../../support/patience.ts';
import { pdfOf, spooled } from '../../support/printer/samples.ts';
import { sampleTicket } from '../../support/sample-ticket.ts';
import { idlePrinter, jobAnswer, startScriptedPrinter } from '../../support/printer/scripted-printer.ts';

const twoSided = { sides: 'two-sided-long-edge', copies: 2 } as const;
const lists = [
  attribute('sides-supported', keyword('one-sided'), keyword('two-sided-long-edge')),
  attribute('copies-supported', rangeOfInteger(1, 99)),
];

/** Refuses these operations as long as a request asks for one of these attributes; without any: always. */
async function refusing(status: Status, operations: readonly string[], ...names: readonly string[]) {
  const asked: { operation: string | undefined; job: readonly string[] }[] = [];
  const uri = await startScriptedPrinter((request, operation) => {
    const wishes = group(request, 'job-attributes').map(({ name }) => name);
    if (operation === 'Get-Printer-Attributes') return idlePrinter(...lists);
    asked.push({ operation, job: wishes });
    const found = names.filter((name) => wishes.includes(name));
    const isRefused = operations.includes(operation ?? '') && (names.length === 0 || found.length > 0);
    if (!isRefused) return jobAnswer();
    const attributes = found.map((name) => attribute(name, integer(1)));
    return found.length === 0
      ? { status }
      : { status, groups: [{ tag: 'unsupported-attributes', attributes }] };
  });
  const { printer, recorded } = openPrinter(uri);
  const reported: (readonly string[])[] = [];
  const call = { ...withoutLimit(), onLeftOut: (left: readonly string[]) => reported.push(left) };
  return {
    asked,
    reported,
    recorded,
    prepare: async (ticket = sampleTicket(twoSided)) =>
      printer.prepare(ticket, await spooled(pdfOf(1000)), call),
    create: async (ticket = sampleTicket(twoSided)) =>
      printer.createJob(await printer.prepare(ticket, await spooled(pdfOf(1000)), call), call),
  };
}

describe('a Validate-Job that is refused', () => {
  it.each([
    'client-error-bad-request',
    'client-error-not-found',
    'client-error-attributes-or-values-not-supported',
    'server-error-internal-error',
    'server-error-operation-not-supported',
  ] as const)('as %s is advice: the job is made, with all that was asked for', async (status) => {
    const { asked, create, reported } = await refusing(status, ['Validate-Job']);
    await create();
    expect(asked.at(-1)).toEqual({ operation: 'Create-Job', job: ['copies', 'sides'] });
    expect(reported).toEqual([]);
  });

  it.each([
    'client-error-forbidden',
    'client-error-not-authenticated',
    'client-error-not-authorized',
    'client-error-not-possible',
    'client-error-document-format-not-supported',
    'server-error-device-error',
  ] as const)('as %s is a no', async (status) => {
    const { asked, create } = await refusing(status, ['Validate-Job']);
    await expect(create()).rejects.toMatchObject({ reasons: [status], delivery: 'answered' });
    expect(asked.map(({ operation }) => operation)).not.toContain('Create-Job');
  });

  it('for sides goes out without them, and everybody is told', async () => {
    const { asked, create, reported, recorded } = await refusing(
      'client-error-attributes-or-values-not-supported',
      ['Validate-Job', 'Create-Job'],
      'sides',
    );
    await create();
    expect(asked.map(({ job }) => job)).toEqual([['copies', 'sides'], ['copies'], ['copies']]);
    expect(reported).toEqual([['sides']]);
    expect(recorded.records('printer ignores job attributes')).toMatchObject([{ attributes: ['sides'] }]);
  });

  it('for one side, which is a wish too, goes out without it', async () => {
    const { asked, create } = await refusing(
      'client-error-attributes-or-values-not-supported',
      ['Validate-Job', 'Create-Job'],
      'sides',
    );
    await create(sampleTicket({ sides: 'one-sided' }));
    expect(asked.map(({ job }) => job)).toEqual([['sides'], [], []]);
  });

  it('for copies has them made here', async () => {
    const { prepare } = await refusing('client-error-conflicting-attributes', ['Validate-Job'], 'copies');
    expect(await prepare()).toMatchObject({ conversion: { copies: 2 } });
  });

  it('for what the person asked for at the terminal prints nothing', async () => {
    const { prepare } = await refusing(
      'client-error-attributes-or-values-not-supported',
      ['Validate-Job'],
      'sides',
    );
    await expect(prepare(sampleTicket(twoSided, { changed: { twoSided: true } }))).rejects.toMatchObject({
      code: 'printer-refused-job',
      reasons: ['sides'],
    });
  });
});

describe('a Create-Job that is refused', () => {
  it('for sides is asked for without them, and the person is told', async () => {
    const { asked, create, reported } = await refusing(
      'client-error-attributes-or-values-not-supported',
      ['Create-Job'],
      'sides',
    );
    await create();
    expect(asked.at(-1)).toEqual({ operation: 'Create-Job', job: ['copies'] });
    expect(reported).toEqual([['sides']]);
  });

  it.each([
    ['copies', {}],
    ['sides', { twoSided: true }],
  ] as const)('for %s that were asked for is the end of it', async (name, changed) => {
    const { asked, create } = await refusing(
      'client-error-attributes-or-values-not-supported',
      ['Create-Job'],
      name,
    );
    await expect(create(sampleTicket(twoSided, { changed }))).rejects.toMatchObject({
      code: 'printer-refused-job',
      reasons: ['client-error-attributes-or-values-not-supported', name],
    });
    expect(asked.filter(({ operation }) => operation === 'Create-Job')).toHaveLength(1);
  });
});

describe('names that a printer trips over without a word', () => {
  it.each([
    ['Validate-Job', 'client-error-bad-request'],
    ['Create-Job', 'client-error-bad-request'],
    ['Create-Job', 'server-error-internal-error'],
  ] as const)('are told plainly once, before the intent: %s, %s', async (tripping, status) => {
    const shown: string[] = [];
    const uri = await startScriptedPrinter((request, operation) => {
      const reported = group(request, 'operation-attributes');
      const names = [string(reported, 'requesting-user-name'), string(reported, 'job-name')].join();
      if (operation === 'Get-Printer-Attributes') return idlePrinter();
      if (operation === tripping) shown.push(names);
      return operation === tripping && /[^ -~]|\\/.test(names) ? { status } : jobAnswer();
    });
    const { printer } = openPrinter(uri);
    const ticket = sampleTicket({ name: 'Übersicht.pdf' }, { sendUsername: true });
    const anna = { ...ticket, user: { ...ticket.user, userName: 'OFFICE\\anna' } };
    await sendTo({ printer }, pdfOf(1000), { ticket: anna });
    expect(new Set(shown)).toEqual(
      new Set([
        expect.stringContaining('OFFICE\\anna,Übersicht'),
        expect.stringContaining('OFFICE_anna,Ubersicht'),
      ]),
    );
  });

  it('are told no third time', async () => {
    const { asked, create } = await refusing('client-error-bad-request', ['Create-Job']);
    await expect(create(sampleTicket({ name: 'Übersicht.pdf' }))).rejects.toMatchObject({
      code: 'printer-refused-job',
    });
    expect(new Set(asked.map(({ operation }) => operation))).toEqual(new Set(['Validate-Job', 'Create-Job']));
  });
});

it('a printer without a clean Validate-Job prints whole, once', async () => {
  const peer = await virtualPrinter({ habits: ['refuses-validation'] });
  const { printer } = openPrinter(peer.uri);
  await printer.follow(await sendTo({ printer }, pdfOf(1000)), withoutLimit());
  expect(peer.outputs).toMatchObject([{ complete: true }]);
});
